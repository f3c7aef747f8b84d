//! Filters as expressions of the Rules language, and the reverse.
//!
//! Both ask about the same requests under different names, so a condition on a field that both have can
//! be carried over when the operators allow it. What cannot be carried is said with its place; there is
//! a text only when it means the same. A value that a request lacks counts as empty, as log lines have
//! it, and a score is the same number on both sides (assumptions lacking-values, same-scores).

mod from_expression;
mod node_builder;
mod pattern;
mod to_expression;

use crate::{Dataset, Options, Program, Style, ast::Node, check, print, simplify};
use zonewright_diagnostic::Span;
use zonewright_expression as rules;

/// What became of a filter or an expression in the other language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conversion {
    /// The text; `None` when something was lost.
    pub text: Option<String>,
    /// What cannot be carried, in the order of the source.
    pub lost: Vec<Loss>,
}

/// Something that the other language cannot say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// Where it stands.
    pub span: Span,
    /// What it is and why it is lost, in the style of diagnostics.
    pub message: String,
}

/// A filter as an expression of the Rules language that is true of the requests whose lines pass.
pub fn to_expression(program: &Program) -> Conversion {
    let mut lost = Vec::new();
    let text = to_expression::expression(program, &mut lost);
    // The text has to be one that the language takes.
    let accepted = |text: &String| match problem(text) {
        None => true,
        Some(message) => {
            lost.push(Loss { span: program.filter().span, message });
            false
        }
    };
    let text = text.filter(accepted);
    conversion(text, lost)
}

fn problem(text: &str) -> Option<String> {
    let checked = rules::check(text, &rules::Options::default());
    let first = checked.diagnostics.into_iter().find(|diagnostic| diagnostic.is_error());
    first.map(|diagnostic| format!("as an expression it is refused: {}", diagnostic.message))
}

/// An expression of the Rules language as a filter whose lines are those of the requests that match.
/// It may be above the limits of filters; it is simplified when it is.
pub fn from_expression(program: &rules::Program, dataset: &'static Dataset) -> Conversion {
    let mut lost = Vec::new();
    let text = from_expression::filter(program, dataset, &mut lost).and_then(|node| within_limits(&node, dataset));
    if text.is_none() && lost.is_empty() {
        let message = "as a filter it is refused".to_owned();
        lost.push(Loss { span: program.expression().span, message });
    }
    conversion(text, lost)
}

fn within_limits(node: &Node, dataset: &'static Dataset) -> Option<String> {
    let text = print(node, Style::Compact);
    let limits = Options { dataset, ..Options::default() };
    if check(&text, &limits).program.is_some() {
        return Some(text);
    }
    let unlimited = Options { max_operators: usize::MAX, max_bytes: usize::MAX, ..limits };
    let program = check(&text, &unlimited).program?;
    Some(print(&simplify(&program), Style::Compact))
}

fn conversion(text: Option<String>, mut lost: Vec<Loss>) -> Conversion {
    lost.sort_by_key(|loss| loss.span);
    Conversion { text: text.filter(|_| lost.is_empty()), lost }
}
