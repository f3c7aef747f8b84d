//! Output options as the form holds them.

use serde_json::{Value, json};
use zonewright_api::logpush::{Flag, JobSettings, OutputOptions, OutputType};
use zonewright_logpush::output_options;

/// The texts around records and batches: member, label, and what stands there when nothing is said, for
/// JSON and for CSV.
pub(crate) const TEXTS: [(&str, &str, [&str; 2]); 7] = [
    ("batch_prefix", "Before a batch", ["", ""]),
    ("batch_suffix", "After a batch", ["", ""]),
    ("record_prefix", "Before a record", ["{", ""]),
    ("record_suffix", "After a record", ["}\\n", "\\n"]),
    ("record_delimiter", "Between records", ["", ""]),
    ("field_delimiter", "Between fields", [",", ","]),
    ("record_template", "Record template", ["", ""]),
];

/// Which fields, and how they are written.
#[derive(Clone, Default, PartialEq)]
pub(crate) struct OutputForm {
    /// Names of fields in their order; `None` for the default set.
    pub(crate) fields: Option<Vec<String>>,
    /// `csv` or, without it, JSON.
    pub(crate) csv: bool,
    /// How times are written; empty for the default.
    pub(crate) timestamp: String,
    /// The part of the lines that is sent, as it was typed; empty for all.
    pub(crate) rate: String,
    /// Whether `${` is replaced.
    pub(crate) replaces: bool,
    /// Whether subrequests come inside their request.
    pub(crate) merges: bool,
    /// Whether objects are written as text.
    pub(crate) stringify: bool,
    /// The texts by [`TEXTS`], with escapes; `None` for the default.
    pub(crate) texts: [Option<String>; 7],
}

impl OutputForm {
    /// Those of a job that exists, also of one with the older form.
    pub(super) fn of(settings: &JobSettings) -> Self {
        let read = || output_options(settings).unwrap_or_default();
        let options = settings.output_options.clone().unwrap_or_else(read);
        let texts = [
            &options.batch_prefix,
            &options.batch_suffix,
            &options.record_prefix,
            &options.record_suffix,
            &options.record_delimiter,
            &options.field_delimiter,
            &options.record_template,
        ];
        OutputForm {
            csv: options.output_type_or_default() == OutputType::Csv,
            timestamp: options.timestamp_format.clone().unwrap_or_default(),
            rate: options.sample_rate.map(|rate| rate.to_string()).unwrap_or_default(),
            replaces: options.cve_2021_44228.as_ref().is_some_and(Flag::is_set),
            merges: options.merge_subrequests == Some(true),
            stringify: options.stringify_object == Some(true),
            texts: texts.map(|text| text.as_deref().map(escaped)),
            fields: options.field_names,
        }
    }

    /// As the engine takes them; a rate that is no number is left out.
    pub(crate) fn options(&self) -> OutputOptions {
        let text = |text: &Option<String>| text.as_deref().map(unescaped);
        let [batch_prefix, batch_suffix, record_prefix, record_suffix, record_delimiter, field_delimiter, template] =
            &self.texts;
        OutputOptions {
            field_names: self.fields.clone(),
            output_type: self.csv.then(|| OutputType::Csv.name().to_owned()),
            timestamp_format: (!self.timestamp.is_empty()).then(|| self.timestamp.clone()),
            sample_rate: self.rate.trim().parse().ok(),
            cve_2021_44228: self.replaces.then_some(Flag::Bool(true)),
            merge_subrequests: self.merges.then_some(true),
            stringify_object: self.stringify.then_some(true),
            batch_prefix: text(batch_prefix),
            batch_suffix: text(batch_suffix),
            record_prefix: text(record_prefix),
            record_suffix: text(record_suffix),
            record_delimiter: text(record_delimiter),
            field_delimiter: text(field_delimiter),
            record_template: text(template),
        }
    }

    /// The member of a job; `None` when all is as it is by default.
    pub(super) fn json(&self) -> Option<Value> {
        let mut value = serde_json::to_value(self.options()).ok()?;
        let members = value.as_object_mut()?;
        let rate = self.rate.trim();
        // What is no number is sent as it is: the checks say that it is none.
        if !rate.is_empty() && rate.parse::<f64>().is_err() {
            members.insert("sample_rate".to_owned(), json!(rate));
        }
        (!members.is_empty()).then_some(value)
    }
}

/// A text with its control characters as escapes, for a field of one line.
fn escaped(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' => written.push_str("\\\\"),
            '\n' => written.push_str("\\n"),
            '\r' => written.push_str("\\r"),
            '\t' => written.push_str("\\t"),
            other if other.is_control() => written.push_str(&format!("\\u{:04x}", u32::from(other))),
            other => written.push(other),
        }
    }
    written
}

/// The text that escapes stand for; what is no escape stands for itself.
fn unescaped(written: &str) -> String {
    let mut text = String::with_capacity(written.len());
    let mut rest = written;
    while let Some((before, after)) = rest.split_once('\\') {
        text.push_str(before);
        let mut letters = after.chars();
        let (known, length) = match letters.next() {
            Some('\\') => (Some('\\'), 1),
            Some('n') => (Some('\n'), 1),
            Some('r') => (Some('\r'), 1),
            Some('t') => (Some('\t'), 1),
            Some('u') => {
                let digits = after.get(1..5).and_then(|digits| u32::from_str_radix(digits, 16).ok());
                (digits.and_then(char::from_u32), 5)
            }
            _ => (None, 0),
        };
        text.push(known.unwrap_or('\\'));
        rest = if known.is_some() { after.get(length..).unwrap_or_default() } else { after };
    }
    text + rest
}
