//! Formats expressions.
//!
//! Start with [`format()`] and [`FormatOptions`]. Formatting reads only the syntax tree. It therefore needs no schema
//! and accepts expressions with unknown names or type errors.
//!
//! Invariant: the output parses to the same tree, and formatting is idempotent. Literals keep their spelling, and no
//! parentheses are removed.

mod compact;
mod layout;
mod print;
mod spelling;

use crate::{
    options::MAX_EXPRESSION_CHARS,
    parse::{MAX_SOURCE_BYTES, parse},
};
use spelling::TokenSpeller;
use zonewright_diagnostic::Diagnostic;

/// The layout of a formatted expression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FormatStyle {
    /// The readable layout: one line if it fits the width, otherwise one condition per line.
    #[default]
    Canonical,
    /// No whitespace except where two tokens would otherwise merge.
    Compact,
}

/// The spelling of operators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spelling {
    /// Operators keep their spelling.
    #[default]
    Preserve,
    /// Operators are words: `and`, `not`, `eq`.
    English,
    /// Operators are symbols where a symbol exists: `&&`, `!`, `==`.
    Symbols,
}

/// The options of [`format()`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormatOptions {
    /// The layout.
    pub style: FormatStyle,
    /// The maximum line width in characters (canonical style); unbreakable text may exceed it.
    pub width: usize,
    /// The spelling of operators.
    pub operators: Spelling,
    /// The maximum length of the output in characters. Longer or unparsable output falls back to the compact style,
    /// then to that style with the original operators, then to the trimmed source.
    pub max_length: usize,
}

impl Default for FormatOptions {
    fn default() -> Self {
        FormatOptions {
            style: FormatStyle::Canonical,
            width: 100,
            operators: Spelling::Preserve,
            max_length: MAX_EXPRESSION_CHARS,
        }
    }
}

/// The result of [`format()`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatOutput {
    /// The formatted expression; `None` if the source has syntax errors.
    pub text: Option<String>,
    /// The syntax diagnostics if there is no text; otherwise empty.
    pub diagnostics: Vec<Diagnostic>,
}

/// Formats an expression. Output that is too long falls back as described at [`FormatOptions::max_length`].
///
/// ```
/// use zonewright_expression::{FormatOptions, format};
///
/// let formatted = format("ssl   and( http.host==\"a\" )", &FormatOptions::default());
/// assert_eq!(formatted.text.as_deref(), Some("ssl and (http.host == \"a\")"));
/// ```
pub fn format(source: &str, options: &FormatOptions) -> FormatOutput {
    let parsed = parse(source);
    let Some(ast) = parsed.ast.filter(|_| !parsed.diagnostics.iter().any(Diagnostic::is_error)) else {
        return FormatOutput { text: None, diagnostics: parsed.diagnostics };
    };
    let speller = TokenSpeller::new(source, options.operators);
    // The parser rejects a larger text, so that text would not be a valid expression.
    let is_parsable = |text: &String| text.len() <= MAX_SOURCE_BYTES;
    let fits = |text: &String| is_parsable(text) && text.chars().count() <= options.max_length;
    let canonical = match options.style {
        FormatStyle::Canonical => {
            print::print(&layout::build_layout(&ast, &speller), options.width, options.max_length)
        }
        FormatStyle::Compact => None,
    };
    let text = canonical
        .filter(is_parsable)
        .or_else(|| Some(compact::compact(&ast, &speller)).filter(fits))
        .or_else(|| Some(compact::compact(&ast, &TokenSpeller::new(source, Spelling::Preserve))).filter(fits))
        .unwrap_or_else(|| source.trim().to_owned());
    FormatOutput { text: Some(text), diagnostics: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn format_counts_problems_beyond_the_limit() {
        for text in [")".repeat(1 << 20), format!("\"{}", "\\q".repeat(100_000)) + "\"", "a\t ".repeat(100_000)] {
            let found = format(&text, &FormatOptions::default()).diagnostics;
            assert_eq!(found.len(), 1001, "{:?}", text.get(..9));
            let last = found.last().map(|last| (last.code, last.message.ends_with(" more problems are not listed")));
            assert_eq!(last, Some(("too-many-diagnostics", true)));
        }
    }
}
