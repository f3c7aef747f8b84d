//! Expressions laid out anew.
//!
//! Formatting works from the syntax tree alone, so it needs no schema and works on expressions with
//! unknown names or wrong types too. It keeps the spelling of every literal, removes no brackets, and
//! gives a text that reads as the same tree: `format` of its own output changes nothing.

mod compact;
mod layout;
mod print;
mod spelling;

use crate::{
    options::MAX_LENGTH,
    parse::{MAX_SOURCE, parse},
};
use spelling::Words;
use zonewright_diagnostic::Diagnostic;

/// How an expression is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// For reading: one line when it fits the width, else one condition a line.
    #[default]
    Canonical,
    /// The shortest text that means the same.
    Compact,
}

/// How operators are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spelling {
    /// As they are.
    #[default]
    Kept,
    /// As words: `and`, `not`, `eq`.
    English,
    /// As signs where there is one: `&&`, `!`, `==`.
    Symbols,
}

/// How to format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormatOptions {
    /// How it is laid out.
    pub style: Style,
    /// Longest line in characters, where the expression can be broken (canonical style).
    pub width: usize,
    /// How operators are written.
    pub operators: Spelling,
    /// Longest text in characters. Where the canonical form would pass it, the compact form is given,
    /// with the operators as they are if need be; where that would too, the text stays as it is.
    pub max_length: usize,
}

impl Default for FormatOptions {
    fn default() -> Self {
        FormatOptions { style: Style::Canonical, width: 100, operators: Spelling::Kept, max_length: MAX_LENGTH }
    }
}

/// The result of [`format()`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formatted {
    /// The expression laid out; `None` when its syntax is wrong.
    pub text: Option<String>,
    /// Every problem of the syntax, when there is no text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Lays an expression out anew. What would be too large to be read again stays as it is.
///
/// ```
/// use zonewright_expression::{FormatOptions, format};
///
/// let formatted = format("ssl   and( http.host==\"a\" )", &FormatOptions::default());
/// assert_eq!(formatted.text.as_deref(), Some("ssl and (http.host == \"a\")"));
/// ```
pub fn format(source: &str, options: &FormatOptions) -> Formatted {
    let parsed = parse(source);
    let Some(ast) = parsed.ast.filter(|_| !parsed.diagnostics.iter().any(Diagnostic::is_error)) else {
        return Formatted { text: None, diagnostics: parsed.diagnostics };
    };
    let words = Words::new(source, options.operators);
    // A text that could not be read again would be no expression any more.
    let readable = |text: &String| text.len() <= MAX_SOURCE;
    let fits = |text: &String| readable(text) && text.chars().count() <= options.max_length;
    let canonical = match options.style {
        Style::Canonical => print::print(&layout::layout(&ast, &words), options.width, options.max_length),
        Style::Compact => None,
    };
    let text = canonical
        .filter(readable)
        .or_else(|| Some(compact::compact(&ast, &words)).filter(fits))
        .or_else(|| Some(compact::compact(&ast, &Words::new(source, Spelling::Kept))).filter(fits))
        .unwrap_or_else(|| source.trim().to_owned());
    Formatted { text: Some(text), diagnostics: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_with_many_problems_lists_the_first_and_counts_the_others() {
        for text in [")".repeat(1 << 20), format!("\"{}", "\\q".repeat(100_000)) + "\"", "a\t ".repeat(100_000)] {
            let found = format(&text, &FormatOptions::default()).diagnostics;
            assert_eq!(found.len(), 1001, "{:?}", text.get(..9));
            let last = found.last().map(|last| (last.code, last.message.ends_with(" more problems are not listed")));
            assert_eq!(last, Some(("too-many-problems", true)));
        }
    }
}
