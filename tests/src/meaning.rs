//! What filters mean, asked of the engine for case files.

use crate::logpush::Case;
use zonewright_expression as rules;
use zonewright_logpush::{
    Conversion, Dataset, Options, Program, Style, check, from_expression, print, simplify, to_expression,
};

/// A filter without its limits.
fn program(source: &str, dataset: &'static Dataset) -> Result<Program, String> {
    let options = Options { dataset, max_operators: usize::MAX, max_bytes: usize::MAX, lint: None };
    let checked = check(source, &options);
    checked.program.ok_or_else(|| format!("`{source}` is refused: {:?}", checked.diagnostics))
}

/// The filter in its shortest form, which must be as short as it gets.
pub(crate) fn simplified(case: &Case<'_>) -> Result<Option<String>, String> {
    let short =
        |source: &str| program(source, case.options.dataset).map(|program| print(&simplify(&program), Style::Compact));
    let text = short(case.source)?;
    match short(&text)? {
        again if again == text => Ok(Some(text)),
        again => Err(format!("`{text}` becomes `{again}`")),
    }
}

/// A filter as an expression, or an expression as a filter. What is carried over must come back as what
/// it was.
pub(crate) fn converted(case: &Case<'_>) -> Result<Option<String>, String> {
    let dataset = case.options.dataset;
    let expression = |source: &str| {
        let checked = rules::check(source, &rules::Options::default());
        checked.program.ok_or_else(|| format!("`{source}` is refused: {:?}", checked.diagnostics))
    };
    let (there, filter) = if case.source.starts_with(['{', '"']) {
        let filter = program(case.source, dataset)?;
        (to_expression(&filter), Some(filter))
    } else {
        (from_expression(&expression(case.source)?, dataset), None)
    };
    let Some(text) = &there.text else { return Ok(Some(losses(case.source, &there))) };
    let plain = |program: &Program| print(&simplify(program), Style::Compact);
    let (before, back) = match &filter {
        Some(filter) => (plain(filter), from_expression(&expression(text)?, dataset)),
        None => {
            let filter = program(text, dataset)?;
            (plain(&filter), from_expression(&expression(&back_text(&filter)?)?, dataset))
        }
    };
    let Some(back) = back.text else { return Err(format!("`{text}` does not come back")) };
    let after = plain(&program(&back, dataset)?);
    if before == after { Ok(there.text) } else { Err(format!("`{before}` comes back as `{after}`")) }
}

fn back_text(filter: &Program) -> Result<String, String> {
    to_expression(filter).text.ok_or_else(|| "there is no way back".to_owned())
}

fn losses(source: &str, conversion: &Conversion) -> String {
    let lines: Vec<String> =
        conversion.lost.iter().map(|loss| format!("lost `{}`: {}", loss.span.text(source), loss.message)).collect();
    lines.join("; ")
}
