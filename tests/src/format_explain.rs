//! Formats and explains the expressions of case files.

use crate::expression::{format_options, options};
use crate::tree::same_tree;
use zonewright_expression::{Options, explain, format};

/// The content of a `formatted` or `explained` block for a source; `None` when the source has a syntax error.
///
/// # Errors
///
/// Names the invalid option or the broken guarantee.
pub fn answer(kind: &str, option_text: &str, source: &str, check_options: &Options) -> Result<Option<String>, String> {
    match kind {
        "formatted" => formatted(source, option_text),
        _ => Ok(Some(explain(source, check_options).text).filter(|text| !text.is_empty())),
    }
}

/// The same for a line of a `formats` or `explanations` block, on one line.
///
/// # Errors
///
/// The same as [`answer`].
pub fn short_answer(kind: &str, option_text: &str, source: &str) -> Result<String, String> {
    let text = match kind {
        "formats" => formatted(source, option_text)?,
        _ => answer("explained", "", source, &options(option_text)?)?,
    };
    Ok(text.unwrap_or_else(|| "wrong syntax".to_owned()).replace('\n', "␊"))
}

/// Formats the text; the result must mean the same and be stable under formatting.
fn formatted(source: &str, option_text: &str) -> Result<Option<String>, String> {
    let options = format_options(option_text)?;
    let Some(text) = format(source, &options).text else { return Ok(None) };
    if !same_tree(source, &text) {
        return Err(format!("`{text}` is another expression"));
    }
    match format(&text, &options).text {
        Some(again) if again == text => Ok(Some(text)),
        again => Err(format!("`{text}` becomes {again:?}")),
    }
}
