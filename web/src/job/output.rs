//! The model of the output options in the form.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use zonewright_api::logpush::{BoolOrString, JobSettings, OutputOptions, OutputType};
use zonewright_logpush::output_options;

/// The texts around records and batches: member, label, and the defaults for JSON and CSV.
pub(crate) const RECORD_FORMAT_MEMBERS: [(&str, &str, [&str; 2]); 7] = [
    ("batch_prefix", "Batch prefix", ["", ""]),
    ("batch_suffix", "Batch suffix", ["", ""]),
    ("record_prefix", "Record prefix", ["{", ""]),
    ("record_suffix", "Record suffix", ["}\\n", "\\n"]),
    ("record_delimiter", "Record delimiter", ["", ""]),
    ("field_delimiter", "Field delimiter", [",", ","]),
    ("record_template", "Record template", ["", ""]),
];

/// The fields and their format.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct OutputForm {
    /// The names of the fields in order; `None` for the default set.
    pub(crate) fields: Option<Vec<String>>,
    /// Whether the output is CSV instead of JSON.
    pub(crate) csv: bool,
    /// The format of timestamps; empty for the default.
    pub(crate) timestamp: String,
    /// The sample rate as typed; empty for all lines.
    pub(crate) sample_rate: String,
    /// Whether `${` is replaced (CVE-2021-44228).
    pub(crate) mitigate_cve_2021_44228: bool,
    /// Whether subrequests are merged into their request (the output option).
    pub(crate) merge_subrequests: bool,
    /// Whether objects are written as strings.
    pub(crate) stringify_objects: bool,
    /// The texts in the order of [`RECORD_FORMAT_MEMBERS`], with escapes; `None` for the default.
    pub(crate) texts: [Option<String>; 7],
}

impl OutputForm {
    /// Creates the form model from the settings of a job, which may use legacy options.
    pub(super) fn from_settings(settings: &JobSettings) -> Self {
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
            sample_rate: options.sample_rate.map(|rate| rate.to_string()).unwrap_or_default(),
            mitigate_cve_2021_44228: options.cve_2021_44228.as_ref().is_some_and(BoolOrString::is_set),
            merge_subrequests: options.merge_subrequests == Some(true),
            stringify_objects: options.stringify_object == Some(true),
            texts: texts.map(|text| text.as_deref().map(escape)),
            fields: options.field_names,
        }
    }

    /// Converts the input to output options. A sample rate that is not a number is omitted.
    pub(crate) fn to_options(&self) -> OutputOptions {
        let text = |text: &Option<String>| text.as_deref().map(unescape);
        let [batch_prefix, batch_suffix, record_prefix, record_suffix, record_delimiter, field_delimiter, template] =
            &self.texts;
        OutputOptions {
            field_names: self.fields.clone(),
            output_type: self.csv.then(|| OutputType::Csv.name().to_owned()),
            timestamp_format: (!self.timestamp.is_empty()).then(|| self.timestamp.clone()),
            sample_rate: self.sample_rate.trim().parse().ok(),
            cve_2021_44228: self.mitigate_cve_2021_44228.then_some(BoolOrString::Bool(true)),
            merge_subrequests: self.merge_subrequests.then_some(true),
            stringify_object: self.stringify_objects.then_some(true),
            batch_prefix: text(batch_prefix),
            batch_suffix: text(batch_suffix),
            record_prefix: text(record_prefix),
            record_suffix: text(record_suffix),
            record_delimiter: text(record_delimiter),
            field_delimiter: text(field_delimiter),
            record_template: text(template),
        }
    }

    /// Returns the member `output_options`, or `None` if all options have their defaults.
    pub(super) fn to_json(&self) -> Option<Value> {
        let mut value = serde_json::to_value(self.to_options()).ok()?;
        let members = value.as_object_mut()?;
        let rate = self.sample_rate.trim();
        // A text that is not a number is sent verbatim, so that the validation reports it.
        if !rate.is_empty() && rate.parse::<f64>().is_err() {
            members.insert("sample_rate".to_owned(), json!(rate));
        }
        (!members.is_empty()).then_some(value)
    }
}

/// Escapes backslashes and control characters for a single-line input.
fn escape(text: &str) -> String {
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

/// Replaces escapes with their characters. Unknown escapes are literal.
fn unescape(written: &str) -> String {
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
