//! Entries of maps by the names that other languages give them: `headers.x-api-key`.

use super::{Checker, condition::short};
use crate::{
    Container, Type,
    ast::{Call, Comparison, ComparisonOperator as Op, Expr, ExprKind, IndexKind, Literal, LiteralKind, Value},
    code,
    schema::{self, FIELDS, Field},
};
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span, similar};

/// An entry that a foreign name means.
struct Entry {
    /// The entry as the language writes it: `http.request.headers["x-api-key"]`.
    text: String,
    /// The field that holds a header's value by itself.
    field: Option<&'static str>,
    /// The end of the name and its key in the source.
    end: usize,
}

/// The value of an entry that a name without indexes means.
pub(super) fn text(name: &str) -> Option<String> {
    let (map, key) = dotted(name)?;
    Some(Entry::new(map, key, 0).value())
}

/// The value that a call such as `headers.get("x-api-key")` means.
pub(super) fn called(name: &str, call: &Call) -> Option<String> {
    let [Expr { kind: ExprKind::Literal(Literal { kind: LiteralKind::Quoted(key), .. }), .. }] =
        call.arguments.as_slice()
    else {
        return None;
    };
    let alias = name.strip_suffix(".get").unwrap_or(name);
    let map = map_named(alias)?;
    Some(Entry::new(map, &String::from_utf8_lossy(key), 0).value())
}

/// The names of a map, its own too, because `http.request.headers.x-api-key` is written too.
fn names_of(map: &'static Field) -> impl Iterator<Item = &'static str> {
    map.foreign_names.iter().copied().chain([map.name])
}

/// The maps that have names in other languages.
fn maps() -> impl Iterator<Item = &'static Field> {
    FIELDS.iter().filter(|field| !field.foreign_names.is_empty())
}

/// The map that goes by this name.
fn map_named(name: &str) -> Option<&'static Field> {
    maps().find(|map| names_of(map).any(|known| known == name))
}

/// Splits `headers.x-api-key` into the map and the key.
fn dotted(name: &str) -> Option<(&'static Field, &str)> {
    if schema::field(name).is_some() {
        return None;
    }
    let key_after = |alias: &str| name.strip_prefix(alias).and_then(|rest| rest.strip_prefix('.'));
    let (map, key) = maps().find_map(|map| {
        let key = names_of(map).filter_map(key_after).min_by_key(|key| key.len())?;
        Some((map, key))
    })?;
    // A misspelt field beside the map: `http.request.headers.name`.
    let is_field = name.starts_with(map.name) && !similar(key, ["names", "values", "truncated"]).is_empty();
    (!is_field && !key.is_empty() && !key.split('.').any(str::is_empty)).then_some((map, key))
}

impl Entry {
    fn new(map: &Field, key: &str, end: usize) -> Self {
        let key = if map.has_lower_case_keys() { key.to_ascii_lowercase() } else { key.to_owned() };
        let part = map.parts.iter().find(|part| part.header() == Some(key.as_str()));
        let field = part.and_then(|part| schema::field_of_part(*part)).map(|field| field.name);
        let quoted = key.replace('\\', "\\\\").replace('"', "\\\"");
        Entry { text: format!("{}[\"{quoted}\"]", map.name), field, end }
    }

    /// The first of its values.
    fn value(&self) -> String {
        self.field.map_or_else(|| format!("{}[0]", self.text), str::to_owned)
    }

    fn read(value: &Value) -> Option<Self> {
        let name = value.name.text.as_str();
        if value.call.is_some() || schema::field(name).is_some() {
            return None;
        }
        if let Some((map, key)) = dotted(name) {
            return Some(Entry::new(map, key, value.name.span.end));
        }
        let index = value.indexes.first()?;
        let IndexKind::Key(key) = &index.kind else { return None };
        let map = map_named(name)?;
        Some(Entry::new(map, key, index.span.end))
    }
}

impl Checker<'_> {
    /// The diagnostic of a value that names an entry as other languages do. In a comparison, the fixes rewrite
    /// the whole of it, because an entry has several values.
    pub(super) fn foreign_entry(
        &self,
        value: &Value,
        span: Span,
        comparison: Option<(&Comparison, Span)>,
    ) -> Option<Diagnostic> {
        let entry = Entry::read(value)?;
        let named = Span::new(value.name.span.start, entry.end);
        let diagnostic = Diagnostic::error(
            code::UNKNOWN_FIELD,
            value.name.span,
            format!("no field is named `{}`", short(&value.name.text)),
        )
        .with_help(format!("`{}` holds the values of that name in an array", short(&entry.text)));
        if entry.end < span.end {
            return Some(diagnostic.with_fix(replaced(named, entry.text)));
        }
        if let Some(field) = entry.field {
            return Some(diagnostic.with_fix(replaced(named, field.to_owned())));
        }
        let first = replaced(named, entry.value());
        Some(match comparison {
            Some((comparison, whole)) => {
                diagnostic.with_fix(self.any_of(&entry.text, comparison, whole)).with_fix(first)
            }
            None => diagnostic.with_fix(first),
        })
    }

    /// Tests every value of an array by the comparison.
    fn any_of(&self, array: &str, comparison: &Comparison, whole: Span) -> Fix {
        let rest = Span::new(comparison.operator_span.end, whole.end).text(self.source);
        let operator = self.text(comparison.operator_span);
        replaced(
            whole,
            match comparison.operator {
                // `any(… ne …)` is true as soon as one of many values differs.
                Op::NotEqual => format!("not any({array}[*] eq{rest})"),
                _ => format!("any({array}[*] {operator}{rest})"),
            },
        )
    }

    /// The fixes of a comparison whose left side is an array: test all its values, or the first one.
    pub(super) fn array_fixes(&self, comparison: &Comparison, ty: Type, whole: Span) -> Vec<Fix> {
        let is_comparable = ty.container() == Some(Container::Array) && ty.element().is_scalar();
        if !is_comparable || matches!(comparison.right.kind, ExprKind::Invalid) {
            return Vec::new();
        }
        let left = comparison.left.span;
        let first = Fix::unsafe_("compare the first value", vec![Edit::insert(left.end, "[0]")]);
        vec![self.any_of(self.text(left), comparison, whole), first]
    }
}

fn replaced(span: Span, text: String) -> Fix {
    Fix::unsafe_(format!("use `{}`", short(&text)), vec![Edit::replace(span, text)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_maps_hold_lists_of_strings() {
        assert!(maps().all(|map| map.ty == Type::STRING.array().map()));
    }

    #[test]
    fn every_header_part_has_its_field() {
        let fields = ["http.cookie", "http.host", "http.referer", "http.user_agent", "http.x_forwarded_for"];
        let parts = maps().flat_map(|map| map.parts).filter(|part| part.header().is_some());
        let found: std::collections::BTreeSet<_> =
            parts.map(|part| schema::field_of_part(*part).map(|field| field.name)).collect();
        assert!(found.into_iter().eq(fields.map(Some)));
    }
}
