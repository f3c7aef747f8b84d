//! Checks the filter of a job.

use super::JobOperation;
use crate::{CheckOutput, Dataset, Options, ast::Encoding, check, parse};
use serde_json::Value;
use zonewright_api::{ValidationError, describe_value, error_code};
use zonewright_diagnostic::{Diagnostic, RenderStyle, pluralize, render_all};

/// The maximum number of diagnostics that are rendered; the others are counted.
const MAX_RENDERED_DIAGNOSTICS: usize = 20;
/// The maximum length in bytes of a suggested `filter` string.
const MAX_SUGGESTED_FILTER_BYTES: usize = 2_000;

/// Returns the error for a filter that is a JSON value instead of a string of JSON.
pub(super) fn not_a_string_error(value: &Value) -> ValidationError {
    let message = format!("`filter` must be a string that contains JSON, not {}", describe_value(value));
    let escaped = Value::String(value.to_string()).to_string();
    let help =
        if escaped.len() <= MAX_SUGGESTED_FILTER_BYTES { format!("; write it as {escaped}") } else { String::new() };
    ValidationError::invalid_shape("/filter", message + &help)
}

/// Returns the error in the filter of a job over `dataset`, if there is one.
pub(super) fn check_filter(
    filter: &str,
    dataset: &'static Dataset,
    operation: JobOperation,
) -> Option<ValidationError> {
    let options = Options { dataset, ..Options::default() };
    let rejection = |message: String, diagnostics| ValidationError {
        code: error_code::JOB_NOT_ALLOWED,
        pointer: "/filter".to_owned(),
        message: format!("{}: bad predicate: {message}", operation.rejection_message()),
        diagnostics,
    };
    if parse(filter).encoding == Encoding::Escaped {
        let message = "the filter is escaped twice; after the JSON of the job is parsed, it must be `{\"where\":…}`";
        return Some(rejection(message.to_owned(), Vec::new()));
    }
    let (message, errors) = first_error(filter, check(filter, &options))?;
    Some(rejection(message, errors))
}

/// Returns the first error with all error diagnostics, or `None` if the check returned a program. Without a program,
/// the filter is invalid even if no error was reported.
fn first_error(filter: &str, checked: CheckOutput) -> Option<(String, Vec<Diagnostic>)> {
    let errors: Vec<Diagnostic> = checked.diagnostics.into_iter().filter(Diagnostic::is_error).collect();
    match errors.first() {
        Some(first) => Some((format!("{}\n\n{}", first.message, render_diagnostics(filter, &errors)), errors)),
        None if checked.program.is_none() => Some(("the filter is invalid".to_owned(), errors)),
        None => None,
    }
}

fn render_diagnostics(filter: &str, errors: &[Diagnostic]) -> String {
    let rendered = errors.get(..MAX_RENDERED_DIAGNOSTICS).unwrap_or(errors);
    let mut text = render_all(filter, "filter", rendered, RenderStyle::Plain).trim_end().to_owned();
    if errors.len() > rendered.len() {
        text.push_str(&format!("\n\nand {}", pluralize(errors.len() - rendered.len(), "more error")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_valid_filters_are_accepted() {
        let filter = r#"{"where":{"key":"ClientCountry","operator":"eq","value":"ca"}}"#;
        let checked = |filter| check(filter, &Options::default());
        let cases = [
            (checked(filter), None),
            (CheckOutput { program: None, diagnostics: Vec::new() }, Some("the filter is invalid")),
            (CheckOutput { program: None, ..checked(filter) }, Some("the filter is invalid")),
            (checked(""), Some("the filter is empty")),
        ];
        for (checked, expected) in cases {
            let message = first_error(filter, checked).map(|(message, _)| message);
            assert_eq!(message.as_deref().and_then(|message| message.lines().next()), expected);
        }
    }

    #[test]
    fn errors_over_the_limit_are_counted() {
        let error = check("", &Options::default()).diagnostics.remove(0);
        let count_line = |errors: usize| {
            let text = render_diagnostics("", &vec![error.clone(); errors]);
            text.lines().last().unwrap().to_owned()
        };
        assert_eq!(count_line(21), "and 1 more error");
        assert_eq!(count_line(22), "and 2 more errors");
    }
}
