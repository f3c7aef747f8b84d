//! Converts filters to expressions of the Rules language, and back.
//!
//! Both languages test the same requests, with different names for fields and operators. A condition converts if both
//! languages have the field and an equivalent operator. Every part without an equivalent becomes a [`Loss`] with its
//! span, and a [`Conversion`] has a text only if that text is equivalent. A missing value of a request counts as empty,
//! as in log lines (assumption lacking-values). A score has the same number in both languages (assumption same-scores).

mod from_expression;
mod node_builder;
mod pattern;
mod to_expression;

use crate::{Dataset, FormatStyle, Options, Program, ast::Node, check, print, simplify};
use zonewright_diagnostic::{Span, sort_by_key};
use zonewright_expression as rules;

/// The result of a conversion to the other language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conversion {
    /// The converted text; `None` if a part has no equivalent.
    pub text: Option<String>,
    /// The parts without an equivalent, in source order.
    pub losses: Vec<Loss>,
}

/// A part without an equivalent in the other language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// The span in the source.
    pub span: Span,
    /// The part and the reason, in the style of diagnostics.
    pub message: String,
}

/// Converts a filter to an expression of the Rules language that is true for the requests whose log lines match.
pub fn to_expression(program: &Program) -> Conversion {
    let mut losses = Vec::new();
    let text = to_expression::write_expression(program, &mut losses);
    // The result must be a valid expression.
    let is_valid = |text: &String| match first_error(text) {
        None => true,
        Some(message) => {
            losses.push(Loss { span: program.filter().span, message });
            false
        }
    };
    let text = text.filter(is_valid);
    finish(text, losses)
}

fn first_error(text: &str) -> Option<String> {
    let checked = rules::check(text, &rules::Options::default());
    let first = checked.diagnostics.into_iter().find(|diagnostic| diagnostic.is_error());
    first.map(|diagnostic| format!("the converted expression is invalid: {}", diagnostic.message))
}

/// Converts an expression of the Rules language to a filter that matches the log lines of the requests for which the
/// expression is true. A result above the limits of filters is simplified, but may still be above them.
pub fn from_expression(program: &rules::Program, dataset: &'static Dataset) -> Conversion {
    let mut losses = Vec::new();
    let text = from_expression::build_filter(program, dataset, &mut losses)
        .and_then(|node| print_simplified_above_limits(&node, dataset));
    if text.is_none() && losses.is_empty() {
        let message = "the converted filter is invalid".to_owned();
        losses.push(Loss { span: program.expression().span, message });
    }
    finish(text, losses)
}

/// Prints the filter, simplified if it is above the limits of filters; `None` if the filter is invalid. The simplified
/// filter may still be above the limits.
fn print_simplified_above_limits(node: &Node, dataset: &'static Dataset) -> Option<String> {
    let text = print(node, FormatStyle::Compact);
    let limits = Options { dataset, ..Options::default() };
    if check(&text, &limits).program.is_some() {
        return Some(text);
    }
    let unlimited = Options { max_operators: usize::MAX, max_bytes: usize::MAX, ..limits };
    let program = check(&text, &unlimited).program?;
    Some(print(&simplify(&program), FormatStyle::Compact))
}

fn finish(text: Option<String>, mut losses: Vec<Loss>) -> Conversion {
    sort_by_key(&mut losses, |loss| loss.span);
    Conversion { text: text.filter(|_| losses.is_empty()), losses }
}
