//! Formats results as text or as JSON.

use crate::output::OutputFormat;
use clap::Args;
use serde_json::Value;

/// The output format.
#[derive(Args)]
pub(super) struct OutputArgs {
    /// Output format.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    pub(super) format: OutputFormat,
}

/// A value in both formats.
pub(super) struct Cell {
    text: String,
    json: Value,
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Cell { json: text.clone().into(), text }
    }
}

impl Cell {
    /// Creates a value that is `word` as text and null as JSON.
    pub(super) fn null(word: &str) -> Cell {
        Cell { text: word.to_owned(), json: Value::Null }
    }

    /// Creates a list. An empty one means no limit, so it is `unlimited` as text and null as JSON.
    pub(super) fn list_or(values: Vec<String>, unlimited: &str) -> Cell {
        if values.is_empty() { Cell::null(unlimited) } else { Cell::list(values) }
    }

    /// Creates a list of exactly these values.
    pub(super) fn list(values: Vec<String>) -> Cell {
        let text = if values.is_empty() { "none".to_owned() } else { values.join(", ") };
        Cell { text, json: values.into() }
    }
}

/// Formats one object.
pub(super) fn format_record(output: &OutputArgs, members: Vec<(&str, Cell)>) -> String {
    match output.format {
        OutputFormat::Json => format!("{:#}\n", to_json_object(members)),
        OutputFormat::Text => members.iter().map(|(name, value)| format!("{name:<8}{}\n", value.text)).collect(),
    }
}

/// Formats a list of objects, one per line as text.
pub(super) fn format_records<'a>(output: &OutputArgs, rows: impl Iterator<Item = Vec<(&'a str, Cell)>>) -> String {
    match output.format {
        OutputFormat::Json => format!("{:#}\n", Value::Array(rows.map(to_json_object).collect())),
        OutputFormat::Text => rows
            .map(|row| {
                let values: Vec<String> = row.into_iter().map(|(_, value)| value.text).collect();
                format!("{}\n", values.join("  "))
            })
            .collect(),
    }
}

fn to_json_object(members: Vec<(&str, Cell)>) -> Value {
    members.into_iter().map(|(name, value)| (name.replace('-', "_"), value.json)).collect()
}
