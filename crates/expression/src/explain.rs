//! Expressions in plain English.
//!
//! The words come from the schema: rows of fields say what a sentence calls them, `call` has words for every
//! function. What the schema does not know is shown as it was written, in backticks, so that every
//! expression with right syntax is explained, with unknown names and wrong types too.

mod call;
mod clause;
mod explainer;
mod nouns;
mod outline;
mod show;
mod syntax;
mod thing;
mod value;

use crate::{
    Kind, Options,
    ast::{Expr, ExprKind},
    check::check_syntax,
    parse::parse_syntax,
};
use explainer::Explainer;
use show::Limits;
use zonewright_diagnostic::{Diagnostic, Span};

/// An expression in plain English.
#[derive(Clone, Debug)]
pub struct Explained {
    /// All sentences, nested as a list in Markdown; empty when the syntax is wrong.
    pub text: String,
    /// The sentences one by one, in the order of the text.
    pub sentences: Vec<Sentence>,
    /// The same as a tree with shorter texts, for drawing; `None` when the syntax is wrong.
    pub tree: Option<Outline>,
    /// Every problem, as [`check`](crate::check()) gives them.
    pub diagnostics: Vec<Diagnostic>,
}

/// A sentence, or a line of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// Its words in one line. The first one is a whole sentence; one that more follow ends with a colon.
    pub text: String,
    /// What it explains.
    pub span: Span,
    /// 0 for the first sentence, 1 for the lines right below it, and so on.
    pub depth: usize,
}

/// A part of an expression with its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// What it is.
    pub kind: OutlineKind,
    /// What it says, in a few words, without a period.
    pub text: String,
    /// Where it stands.
    pub span: Span,
    /// What it is made of: nothing for most conditions and for values, one part for [`OutlineKind::Not`].
    pub children: Vec<Outline>,
}

/// What a part of an expression is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutlineKind {
    /// All children hold.
    All,
    /// At least one child holds.
    Any,
    /// An odd number of children holds.
    Odd,
    /// The child does not hold.
    Not,
    /// True or false by itself. Has children when it joins conditions on many values one by one.
    Condition,
    /// A value expression.
    Value,
}

/// Explains an expression in plain English.
///
/// ```
/// use zonewright_expression::{Options, explain};
///
/// let explained = explain("not http.host contains \"test\"", &Options::default());
/// assert_eq!(explained.text, "The rule applies when the host does not contain `test`.");
/// ```
pub fn explain(source: &str, options: &Options) -> Explained {
    let syntax = parse_syntax(source);
    let readable = !syntax.problems.has_errors();
    let ast = syntax.ast.clone().filter(|_| readable);
    let diagnostics = check_syntax(source, syntax, options).diagnostics;
    let Some(ast) = ast else { return Explained::nothing(diagnostics) };
    let outline = |limits| outline(&ast, &Explainer { source, limits }, options.kind);
    let full = outline(Limits::FULL);
    Explained::new(&opening(&full), &full, outline(Limits::SHORT), diagnostics)
}

/// A text as sentences show it: between backticks, on one line, nothing invisible, cut after so many
/// characters. For other languages that are explained in the same words.
pub fn shown_text(text: &str, most_characters: usize) -> String {
    Limits::of_characters(most_characters).text(text.as_bytes())
}

fn outline(ast: &Expr, explainer: &Explainer<'_>, kind: Kind) -> Outline {
    match &ast.kind {
        ExprKind::Value(value) if explainer.is_value(value, kind) => explainer.whole_value(value, ast.span),
        _ => explainer.condition(ast, false),
    }
}

/// How the first sentence begins.
fn opening(root: &Outline) -> String {
    match root.kind {
        OutlineKind::Value => format!("The value is {}", root.text),
        _ if root.text == outline::EVERY_REQUEST => format!("The rule applies to {}", root.text),
        _ => format!("The rule applies when {}", root.text),
    }
}

impl Explained {
    /// What an outline tells behind an opening: `full` in sentences, `short` for drawings. For other
    /// languages that are explained in the same words, too.
    pub fn new(opening: &str, full: &Outline, short: Outline, diagnostics: Vec<Diagnostic>) -> Explained {
        let end = if full.children.is_empty() { "." } else { ":" };
        let mut sentences = vec![Sentence { text: format!("{opening}{end}"), span: full.span, depth: 0 }];
        parts(full).for_each(|part| add(&mut sentences, part, 1));
        Explained { text: text(&sentences), sentences, tree: Some(short), diagnostics }
    }

    /// Nothing, since the text cannot be read.
    pub fn nothing(diagnostics: Vec<Diagnostic>) -> Explained {
        Explained { text: String::new(), sentences: Vec::new(), tree: None, diagnostics }
    }
}

fn add(sentences: &mut Vec<Sentence>, outline: &Outline, depth: usize) {
    let end = if outline.children.is_empty() { "" } else { ":" };
    sentences.push(Sentence { text: format!("{}{end}", outline.text), span: outline.span, depth });
    parts(outline).for_each(|part| add(sentences, part, depth + 1));
}

/// The parts that are told below a part: what is negated speaks for itself.
fn parts(outline: &Outline) -> impl Iterator<Item = &Outline> {
    let told = match (outline.kind, outline.children.as_slice()) {
        (OutlineKind::Not, [negated]) => negated,
        _ => outline,
    };
    told.children.iter()
}

fn text(sentences: &[Sentence]) -> String {
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
