//! Simplifies and converts the filters of case files.

use crate::filter_case::Case;
use zonewright_expression as rules;
use zonewright_logpush::{
    Conversion, Dataset, FormatStyle, Options, Program, check, from_expression, print, simplify, to_expression,
};

/// Compiles a filter without limits.
fn program(source: &str, dataset: &'static Dataset) -> Result<Program, String> {
    let options = Options { dataset, max_operators: usize::MAX, max_bytes: usize::MAX, lint: None };
    let checked = check(source, &options);
    checked.program.ok_or_else(|| format!("`{source}` is rejected: {:?}", checked.diagnostics))
}

/// Simplifies the filter; simplifying again must change nothing.
pub(crate) fn simplify_case(case: &Case<'_>) -> Result<Option<String>, String> {
    let short = |source: &str| {
        program(source, case.options.dataset).map(|program| print(&simplify(&program), FormatStyle::Compact))
    };
    let text = short(case.source)?;
    match short(&text)? {
        again if again == text => Ok(Some(text)),
        again => Err(format!("`{text}` becomes `{again}`")),
    }
}

/// Converts a filter to an expression, or an expression to a filter. The conversion must round-trip.
pub(crate) fn convert_case(case: &Case<'_>) -> Result<Option<String>, String> {
    let dataset = case.options.dataset;
    let expression = |source: &str| {
        let checked = rules::check(source, &rules::Options::default());
        checked.program.ok_or_else(|| format!("`{source}` is rejected: {:?}", checked.diagnostics))
    };
    let (converted, filter) = if case.source.starts_with(['{', '"']) {
        let filter = program(case.source, dataset)?;
        (to_expression(&filter), Some(filter))
    } else {
        (from_expression(&expression(case.source)?, dataset), None)
    };
    let Some(text) = &converted.text else { return Ok(Some(losses(case.source, &converted))) };
    let normalize = |program: &Program| print(&simplify(program), FormatStyle::Compact);
    let (before, restored) = match &filter {
        Some(filter) => (normalize(filter), from_expression(&expression(text)?, dataset)),
        None => {
            let filter = program(text, dataset)?;
            (normalize(&filter), from_expression(&expression(&round_trip_text(&filter)?)?, dataset))
        }
    };
    let Some(restored) = restored.text else { return Err(format!("`{text}` does not convert back")) };
    let after = normalize(&program(&restored, dataset)?);
    if before == after { Ok(converted.text) } else { Err(format!("`{before}` converts back to `{after}`")) }
}

fn round_trip_text(filter: &Program) -> Result<String, String> {
    to_expression(filter).text.ok_or_else(|| "the filter does not convert back".to_owned())
}

fn losses(source: &str, conversion: &Conversion) -> String {
    let lines: Vec<String> =
        conversion.losses.iter().map(|loss| format!("lost `{}`: {}", loss.span.text(source), loss.message)).collect();
    lines.join("; ")
}
