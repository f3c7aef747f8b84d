//! Reads and checks the output options of a job: the fields that it sends, and their format.

mod logpull;

pub use logpull::read_logpull_options;

use crate::{Dataset, Field, FieldType, excerpt::escaped_excerpt, record_template::check_template};
use serde_json::Value;
use zonewright_api::logpush::{BoolOrString, JobSettings, OutputOptions, OutputType, TimestampFormat};
use zonewright_api::{ObjectReader, ValidationError, check_no_nul, join_names, prefix_pointers};
use zonewright_diagnostic::find_similar;

const MEMBERS: [&str; 14] = [
    "field_names",
    "output_type",
    "batch_prefix",
    "batch_suffix",
    "record_prefix",
    "record_suffix",
    "record_delimiter",
    "field_delimiter",
    "record_template",
    "timestamp_format",
    "sample_rate",
    CVE_OPTION,
    "merge_subrequests",
    "stringify_object",
];
/// The maximum number of field names, more than any dataset has fields (assumption output-limits).
const MAX_FIELD_NAMES: usize = 1_000;
/// The maximum length of a prefix, a template or a similar string, in bytes (assumption output-limits).
const MAX_TEXT_BYTES: usize = 65_536;
/// The maximum number of errors that are listed for one array; the others are counted.
const MAX_LISTED_PROBLEMS: usize = 100;
const CVE_OPTION: &str = "CVE-2021-44228";
/// The column of merged subrequests (documented).
pub(crate) const SUBREQUESTS_FIELD: &str = "Subrequests";

impl Dataset {
    /// Returns the fields of a job that does not name any: all except deprecated fields and objects, sorted by name
    /// (assumption default-fields).
    pub fn default_fields(&self) -> impl Iterator<Item = &'static Field> + use<> {
        let is_default =
            |field: &&Field| !field.deprecated && !matches!(field.ty, FieldType::Object | FieldType::Objects);
        self.fields.iter().filter(is_default)
    }
}

/// Returns the output options of a job, or every error in them. Without the member `output_options`, they come from
/// their older form `logpull_options`.
pub fn output_options(settings: &JobSettings) -> Result<OutputOptions, Vec<ValidationError>> {
    let dataset = Dataset::from_name(&settings.dataset);
    let Some(dataset) = dataset else {
        let message = format!("unknown dataset `{}`", escaped_excerpt(&settings.dataset));
        return Err(vec![ValidationError::invalid_value("/dataset", message)]);
    };
    let prefix_pointers = |prefix, errors| prefix_pointers(prefix, errors).collect::<Vec<ValidationError>>();
    match (&settings.output_options, &settings.logpull_options) {
        (Some(options), _) => match check_output_options(options, dataset) {
            errors if errors.is_empty() => Ok(options.clone()),
            errors => Err(prefix_pointers("/output_options", errors)),
        },
        (None, Some(text)) => {
            read_logpull_options(text, dataset).map_err(|errors| prefix_pointers("/logpull_options", errors))
        }
        (None, None) => Ok(OutputOptions::default()),
    }
}

/// Sets every absent member to its default. Two jobs over `dataset` with equal results write the same lines.
pub fn fill_output_defaults(options: OutputOptions, dataset: &Dataset) -> OutputOptions {
    let is_csv = options.output_type_or_default() == OutputType::Csv;
    let or_default = |text: Option<String>, default: &str| Some(text.unwrap_or_else(|| default.to_owned()));
    let field_names = options.field_names.filter(|names| !names.is_empty());
    let default_names = || dataset.default_fields().map(|field| field.name.to_owned()).collect();
    OutputOptions {
        field_names: Some(field_names.unwrap_or_else(default_names)),
        output_type: or_default(options.output_type, OutputType::Ndjson.name()),
        batch_prefix: or_default(options.batch_prefix, ""),
        batch_suffix: or_default(options.batch_suffix, ""),
        record_prefix: or_default(options.record_prefix, if is_csv { "" } else { "{" }),
        record_suffix: or_default(options.record_suffix, if is_csv { "\n" } else { "}\n" }),
        record_delimiter: or_default(options.record_delimiter, ""),
        field_delimiter: or_default(options.field_delimiter, ","),
        record_template: options.record_template.filter(|template| !template.is_empty()),
        timestamp_format: or_default(options.timestamp_format, TimestampFormat::UnixNano.name()),
        sample_rate: Some(options.sample_rate.unwrap_or(1.0)),
        cve_2021_44228: Some(BoolOrString::Bool(options.cve_2021_44228.as_ref().is_some_and(BoolOrString::is_set))),
        merge_subrequests: Some(options.merge_subrequests == Some(true)),
        stringify_object: Some(options.stringify_object == Some(true)),
    }
}

