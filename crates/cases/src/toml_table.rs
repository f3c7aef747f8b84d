//! Reads TOML tables with spans.
//!
//! A [`StrictTable`] reports every unknown key.

use crate::TEST_FILE;
use serde_json::{Map, Value as Json};
use toml::Spanned;
use toml::de::{DeTable, DeValue};
use zonewright_diagnostic::{Diagnostic, Problems, Span, find_similar};

/// Creates an error in the test file.
pub(crate) fn file_error(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(TEST_FILE, span, message)
}

/// A value with its span.
pub(crate) type SpannedValue<'t> = &'t Spanned<DeValue<'t>>;

/// Returns the span of a value or key.
pub(crate) fn span_of<T>(item: &Spanned<T>) -> Span {
    Span::new(item.span().start, item.span().end)
}

/// A table whose unknown keys were reported.
pub(crate) struct StrictTable<'t> {
    table: &'t DeTable<'t>,
}

impl<'t> StrictTable<'t> {
    /// Wraps a table and reports every unknown key.
    pub(crate) fn new(table: &'t DeTable<'t>, known: &[&str], problems: &mut Problems) -> Self {
        for key in table.keys().filter(|key| !known.contains(&key.get_ref().as_ref())) {
            let name = key.get_ref().as_ref();
            let help = match find_similar(name, known.iter().copied()).first() {
                Some(similar) => format!("did you mean `{similar}`?"),
                None => format!("expected one of {}", known.join(", ")),
            };
            problems.push(file_error(span_of(key), format!("unknown key `{name}`")).with_help(help));
        }
        StrictTable { table }
    }

    /// Returns the value of a key.
    pub(crate) fn get(&self, name: &str) -> Option<SpannedValue<'t>> {
        self.table.get(name)
    }

    /// Returns the string value of a key; reports a value of another type.
    pub(crate) fn text(&self, name: &str, problems: &mut Problems) -> Option<(&'t str, Span)> {
        let item = self.get(name)?;
        let text = item.get_ref().as_str();
        if text.is_none() {
            problems.push(type_error(name, "a string", item));
        }
        Some((text?, span_of(item)))
    }

    /// Returns the table of a key as JSON, with its span; reports a value of another type.
    pub(crate) fn members(&self, name: &str, problems: &mut Problems) -> Option<(Map<String, Json>, Span)> {
        let item = self.get(name)?;
        match to_json(item) {
            Ok(Json::Object(members)) => Some((members, span_of(item))),
            Ok(_) => {
                problems.push(type_error(name, "a table", item));
                None
            }
            Err(error) => {
                problems.push(*error);
                None
            }
        }
    }

    /// Returns the array of tables `[[name]]`, empty if the key is missing; reports a value of another type.
    pub(crate) fn tables(&self, name: &str, problems: &mut Problems) -> Vec<(&'t DeTable<'t>, Span)> {
        let Some(item) = self.get(name) else { return Vec::new() };
        let Some(items) = item.get_ref().as_array() else {
            problems.push(type_error(name, &format!("tables under `[[{name}]]`"), item));
            return Vec::new();
        };
        let mut tables = Vec::new();
        for item in items {
            match item.get_ref().as_table() {
                Some(table) => tables.push((table, span_of(item))),
                None => problems.push(type_error(name, "a table", item)),
            }
        }
        tables
    }
}

/// Creates an error for a value of the wrong type.
pub(crate) fn type_error(name: &str, expected: &str, item: SpannedValue<'_>) -> Diagnostic {
    let found = match item.get_ref() {
        DeValue::Table(_) => "a table".to_owned(),
        other => format!("{} {}", article(other.type_str()), other.type_str()),
    };
    file_error(span_of(item), format!("`{name}`: expected {expected}, found {found}"))
}

fn article(noun: &str) -> &'static str {
    if noun.starts_with(['a', 'i', 'o']) { "an" } else { "a" }
}

/// Converts a value to JSON. Fields and lists are parsed from JSON.
pub(crate) fn to_json(item: SpannedValue<'_>) -> Result<Json, Box<Diagnostic>> {
    Ok(match item.get_ref() {
        DeValue::String(text) => Json::from(text.as_ref()),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .map(Json::from)
            .map_err(|_| Box::new(file_error(span_of(item), "integer out of range; it must fit in 64 bits")))?,
        DeValue::Float(number) => Json::from(number.as_str().parse::<f64>().unwrap_or(f64::NAN)),
        DeValue::Boolean(truth) => Json::from(*truth),
        DeValue::Datetime(_) => {
            return Err(Box::new(file_error(span_of(item), "dates are not supported; use a string in quotes")));
        }
        DeValue::Array(items) => items.iter().map(to_json).collect::<Result<_, _>>()?,
        DeValue::Table(members) => {
            let mut object = Map::new();
            for (name, item) in members {
                object.insert(name.get_ref().clone().into_owned(), to_json(item)?);
            }
            Json::Object(object)
        }
    })
}
