//! Parses `logpull_options`, the older form of the output options:
//! `fields=ClientIP,RayID&timestamps=rfc3339&sample=0.1`.

use super::{CVE_OPTION, check_choice, check_sample_rate, unknown_field_message};
use crate::{Dataset, destination::percent_decode_lossy, excerpt::escaped_excerpt};
use zonewright_api::logpush::{BoolOrString, OutputOptions, TimestampFormat};
use zonewright_api::{ValidationError, join_names};
use zonewright_diagnostic::find_similar;

const PARAMETER_NAMES: [&str; 4] = ["fields", "timestamps", "sample", CVE_OPTION];
/// The timestamp formats. Only output options have those with fractions of a second.
const TIMESTAMP_FORMATS: [&str; 3] =
    [TimestampFormat::UnixNano.name(), TimestampFormat::Unix.name(), TimestampFormat::Rfc3339.name()];

/// Reads a query string, or a URL with a query string, or returns every error.
pub fn read_logpull_options(text: &str, dataset: &Dataset) -> Result<OutputOptions, Vec<ValidationError>> {
    let query = match text.split_once('?') {
        Some((_, query)) => query,
        None if text.contains("://") => "",
        None => text,
    };
    let mut options = OutputOptions::default();
    let mut errors = Vec::new();
    for part in query.split('&').filter(|part| !part.is_empty()) {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        let value = percent_decode_lossy(value);
        if let Err(problem) = read_parameter(&percent_decode_lossy(name), &value, dataset, &mut options) {
            // `logpull_options` is one string, so every error points to it.
            errors.extend(problem.into_iter().map(|error| ValidationError { pointer: String::new(), ..error }));
        }
    }
    if errors.is_empty() { Ok(options) } else { Err(errors) }
}

fn read_parameter(
    name: &str,
    value: &str,
    dataset: &Dataset,
    options: &mut OutputOptions,
) -> Result<(), Vec<ValidationError>> {
    let to_result = |error: Option<ValidationError>| error.map_or(Ok(()), |error| Err(vec![error]));
    match name {
        "fields" => {
            let names: Vec<String> = value.split(',').map(|name| name.trim().to_owned()).collect();
            let names: Vec<String> = names.into_iter().filter(|name| !name.is_empty()).collect();
            let unknown = names.iter().filter(|name| dataset.field(name).is_none());
            let problems: Vec<ValidationError> =
                unknown.map(|name| ValidationError::invalid_value("", unknown_field_message(name, dataset))).collect();
            options.field_names = (!names.is_empty()).then_some(names);
            if problems.is_empty() { Ok(()) } else { Err(problems) }
        }
        "timestamps" => {
            options.timestamp_format = Some(value.to_owned());
            to_result(check_choice(name, Some(value), &TIMESTAMP_FORMATS))
        }
        "sample" => {
            let rate = value.parse::<f64>().ok();
            options.sample_rate = rate;
            match rate {
                Some(_) => to_result(check_sample_rate(name, rate)),
                None => Err(vec![ValidationError::invalid_value(
                    "",
                    format!("`sample` must be a number, not `{}`", escaped_excerpt(value)),
                )]),
            }
        }
        CVE_OPTION => {
            options.cve_2021_44228 = Some(BoolOrString::Text(value.to_owned()));
            to_result(check_choice(name, Some(value), &["true", "false"]))
        }
        _ => {
            let help = match find_similar(name, PARAMETER_NAMES).first() {
                Some(similar) => format!("did you mean `{similar}`?"),
                None => format!("the parameters are {}", join_names(&PARAMETER_NAMES)),
            };
            Err(vec![ValidationError::invalid_value(
                "",
                format!("unknown parameter `{}` in `logpull_options`; {help}", escaped_excerpt(name)),
            )])
        }
    }
}