/// Reads output options as far as possible, with the errors in types and names.
pub(crate) fn read_output_options(value: &Value) -> (OutputOptions, Vec<ValidationError>) {
    let mut members = match ObjectReader::new(value, "`output_options`", &MEMBERS, &[]) {
        Ok(members) => members,
        Err(errors) => return (OutputOptions::default(), errors),
    };
    let options = OutputOptions {
        field_names: read_field_names(&mut members),
        output_type: members.text("output_type"),
        batch_prefix: read_text(&mut members, "batch_prefix"),
        batch_suffix: read_text(&mut members, "batch_suffix"),
        record_prefix: read_text(&mut members, "record_prefix"),
        record_suffix: read_text(&mut members, "record_suffix"),
        record_delimiter: read_text(&mut members, "record_delimiter"),
        field_delimiter: read_text(&mut members, "field_delimiter"),
        record_template: members.text("record_template"),
        timestamp_format: members.text("timestamp_format"),
        sample_rate: members.get("sample_rate").and_then(|value| match value.as_f64() {
            Some(rate) => Some(rate),
            None => members.type_error("sample_rate", "a number", value),
        }),
        cve_2021_44228: read_cve_option(&mut members),
        merge_subrequests: read_flag(&mut members, "merge_subrequests"),
        stringify_object: read_flag(&mut members, "stringify_object"),
    };
    (options, members.errors)
}

/// Reads a string member whose empty value differs from an absent one.
fn read_text(members: &mut ObjectReader, name: &str) -> Option<String> {
    match members.get(name)? {
        Value::String(text) => Some(text.clone()),
        other => members.type_error(name, "a string", other),
    }
}

fn read_flag(members: &mut ObjectReader, name: &str) -> Option<bool> {
    match members.get(name)? {
        Value::Bool(flag) => Some(*flag),
        other => members.type_error(name, "true or false", other),
    }
}

fn read_cve_option(members: &mut ObjectReader) -> Option<BoolOrString> {
    match members.get(CVE_OPTION)? {
        Value::Bool(flag) => Some(BoolOrString::Bool(*flag)),
        Value::String(text) if text.is_empty() => None,
        Value::String(text) => Some(BoolOrString::Text(text.clone())),
        other => members.type_error(CVE_OPTION, "true or false", other),
    }
}

fn read_field_names(members: &mut ObjectReader) -> Option<Vec<String>> {
    let value = members.get("field_names")?;
    let Value::Array(items) = value else { return members.type_error("field_names", "an array of strings", value) };
    let mut names = Vec::new();
    // One name more than the maximum is read, so that the check detects too many names.
    for (index, item) in items.iter().enumerate().take(MAX_FIELD_NAMES + 1) {
        match item {
            Value::String(name) => names.push(name.clone()),
            other => {
                members.type_error::<()>(&format!("field_names/{index}"), "a string", other);
                // Preserves the indexes of the names after it.
                names.push(String::new());
            }
        }
    }
    Some(names)
}

/// Returns the errors in the values of output options of a job over `dataset`.
pub(crate) fn check_output_options(options: &OutputOptions, dataset: &Dataset) -> Vec<ValidationError> {
    let mut errors = check_field_names(options.field_names.as_deref().unwrap_or_default(), dataset);
    errors.extend(check_choice("output_type", options.output_type.as_deref(), OutputType::NAMES));
    errors.extend(check_choice("timestamp_format", options.timestamp_format.as_deref(), TimestampFormat::NAMES));
    errors.extend(check_sample_rate("sample_rate", options.sample_rate));
    if let Some(BoolOrString::Text(text)) = &options.cve_2021_44228 {
        errors.extend(check_choice(CVE_OPTION, Some(text), &["true", "false"]));
    }
    if options.merge_subrequests == Some(true) && dataset.field(SUBREQUESTS_FIELD).is_none() {
        let message = format!("`merge_subrequests` is only supported for `http_requests`, not for `{}`", dataset.name);
        errors.push(ValidationError::invalid_value("/merge_subrequests", message));
    }
    for (name, text) in text_members(options) {
        let Some(text) = text else { continue };
        if text.len() > MAX_TEXT_BYTES {
            let message = format!("`{name}` has {} bytes; at most {MAX_TEXT_BYTES} are allowed", text.len());
            errors.push(ValidationError::invalid_value(format!("/{name}"), message));
        } else if name == "record_template" {
            errors.extend(
                check_template(text)
                    .into_iter()
                    .map(|problem| ValidationError::invalid_value("/record_template", problem.to_string())),
            );
        }
        errors.extend(check_no_nul(name, text));
    }
    errors
}

