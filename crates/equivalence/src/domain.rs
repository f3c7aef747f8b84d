//! Collects facts about the fields of a request beyond their types.
//!
//! Start with [`ValueFormat`], the documented format of a value, and [`RevealedParts`], which finds values that depend
//! on each other.

use crate::Assumption;
use zonewright_expression::resolved::{Argument, Index, Operand, OperandSource};
use zonewright_expression::schema::{self, FIELDS, Field, FunctionId, Presence, RequestPart, ValueConstraint};

/// Returns the deprecated names of a field.
pub(crate) fn former_names(field: &'static Field) -> impl Iterator<Item = &'static str> {
    FIELDS.iter().filter(|other| other.name != field.name && other.current().name == field.name).map(|other| other.name)
}

/// Returns whether every request has a value for a field (assumption always-present).
pub(crate) fn is_always_present(field: &Field) -> bool {
    field.presence == Presence::Always
}

/// The documented format of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueFormat {
    /// A constraint holds for the value, or for each element of an array.
    Constrained(ValueConstraint),
    /// The array has at least one element (assumption named-values).
    NonEmpty,
    /// No request has the value.
    NeverPresent,
}

/// Returns the documented format of a value, or of each element of a value with `[*]`.
pub(crate) fn value_format(operand: &Operand) -> Option<ValueFormat> {
    if let Some(array) = measured_array(operand) {
        return match value_format(array)? {
            ValueFormat::NonEmpty => {
                Some(ValueFormat::Constrained(ValueConstraint::Integers { low: 1, high: i64::MAX }))
            }
            ValueFormat::NeverPresent => Some(ValueFormat::NeverPresent),
            ValueFormat::Constrained(_) => None,
        };
    }
    let OperandSource::Field(field) = operand.source else { return None };
    let field = field.current();
    match operand.indexes.as_slice() {
        [Index::Key(key), ..] if field.has_lower_case_keys() && key.bytes().any(|byte| byte.is_ascii_uppercase()) => {
            Some(ValueFormat::NeverPresent)
        }
        [Index::Key(_)] if field.has_named_values() => Some(ValueFormat::NonEmpty),
        _ => field.form.constraint().map(ValueFormat::Constrained),
    }
}

/// Returns the measured array: `a` in `len(a)`.
pub(crate) fn measured_array(operand: &Operand) -> Option<&Operand> {
    let OperandSource::Call(call) = &operand.source else { return None };
    match call.arguments.as_slice() {
        [Argument::Value(argument)]
            if call.function.id == FunctionId::Len && !call.each && !argument.ty.is_scalar() =>
        {
            Some(argument)
        }
        _ => None,
    }
}

/// Returns whether a value is a length, which is never negative.
pub(crate) fn is_length(operand: &Operand) -> bool {
    matches!(&operand.source, OperandSource::Call(call) if call.function.id == FunctionId::Len && !call.each)
}

/// Returns the assumption of a proof that uses the format of a value.
pub(crate) fn format_assumption(operand: &Operand) -> Option<Assumption> {
    let measured = measured_array(operand).unwrap_or(operand);
    let OperandSource::Field(field) = measured.source else { return None };
    let field = field.current().name;
    Some(match value_format(measured)? {
        ValueFormat::Constrained(ValueConstraint::Text { description, .. }) => {
            Assumption::Format { field, description }
        }
        ValueFormat::Constrained(ValueConstraint::Integers { low, high }) => {
            Assumption::Range { field, min: low, max: high }
        }
        ValueFormat::NonEmpty => Assumption::NonEmptyKeys(field),
        ValueFormat::NeverPresent => Assumption::Format { field, description: LOWERCASE_KEYS },
    })
}

const LOWERCASE_KEYS: &str = "has lowercase keys";

/// Returns every assumption that a proof may make about a request.
pub(crate) fn assumptions() -> Vec<Assumption> {
    let mut assumptions = Vec::new();
    for field in FIELDS {
        let name = field.name;
        match field.current().name {
            current if current != name => assumptions.push(Assumption::Alias { deprecated: name, current }),
            _ => assumptions.extend(is_always_present(field).then_some(Assumption::Present(name))),
        }
        assumptions.extend(field.form.constraint().map(|constraint| match constraint {
            ValueConstraint::Text { description, .. } => Assumption::Format { field: name, description },
            ValueConstraint::Integers { low, high } => Assumption::Range { field: name, min: low, max: high },
        }));
        assumptions.extend(
            field.has_lower_case_keys().then_some(Assumption::Format { field: name, description: LOWERCASE_KEYS }),
        );
        assumptions.extend(field.has_named_values().then_some(Assumption::NonEmptyKeys(name)));
    }
    assumptions
}

/// A field and the request parts that one of its values reveals.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RevealedParts {
    pub(crate) field: &'static str,
    parts: Vec<RequestPart>,
    /// Whether the field is raw. Earlier rules may have changed a field that is not raw.
    is_raw: bool,
}

impl RevealedParts {
    pub(crate) fn new(field: &'static Field, indexes: &[Index]) -> RevealedParts {
        let field = field.current();
        let parts = match indexes.first() {
            // One header reveals nothing about other fields, unless the header has a separate field.
            Some(Index::Key(key)) if field.has_lower_case_keys() => {
                let is_revealed = |part: &&RequestPart| part.header().is_none_or(|header| header == key);
                field.parts.iter().filter(is_revealed).copied().collect()
            }
            _ => field.parts.to_vec(),
        };
        RevealedParts { field: field.name, parts, is_raw: field.is_raw }
    }

    /// Returns whether two values cannot be chosen independently because they reveal the same request part. The country
    /// of an address counts as independent, because this model does not derive the country from the address.
    pub(crate) fn depends_on(&self, other: &RevealedParts) -> bool {
        let shares_part = self.is_raw == other.is_raw && self.parts.iter().any(|part| other.parts.contains(part));
        self.field != other.field
            && (shares_part || is_derived_from(self.field, other.field) || is_derived_from(other.field, self.field))
    }
}

/// Returns whether a field is derived from another field, directly or indirectly.
fn is_derived_from(derived: &str, ancestor: &str) -> bool {
    let mut origin = schema::field(derived).and_then(Field::origin_name);
    while let Some(name) = origin {
        if name == ancestor {
            return true;
        }
        origin = schema::field(name).and_then(Field::origin_name);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_that_reveal_the_same_part_depend_on_each_other() {
        let cases = [
            ("http.request.uri", "http.request.uri.path", true),
            ("http.request.full_uri", "http.host", true),
            ("http.request.full_uri", "ssl", true),
            ("http.request.uri.args", "http.request.uri.query", true),
            ("http.request.uri.path", "http.request.uri.query", false),
            ("http.host", "http.request.uri.path", false),
            ("http.request.uri.path", "raw.http.request.uri.path", false),
            ("raw.http.request.uri", "raw.http.request.uri.path", true),
            ("http.cookie", "http.request.headers", true),
            ("http.cookie", "http.request.headers.names", true),
            ("http.host", "http.request.headers.values", true),
            ("http.host", "http.request.headers.names", false),
            ("ip.src", "ip.src.country", false),
            ("ip.src.country", "ip.src.continent", true),
            ("ip.src.asnum", "ip.src.country", false),
            ("cf.waf.score", "cf.waf.score.class", true),
        ];
        for (left, right, expected) in cases {
            let [left, right] = [left, right].map(|name| RevealedParts::new(schema::field(name).unwrap(), &[]));
            assert_eq!(left.depends_on(&right), expected, "{left:?} {right:?}");
            assert_eq!(right.depends_on(&left), expected, "{right:?} {left:?}");
        }
    }
}
