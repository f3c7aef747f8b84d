//! Expressions of case files laid out anew and put into words.

use crate::expression::{format_options, options};
use crate::tree::same_tree;
use zonewright_expression::{Options, explain, format};

/// What a `formatted` or `explained` block with these options has to hold below a source; nothing
/// for a source with wrong syntax.
///
/// # Errors
///
/// Says which option is none, or which promise the engine broke.
pub fn answer(holds: &str, words: &str, source: &str, checked: &Options) -> Result<Option<String>, String> {
    match holds {
        "formatted" => formatted(source, words),
        _ => Ok(Some(explain(source, checked).text).filter(|text| !text.is_empty())),
    }
}

/// The same for a line of a `formats` or `explanations` block, on one line.
///
/// # Errors
///
/// As [`answer`].
pub fn short_answer(holds: &str, words: &str, source: &str) -> Result<String, String> {
    let text = match holds {
        "formats" => formatted(source, words)?,
        _ => answer("explained", "", source, &options(words)?)?,
    };
    Ok(text.unwrap_or_else(|| "wrong syntax".to_owned()).replace('\n', "␊"))
}

/// The text laid out anew, which must mean the same and stay as it is when laid out once more.
fn formatted(source: &str, words: &str) -> Result<Option<String>, String> {
    let options = format_options(words)?;
    let Some(text) = format(source, &options).text else { return Ok(None) };
    if !same_tree(source, &text) {
        return Err(format!("`{text}` is another expression"));
    }
    match format(&text, &options).text {
        Some(again) if again == text => Ok(Some(text)),
        again => Err(format!("`{text}` becomes {again:?}")),
    }
}
