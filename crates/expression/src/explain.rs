//! Explains expressions in English.
//!
//! Start at [`explain`], [`Explanation`] and [`OutlineNode`]. The wording of fields comes from the rows of the schema;
//! `call` has the wording of every function. An unknown name appears as in the source, in backticks. Invariant: every
//! expression without syntax errors has an explanation, even with unknown names and wrong types.

mod call;
mod comparison;
mod display;
mod explainer;
mod field_names;
mod noun_phrase;
mod outline;
mod syntax;
mod value;

use crate::{
    Kind, Options,
    ast::{Expr, ExprKind},
    check::check_syntax,
    parse::parse_syntax,
};
use display::DisplayLimits;
use explainer::Explainer;
use zonewright_diagnostic::{Diagnostic, Span};

/// The explanation of an expression.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The first sentence, followed by the others as a nested Markdown list; empty if the source has syntax errors.
    pub text: String,
    /// The sentences, in the order of the text.
    pub sentences: Vec<Sentence>,
    /// The explanation as a tree with shorter texts, for diagrams; `None` if the source has syntax errors.
    pub tree: Option<OutlineNode>,
    /// All diagnostics, as [`check`](crate::check()) returns them.
    pub diagnostics: Vec<Diagnostic>,
}

/// A sentence, or an item of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// The text, on one line. The first item is a complete sentence; it ends with a colon if other items follow.
    pub text: String,
    /// The span of the explained expression.
    pub span: Span,
    /// The nesting depth: 0 for the first sentence, 1 for the items directly below it, and so on.
    pub depth: usize,
}

/// A node of the outline: the explanation of an expression, with those of its subexpressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineNode {
    /// The kind of the node.
    pub kind: OutlineKind,
    /// The explanation in a few words, without a period.
    pub text: String,
    /// The span of the expression.
    pub span: Span,
    /// The nodes of the subexpressions: none for most conditions and for values, one for [`OutlineKind::Not`].
    pub children: Vec<OutlineNode>,
}

/// The kind of an outline node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutlineKind {
    /// All children are true.
    All,
    /// At least one child is true.
    Any,
    /// An odd number of children is true.
    Xor,
    /// The child is false.
    Not,
    /// A single condition. It has children if it joins conditions on many values element by element.
    Condition,
    /// A value expression.
    Value,
}

/// Explains an expression in English.
///
/// ```
/// use zonewright_expression::{Options, explain};
///
/// let explanation = explain("not http.host contains \"test\"", &Options::default());
/// assert_eq!(explanation.text, "The rule applies when the host does not contain `test`.");
/// ```
pub fn explain(source: &str, options: &Options) -> Explanation {
    let syntax = parse_syntax(source);
    let ast = syntax.ast.clone().filter(|_| !syntax.problems.has_errors());
    let diagnostics = check_syntax(source, syntax, options).diagnostics;
    let Some(ast) = ast else { return Explanation::empty(diagnostics) };
    let explain_with = |limits| explain_root(&ast, &Explainer { source, limits }, options.kind);
    let full = explain_with(DisplayLimits::FULL);
    Explanation::new(&opening_text(&full), &full, explain_with(DisplayLimits::SHORT), diagnostics)
}

/// Formats a text as explanations show it: in backticks, on one line, without invisible characters, truncated after
/// `max_characters`. Explanations of log push filters also use this format.
pub fn format_inline_text(text: &str, max_characters: usize) -> String {
    DisplayLimits::for_text(max_characters).format_text(text.as_bytes())
}

/// Explains the whole expression.
fn explain_root(ast: &Expr, explainer: &Explainer<'_>, kind: Kind) -> OutlineNode {
    match &ast.kind {
        ExprKind::Value(value) if explainer.is_value(value, kind) => {
            explainer.explain_value_expression(value, ast.span)
        }
        _ => explainer.explain_condition(ast, false),
    }
}

/// Returns the first sentence without its final punctuation.
fn opening_text(root: &OutlineNode) -> String {
    match root.kind {
        OutlineKind::Value => format!("The value is {}", root.text),
        _ if root.text == outline::EVERY_REQUEST => format!("The rule applies to {}", root.text),
        _ => format!("The rule applies when {}", root.text),
    }
}

impl Explanation {
    /// Builds an explanation from an opening and two outlines: `full` for the sentences, `short` for the diagram.
    /// Explanations of log push filters are also built with this function.
    pub fn new(opening: &str, full: &OutlineNode, short: OutlineNode, diagnostics: Vec<Diagnostic>) -> Explanation {
        let end = if full.children.is_empty() { "." } else { ":" };
        let mut sentences = vec![Sentence { text: format!("{opening}{end}"), span: full.span, depth: 0 }];
        visible_children(full).for_each(|child| push_sentences(&mut sentences, child, 1));
        Explanation { text: render_markdown(&sentences), sentences, tree: Some(short), diagnostics }
    }

    /// Creates an empty explanation, for a source with syntax errors.
    pub fn empty(diagnostics: Vec<Diagnostic>) -> Explanation {
        Explanation { text: String::new(), sentences: Vec::new(), tree: None, diagnostics }
    }
}

fn push_sentences(sentences: &mut Vec<Sentence>, node: &OutlineNode, depth: usize) {
    let end = if node.children.is_empty() { "" } else { ":" };
    sentences.push(Sentence { text: format!("{}{end}", node.text), span: node.span, depth });
    visible_children(node).for_each(|child| push_sentences(sentences, child, depth + 1));
}

/// Returns the nodes that are listed below a node: its children, or the children of the node that it negates.
fn visible_children(node: &OutlineNode) -> impl Iterator<Item = &OutlineNode> {
    let parent = match (node.kind, node.children.as_slice()) {
        (OutlineKind::Not, [negated]) => negated,
        _ => node,
    };
    parent.children.iter()
}

fn render_markdown(sentences: &[Sentence]) -> String {
    let mut text = String::new();
    for sentence in sentences {
        if let Some(level) = sentence.depth.checked_sub(1) {
            text.push('\n');
            text.push_str(&"  ".repeat(level));
            text.push_str("- ");
        }
        text.push_str(&sentence.text);
    }
    text
}
