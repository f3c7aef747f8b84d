//! Filters laid out anew.
//!
//! Formatting works from the syntax tree alone, so it needs no dataset and works on filters with unknown
//! keys or wrong values too. Numbers keep their spelling, strings get their shortest one, the members of
//! a condition their usual order. The text reads as the same tree, and `format` of its own output changes
//! nothing.

mod print;

use crate::{
    ast::Node,
    parse::{parse, string::quoted},
};
use zonewright_diagnostic::Diagnostic;

/// How a filter is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// For reading: one line when it fits the width, else one condition a line.
    #[default]
    Pretty,
    /// The fewest bytes, as a job sends it.
    Compact,
    /// The compact text as a JSON string, as it stands in the JSON of a job.
    Escaped,
}

/// How to format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormatOptions {
    /// How it is laid out.
    pub style: Style,
    /// Longest line in characters, where the filter can be broken (pretty style).
    pub width: usize,
}

/// The width of lines when nothing else is said.
const DEFAULT_LINE_WIDTH: usize = 100;

impl Default for FormatOptions {
    fn default() -> Self {
        FormatOptions { style: Style::Pretty, width: DEFAULT_LINE_WIDTH }
    }
}

/// The result of [`format()`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formatted {
    /// The filter laid out; `None` when its syntax is wrong.
    pub text: Option<String>,
    /// Every problem of the syntax, when there is no text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Lays a filter out anew, whether it came as an object or as an escaped string.
///
/// ```
/// use zonewright_logpush::{FormatOptions, Style, format};
///
/// let source = r#"{ "where": {"operator": "eq", "key": "ClientRequestHost", "value": "a"} }"#;
/// let formatted = format(source, &FormatOptions { style: Style::Compact, ..FormatOptions::default() });
/// let expected = r#"{"where":{"key":"ClientRequestHost","operator":"eq","value":"a"}}"#;
/// assert_eq!(formatted.text.as_deref(), Some(expected));
/// ```
pub fn format(source: &str, options: &FormatOptions) -> Formatted {
    let parsed = parse(source);
    match parsed.ast.filter(|_| !parsed.diagnostics.iter().any(Diagnostic::is_error)) {
        Some(ast) => {
            Formatted { text: Some(styled(&ast.condition, options.style, options.width)), diagnostics: Vec::new() }
        }
        None => Formatted { text: None, diagnostics: parsed.diagnostics },
    }
}

/// The whole filter with this node under `where`.
pub fn print(node: &Node, style: Style) -> String {
    styled(node, style, DEFAULT_LINE_WIDTH)
}

/// The node alone, in as few bytes as possible: for edits.
pub fn print_node(node: &Node) -> String {
    print::compact(&print::node(node))
}

fn styled(node: &Node, style: Style, width: usize) -> String {
    let filter = print::filter(node);
    match style {
        Style::Pretty => print::pretty(&filter, width),
        Style::Compact => print::compact(&filter),
        Style::Escaped => quoted(&print::compact(&filter)),
    }
}
