//! Writes results as text or as JSON.

use crate::output::Format;
use clap::Args;
use serde_json::Value;

/// How the answer is written.
#[derive(Args)]
pub(super) struct Output {
    /// How the answer is written.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
}

/// A value in both formats.
pub(super) struct Told {
    text: String,
    json: Value,
}

impl From<String> for Told {
    fn from(text: String) -> Self {
        Told { json: text.clone().into(), text }
    }
}

impl Told {
    /// Creates a value that is `word` as text and null as JSON.
    pub(super) fn nothing(word: &str) -> Told {
        Told { text: word.to_owned(), json: Value::Null }
    }

    /// Creates a list. An empty one means no limit, so it is `unlimited` as text and null as JSON.
    pub(super) fn list(values: Vec<String>, unlimited: &str) -> Told {
        if values.is_empty() { Told::nothing(unlimited) } else { Told::only(values) }
    }

    /// Creates a list of exactly these values.
    pub(super) fn only(values: Vec<String>) -> Told {
        let text = if values.is_empty() { "none".to_owned() } else { values.join(", ") };
        Told { text, json: values.into() }
    }
}

/// Formats one object.
pub(super) fn one(output: &Output, members: Vec<(&str, Told)>) -> String {
    match output.format {
        Format::Json => format!("{:#}\n", object(members)),
        Format::Text => members.iter().map(|(name, value)| format!("{name:<8}{}\n", value.text)).collect(),
    }
}

/// Formats a list of objects, one per line as text.
pub(super) fn many<'a>(output: &Output, rows: impl Iterator<Item = Vec<(&'a str, Told)>>) -> String {
    match output.format {
        Format::Json => format!("{:#}\n", Value::Array(rows.map(object).collect())),
        Format::Text => rows
            .map(|row| {
                let values: Vec<String> = row.into_iter().map(|(_, value)| value.text).collect();
                format!("{}\n", values.join("  "))
            })
            .collect(),
    }
}

fn object(members: Vec<(&str, Told)>) -> Value {
    members.into_iter().map(|(name, value)| (name.replace('-', "_"), value.json)).collect()
}
