//! Reports map entries in the syntax of other languages, such as `headers.x-api-key`, and suggests equivalents.

use super::{Checker, condition::excerpt};
use crate::{
    Container, Type,
    ast::{Call, Comparison, ComparisonOperator as Op, Expr, ExprKind, IndexKind, Literal, LiteralKind, Value},
    code,
    schema::{self, FIELDS, Field},
};
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span, find_similar};

/// A map entry that a name of another language refers to.
struct MapEntry {
    /// The entry in the syntax of the language: `http.request.headers["x-api-key"]`.
    text: String,
    /// The dedicated field for the header, if there is one.
    field: Option<&'static str>,
    /// The end offset of the name and its key in the source.
    end: usize,
}

/// Returns the expression of the first value of the entry that a dotted name refers to.
pub(super) fn rewrite_entry(name: &str) -> Option<String> {
    let (map, key) = split_map_key(name)?;
    Some(MapEntry::new(map, key, 0).first_value())
}

/// Returns the expression of the first value of the entry that a call such as `headers.get("x-api-key")` refers to.
pub(super) fn rewrite_getter_call(name: &str, call: &Call) -> Option<String> {
    let [Expr { kind: ExprKind::Literal(Literal { kind: LiteralKind::Quoted(key), .. }), .. }] =
        call.arguments.as_slice()
    else {
        return None;
    };
    let map_name = name.strip_suffix(".get").unwrap_or(name);
    let map = find_foreign_map(map_name)?;
    Some(MapEntry::new(map, &String::from_utf8_lossy(key), 0).first_value())
}

/// Returns the foreign names of a map and its own name, because users also write `http.request.headers.x-api-key`.
fn map_names(map: &'static Field) -> impl Iterator<Item = &'static str> {
    map.foreign_names.iter().copied().chain([map.name])
}

/// Returns the maps that have names in other languages.
fn foreign_maps() -> impl Iterator<Item = &'static Field> {
    FIELDS.iter().filter(|field| !field.foreign_names.is_empty())
}

/// Returns the map with this name.
fn find_foreign_map(name: &str) -> Option<&'static Field> {
    foreign_maps().find(|map| map_names(map).any(|known| known == name))
}

/// Splits `headers.x-api-key` into the map and the key.
fn split_map_key(name: &str) -> Option<(&'static Field, &str)> {
    if schema::field(name).is_some() {
        return None;
    }
    let key_after = |map_name: &str| name.strip_prefix(map_name).and_then(|rest| rest.strip_prefix('.'));
    let (map, key) = foreign_maps().find_map(|map| {
        let key = map_names(map).filter_map(key_after).min_by_key(|key| key.len())?;
        Some((map, key))
    })?;
    // The key may be a misspelled field next to the map: `http.request.headers.name`.
    let is_field = name.starts_with(map.name) && !find_similar(key, ["names", "values", "truncated"]).is_empty();
    (!is_field && !key.is_empty() && !key.split('.').any(str::is_empty)).then_some((map, key))
}

impl MapEntry {
    fn new(map: &Field, key: &str, end: usize) -> Self {
        let key = if map.has_lower_case_keys() { key.to_ascii_lowercase() } else { key.to_owned() };
        let part = map.parts.iter().find(|part| part.header() == Some(key.as_str()));
        let field = part.and_then(|part| schema::field_of_part(*part)).map(|field| field.name);
        let quoted = key.replace('\\', "\\\\").replace('"', "\\\"");
        MapEntry { text: format!("{}[\"{quoted}\"]", map.name), field, end }
    }

    /// Returns the expression of the first value of the entry.
    fn first_value(&self) -> String {
        self.field.map_or_else(|| format!("{}[0]", self.text), str::to_owned)
    }

    fn parse(value: &Value) -> Option<Self> {
        let name = value.name.text.as_str();
        if value.call.is_some() || schema::field(name).is_some() {
            return None;
        }
        if let Some((map, key)) = split_map_key(name) {
            return Some(MapEntry::new(map, key, value.name.span.end));
        }
        let index = value.indexes.first()?;
        let IndexKind::Key(key) = &index.kind else { return None };
        let map = find_foreign_map(name)?;
        Some(MapEntry::new(map, key, index.span.end))
    }
}

impl Checker<'_> {
    /// Returns the diagnostic for a value that names an entry in the syntax of another language. In a comparison, the
    /// fixes rewrite the whole comparison, because an entry has several values.
    pub(super) fn foreign_entry_error(
        &self,
        value: &Value,
        span: Span,
        comparison: Option<(&Comparison, Span)>,
    ) -> Option<Diagnostic> {
        let entry = MapEntry::parse(value)?;
        let entry_span = Span::new(value.name.span.start, entry.end);
        let diagnostic = Diagnostic::error(
            code::UNKNOWN_FIELD,
            value.name.span,
            format!("unknown field `{}`", excerpt(&value.name.text)),
        )
        .with_help(format!("`{}` is an array of the values with that name", excerpt(&entry.text)));
        if entry.end < span.end {
            return Some(diagnostic.with_fix(replace_fix(entry_span, entry.text)));
        }
        if let Some(field) = entry.field {
            return Some(diagnostic.with_fix(replace_fix(entry_span, field.to_owned())));
        }
        let first = replace_fix(entry_span, entry.first_value());
        Some(match comparison {
            Some((comparison, span)) => {
                diagnostic.with_fix(self.any_fix(&entry.text, comparison, span)).with_fix(first)
            }
            None => diagnostic.with_fix(first),
        })
    }

    /// Returns a fix that applies the comparison to every value of an array.
    fn any_fix(&self, array: &str, comparison: &Comparison, span: Span) -> Fix {
        let rest = Span::new(comparison.operator_span.end, span.end).text(self.source);
        let operator = self.text(comparison.operator_span);
        replace_fix(
            span,
            match comparison.operator {
                // `any(… ne …)` is true as soon as one of many values differs.
                Op::NotEqual => format!("not any({array}[*] eq{rest})"),
                _ => format!("any({array}[*] {operator}{rest})"),
            },
        )
    }

    /// Returns the fixes of a comparison whose left side is an array: test whether any value matches, or compare only
    /// the first value.
    pub(super) fn array_fixes(&self, comparison: &Comparison, ty: Type, span: Span) -> Vec<Fix> {
        let is_comparable = ty.container() == Some(Container::Array) && ty.element().is_scalar();
        if !is_comparable || matches!(comparison.right.kind, ExprKind::Invalid) {
            return Vec::new();
        }
        let left = comparison.left.span;
        let first = Fix::unsafe_edits("compare the first value", vec![Edit::insert(left.end, "[0]")]);
        vec![self.any_fix(self.text(left), comparison, span), first]
    }
}

fn replace_fix(span: Span, text: String) -> Fix {
    Fix::unsafe_edits(format!("use `{}`", excerpt(&text)), vec![Edit::replace(span, text)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_maps_contain_arrays_of_strings() {
        assert!(foreign_maps().all(|map| map.ty == Type::STRING.array().map()));
    }

    #[test]
    fn every_header_part_has_a_field() {
        let fields = ["http.cookie", "http.host", "http.referer", "http.user_agent", "http.x_forwarded_for"];
        let parts = foreign_maps().flat_map(|map| map.parts).filter(|part| part.header().is_some());
        let found: std::collections::BTreeSet<_> =
            parts.map(|part| schema::field_of_part(*part).map(|field| field.name)).collect();
        assert!(found.into_iter().eq(fields.map(Some)));
    }
}
