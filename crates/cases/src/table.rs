//! TOML tables with their places: every key is asked for by name, and what nobody asked for is reported.

use crate::TEST_FILE;
use serde_json::{Map, Value as Json};
use toml::Spanned;
use toml::de::{DeTable, DeValue};
use zonewright_diagnostic::{Diagnostic, Problems, Span, similar};

/// A problem of the file.
pub(crate) fn problem(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(TEST_FILE, span, message)
}

/// A value with its place.
pub(crate) type Item<'t> = &'t Spanned<DeValue<'t>>;

/// Where a value stands.
pub(crate) fn place<T>(item: &Spanned<T>) -> Span {
    Span::new(item.span().start, item.span().end)
}

/// A table that reports keys it does not know.
pub(crate) struct Table<'t> {
    table: &'t DeTable<'t>,
}

impl<'t> Table<'t> {
    /// The table, after its keys were compared with those that are known.
    pub(crate) fn new(table: &'t DeTable<'t>, known: &[&str], problems: &mut Problems) -> Self {
        for key in table.keys().filter(|key| !known.contains(&key.get_ref().as_ref())) {
            let name = key.get_ref().as_ref();
            let help = match similar(name, known.iter().copied()).first() {
                Some(close) => format!("did you mean `{close}`?"),
                None => format!("expected one of {}", known.join(", ")),
            };
            problems.push(problem(place(key), format!("unknown key `{name}`")).with_help(help));
        }
        Table { table }
    }

    /// The value of a key.
    pub(crate) fn get(&self, name: &str) -> Option<Item<'t>> {
        self.table.get(name)
    }

    /// The text of a key.
    pub(crate) fn text(&self, name: &str, problems: &mut Problems) -> Option<(&'t str, Span)> {
        let item = self.get(name)?;
        let text = item.get_ref().as_str();
        if text.is_none() {
            problems.push(wrong(name, "text between quotes", item));
        }
        Some((text?, place(item)))
    }

    /// The table of a key, as JSON, with the place of the whole.
    pub(crate) fn members(&self, name: &str, problems: &mut Problems) -> Option<(Map<String, Json>, Span)> {
        let item = self.get(name)?;
        match json(item) {
            Ok(Json::Object(members)) => Some((members, place(item))),
            Ok(_) => {
                problems.push(wrong(name, "a table", item));
                None
            }
            Err(problem) => {
                problems.push(*problem);
                None
            }
        }
    }

    /// The tables of a key: `[[name]]` as often as it stands there.
    pub(crate) fn tables(&self, name: &str, problems: &mut Problems) -> Vec<(&'t DeTable<'t>, Span)> {
        let Some(item) = self.get(name) else { return Vec::new() };
        let Some(items) = item.get_ref().as_array() else {
            problems.push(wrong(name, &format!("tables under `[[{name}]]`"), item));
            return Vec::new();
        };
        let mut tables = Vec::new();
        for item in items {
            match item.get_ref().as_table() {
                Some(table) => tables.push((table, place(item))),
                None => problems.push(wrong(name, "a table", item)),
            }
        }
        tables
    }
}

/// A value of the wrong type.
pub(crate) fn wrong(name: &str, expected: &str, item: Item<'_>) -> Diagnostic {
    let found = match item.get_ref() {
        DeValue::Table(_) => "a table".to_owned(),
        other => format!("{} {}", article(other.type_str()), other.type_str()),
    };
    problem(place(item), format!("`{name}`: expected {expected}, found {found}"))
}

fn article(noun: &str) -> &'static str {
    if noun.starts_with(['a', 'i', 'o']) { "an" } else { "a" }
}

/// The value as JSON: what fields and lists are read from.
pub(crate) fn json(item: Item<'_>) -> Result<Json, Box<Diagnostic>> {
    Ok(match item.get_ref() {
        DeValue::String(text) => Json::from(text.as_ref()),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .map(Json::from)
            .map_err(|_| Box::new(problem(place(item), "an integer that does not fit 64 bits")))?,
        DeValue::Float(number) => Json::from(number.as_str().parse::<f64>().unwrap_or(f64::NAN)),
        DeValue::Boolean(truth) => Json::from(*truth),
        DeValue::Datetime(_) => {
            return Err(Box::new(problem(place(item), "no field holds a date; write text between quotes")));
        }
        DeValue::Array(items) => items.iter().map(json).collect::<Result<_, _>>()?,
        DeValue::Table(members) => {
            let mut object = Map::new();
            for (name, item) in members {
                object.insert(name.get_ref().clone().into_owned(), json(item)?);
            }
            Json::Object(object)
        }
    })
}
