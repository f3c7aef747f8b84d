//! Formats filters.
//!
//! [`format()`] is for texts, and [`print()`] is for syntax trees. Neither needs a dataset, so both format filters with
//! unknown keys or invalid values too. Numbers are copied verbatim, strings get their shortest spelling, and the
//! members of a condition get their usual order. The output parses to the same tree, and formatting it again changes
//! nothing.

mod print;

use crate::{
    ast::Node,
    parse::{parse, string::quoted},
};
use zonewright_diagnostic::Diagnostic;

/// The style of formatted filters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FormatStyle {
    /// For reading: one line if it fits the width, otherwise one condition per line.
    #[default]
    Pretty,
    /// The fewest bytes: the value of a job's `filter` string.
    Compact,
    /// The compact text as a JSON string literal, for the JSON of a job.
    Escaped,
}

/// The options of [`format()`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormatOptions {
    /// The style.
    pub style: FormatStyle,
    /// The maximum width of a line in characters, for [`FormatStyle::Pretty`]. A scalar that does not fit makes its
    /// line longer.
    pub width: usize,
}

/// The default width of a line in characters.
const DEFAULT_LINE_WIDTH: usize = 100;

impl Default for FormatOptions {
    fn default() -> Self {
        FormatOptions { style: FormatStyle::Pretty, width: DEFAULT_LINE_WIDTH }
    }
}

/// The result of [`format()`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatOutput {
    /// The formatted filter; `None` if the syntax is invalid.
    pub text: Option<String>,
    /// All syntax diagnostics, if there is no text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Formats a filter, which is an object or an escaped string.
///
/// ```
/// use zonewright_logpush::{FormatOptions, FormatStyle, format};
///
/// let source = r#"{ "where": {"operator": "eq", "key": "ClientRequestHost", "value": "a"} }"#;
/// let formatted = format(source, &FormatOptions { style: FormatStyle::Compact, ..FormatOptions::default() });
/// let expected = r#"{"where":{"key":"ClientRequestHost","operator":"eq","value":"a"}}"#;
/// assert_eq!(formatted.text.as_deref(), Some(expected));
/// ```
pub fn format(source: &str, options: &FormatOptions) -> FormatOutput {
    let parsed = parse(source);
    match parsed.ast.filter(|_| !parsed.diagnostics.iter().any(Diagnostic::is_error)) {
        Some(ast) => FormatOutput {
            text: Some(print_styled(&ast.condition, options.style, options.width)),
            diagnostics: Vec::new(),
        },
        None => FormatOutput { text: None, diagnostics: parsed.diagnostics },
    }
}

/// Prints the whole filter with this node under `where`.
pub fn print(node: &Node, style: FormatStyle) -> String {
    print_styled(node, style, DEFAULT_LINE_WIDTH)
}

/// Prints the node alone in the fewest bytes, for edits.
pub fn print_node(node: &Node) -> String {
    print::print_compact(&print::build_node(node))
}

fn print_styled(node: &Node, style: FormatStyle, width: usize) -> String {
    let doc = print::build_filter(node);
    match style {
        FormatStyle::Pretty => print::print_pretty(&doc, width),
        FormatStyle::Compact => print::print_compact(&doc),
        FormatStyle::Escaped => quoted(&print::print_compact(&doc)),
    }
}
