//! The filter of a job.

use super::Verb;
use crate::{Dataset, Options, ast::Form, check, parse};
use serde_json::Value;
use zonewright_api::{Refusal, described, error_code};
use zonewright_diagnostic::{Diagnostic, Style, draw_all};

/// More problems than this are counted, not drawn.
const MOST_DRAWN: usize = 20;
/// A longer filter is not written out as it should be sent.
const MOST_SHOWN: usize = 2_000;

/// Refuses a filter that came as JSON instead of as a string that holds it.
pub(super) fn not_a_string(value: &Value) -> Refusal {
    let message = format!("`filter` must be a string that holds the JSON, not {}", described(value));
    let escaped = Value::String(value.to_string()).to_string();
    let help = if escaped.len() <= MOST_SHOWN { format!("; write it as {escaped}") } else { String::new() };
    Refusal::shape("/filter", message + &help)
}

/// What is wrong with the filter of a job over `dataset`.
pub(super) fn check_filter(filter: &str, dataset: &'static Dataset, verb: Verb) -> Option<Refusal> {
    let options = Options { dataset, ..Options::default() };
    let refuse = |message: String, diagnostics| Refusal {
        code: error_code::JOB_NOT_ALLOWED,
        pointer: "/filter".to_owned(),
        message: format!("{}: bad predicate: {message}", verb.refused()),
        diagnostics,
    };
    if parse(filter).form == Form::Escaped {
        let message = "the filter is escaped twice; it has to be `{\"where\":…}` once the JSON of the job is read";
        return Some(refuse(message.to_owned(), Vec::new()));
    }
    let checked = check(filter, &options);
    let errors: Vec<Diagnostic> = checked.diagnostics.into_iter().filter(Diagnostic::is_error).collect();
    let first = errors.first()?;
    Some(refuse(format!("{}\n\n{}", first.message, drawn(filter, &errors)), errors))
}

fn drawn(filter: &str, errors: &[Diagnostic]) -> String {
    let shown = errors.get(..MOST_DRAWN).unwrap_or(errors);
    let mut text = draw_all(filter, "filter", shown, Style::Plain).trim_end().to_owned();
    if errors.len() > shown.len() {
        text.push_str(&format!("\n\nand {} more problems", errors.len() - shown.len()));
    }
    text
}
