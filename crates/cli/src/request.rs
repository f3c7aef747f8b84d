//! The options of the request on which a subcommand evaluates.

use crate::input::{self, display_name};
use crate::integer::integer_parser;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::path::{Path, PathBuf};
use zonewright_expression::{MissingPolicy, Record};
use zonewright_request::{
    InputFormat, detect_format, duplicate_list_error, har, json, parse_list_items, parse_list_name, read_input,
};

/// The message for a file of a request or list that does not exist.
const FILE_NOT_FOUND: &str = "no such file";

/// The request, and further values.
#[derive(Args)]
pub(crate) struct RequestArgs {
    /// File with the request: raw HTTP, curl, HAR, a URL, or fields as JSON; `-` for standard input.
    #[arg(short, long, value_name = "FILE")]
    request: Option<PathBuf>,
    /// Index of the entry in a HAR file, from 0.
    #[arg(long, value_name = "NUMBER", default_value_t = 0, requires = "request",
        value_parser = integer_parser::<usize>(0..=u64::MAX))]
    entry: usize,
    /// Set a field, which overrides the request; repeatable.
    #[arg(long = "field", value_name = "NAME=VALUE")]
    fields: Vec<String>,
    /// Read the items of a named list from a file; repeatable.
    #[arg(long = "list", value_name = "NAME=FILE")]
    lists: Vec<String>,
    /// How to treat fields that are neither set nor in the request.
    #[arg(long, value_parser = missing_value_parser(), default_value = "unknown")]
    missing: MissingPolicy,
    /// Seed of random values.
    #[arg(long, value_name = "NUMBER", value_parser = integer_parser::<u64>(0..=u64::MAX))]
    seed: Option<u64>,
}

impl RequestArgs {
    /// Returns whether the request is read from standard input.
    pub(crate) fn is_stdin(&self) -> bool {
        self.request.as_ref().is_some_and(|path| path.as_os_str() == "-")
    }

    /// Creates a record without fields.
    pub(crate) fn to_empty_record(&self) -> Record {
        let mut record = Record::new(self.missing);
        if let Some(seed) = self.seed {
            record.set_seed(seed);
        }
        record
    }

    /// Builds the record that the options describe, with notes about assumptions.
    pub(crate) fn read_record(&self) -> Result<(Record, Vec<String>), String> {
        let mut record = self.to_empty_record();
        for field in &self.fields {
            let result = match field.split_once('=') {
                Some((name, value)) => json::set_field_from_text(name, value, &mut record),
                None => json::set_field(field, &serde_json::Value::Null, &mut record),
            };
            result.map_err(|error| error_to_text("--field", &error))?;
        }
        for list in &self.lists {
            let (name, file) =
                list.split_once('=').ok_or_else(|| format!("--list: expected NAME=FILE, found `{list}`"))?;
            let name = parse_list_name(name).map_err(|error| error_to_text("--list", &error))?;
            if record.list(name).is_some() {
                return Err(error_to_text("--list", &duplicate_list_error(name)));
            }
            let items = read_list_items(Path::new(file)).map_err(|error| format!("{file}: {error}"))?;
            record.set_list(name, parse_list_items(name, &items).map_err(|error| error_to_text(file, &error))?);
        }
        let mut notes = Vec::new();
        if let Some(path) = &self.request {
            let name = path.to_string_lossy();
            let bytes = input::read_bytes(path, har::MAX_BYTES, FILE_NOT_FOUND)
                .map_err(|error| format!("{}: {error}", display_name(&name)))?;
            if self.entry > 0 && detect_format(&bytes) != Some(InputFormat::Har) {
                return Err(format!("{}: --entry needs a HAR file", display_name(&name)));
            }
            let new_notes = if self.entry > 0 {
                let text = String::from_utf8_lossy(&bytes);
                har::read_entry(&text, self.entry).map(|request| request.write_fields(&mut record))
            } else {
                read_input(&bytes, &mut record).map(|reading| reading.notes)
            };
            notes = new_notes.map_err(|error| error_to_text(display_name(&name), &error))?;
        }
        json::add_deprecated_names(&mut record);
        Ok((record, notes))
    }
}

pub(crate) fn missing_value_parser() -> impl TypedValueParser<Value = MissingPolicy> {
    PossibleValuesParser::new(MissingPolicy::ALL.map(MissingPolicy::name))
        .try_map(|name| MissingPolicy::from_name(&name).ok_or("unknown value"))
}

/// Reads the items of a list: a JSON array, or one item per line.
fn read_list_items(path: &Path) -> Result<Vec<serde_json::Value>, String> {
    let text = input::decode_utf8(input::read_bytes(path, input::MAX_INPUT_BYTES, FILE_NOT_FOUND)?)?;
    if text.trim_start().starts_with('[') {
        return serde_json::from_str(&text).map_err(|error| format!("not a JSON array: {error}"));
    }
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    Ok(lines.filter(|line| !line.is_empty()).map(serde_json::Value::from).collect())
}

fn error_to_text(location: &str, error: &zonewright_request::Error) -> String {
    let help = error.help.as_ref().map_or(String::new(), |help| format!(" ({help})"));
    format!("{location}: {error}{help}")
}