fn text_members(options: &OutputOptions) -> [(&'static str, &Option<String>); 7] {
    [
        ("batch_prefix", &options.batch_prefix),
        ("batch_suffix", &options.batch_suffix),
        ("record_prefix", &options.record_prefix),
        ("record_suffix", &options.record_suffix),
        ("record_delimiter", &options.record_delimiter),
        ("field_delimiter", &options.field_delimiter),
        ("record_template", &options.record_template),
    ]
}

fn check_field_names(names: &[String], dataset: &Dataset) -> Vec<ValidationError> {
    if names.len() > MAX_FIELD_NAMES {
        let message = format!("`field_names` has {} names; at most {MAX_FIELD_NAMES} are allowed", names.len());
        return vec![ValidationError::invalid_value("/field_names", message)];
    }
    let mut unknown = names.iter().enumerate().filter(|(_, name)| dataset.field(name).is_none());
    let unknown_field_error = |(index, name): (usize, &String)| {
        ValidationError::invalid_value(format!("/field_names/{index}"), unknown_field_message(name, dataset))
    };
    let mut errors: Vec<ValidationError> =
        unknown.by_ref().take(MAX_LISTED_PROBLEMS).map(unknown_field_error).collect();
    let unlisted = unknown.count();
    if unlisted > 0 {
        errors.push(ValidationError::invalid_value(
            "/field_names",
            format!("{unlisted} more unknown fields of `{}`", dataset.name),
        ));
    }
    errors
}

/// Returns the message for an unknown field of a dataset.
fn unknown_field_message(name: &str, dataset: &Dataset) -> String {
    let close = find_similar(name, dataset.fields.iter().map(|field| field.name));
    let help = close.first().map_or_else(String::new, |name| format!("; did you mean `{name}`?"));
    format!("`{}` has no field `{}`{help}", dataset.name, escaped_excerpt(name))
}

/// Checks the proportion of lines to send: above 0 and at most 1 (documented).
fn check_sample_rate(name: &str, rate: Option<f64>) -> Option<ValidationError> {
    let rate = rate.filter(|rate| !(*rate > 0.0 && *rate <= 1.0))?;
    Some(ValidationError::invalid_value(
        format!("/{name}"),
        format!("`{name}` must be above 0 and at most 1, not {rate}"),
    ))
}

fn check_choice(name: &str, value: Option<&str>, choices: &[&str]) -> Option<ValidationError> {
    let value = value.filter(|value| !choices.contains(value))?;
    let help = match find_similar(value, choices.iter().copied()).first() {
        Some(similar) => format!("did you mean `{similar}`?"),
        None => format!("the values are {}", join_names(choices)),
    };
    Some(ValidationError::invalid_value(
        format!("/{name}"),
        format!("unknown value `{}` of `{name}`; {help}", escaped_excerpt(value)),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fill(options: Value) -> OutputOptions {
        let options = serde_json::from_value(options).unwrap();
        fill_output_defaults(options, Dataset::from_name("dns_logs").unwrap())
    }

    #[test]
    fn written_defaults_equal_absent_members() {
        let names: Vec<_> = Dataset::from_name("dns_logs").unwrap().default_fields().map(|field| field.name).collect();
        let explicit = json!({
            "field_names": names, "output_type": "ndjson", "batch_prefix": "", "batch_suffix": "", "record_prefix": "{",
            "record_suffix": "}\n", "record_delimiter": "", "field_delimiter": ",", "timestamp_format": "unixnano",
            "sample_rate": 1, "CVE-2021-44228": "false", "merge_subrequests": false, "stringify_object": false,
        });
        assert_eq!(fill(explicit), fill(json!({})));
        let csv = json!({ "output_type": "csv", "record_prefix": "", "record_suffix": "\n" });
        assert_eq!(fill(csv), fill(json!({ "output_type": "csv" })));
    }

    #[test]
    fn other_values_differ_from_absent_members() {
        for other in [json!({ "record_prefix": "" }), json!({ "sample_rate": 0.5 }), json!({ "output_type": "csv" })] {
            assert_ne!(fill(other), fill(json!({})));
        }
    }
}
