//! Completions at a cursor. Start with [`complete`] and [`Completions`].

mod choose;
mod names;
mod operators;
mod values;

use crate::{
    Options, Type,
    cursor::{self, Cursor, Expect, FrameKind, token::TokenKind},
    parse::MAX_SOURCE,
    schema::{Accept, Param},
};
use zonewright_diagnostic::Span;

/// The completions at a cursor.
#[derive(Clone, Debug)]
pub struct Completions {
    /// The span that a chosen completion replaces.
    pub span: Span,
    /// The completions, best match first.
    pub items: Vec<Completion>,
}

/// One completion at a cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The text that is displayed and compared with the typed text.
    pub label: String,
    /// The text that is inserted.
    pub insert: String,
    /// The position of the cursor after insertion, in bytes from the start of `insert`.
    pub cursor: usize,
    /// Whether completion should be triggered again after insertion, such as for an argument, a known value or a key.
    pub again: bool,
    /// The kind of the completion.
    pub kind: CompletionKind,
    /// The type or signature.
    pub detail: String,
    /// A short description, with the plan that is required.
    pub note: String,
}

/// The kind of a completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    /// A field.
    Field,
    /// A function.
    Function,
    /// A comparison or logical operator.
    Operator,
    /// A literal value, an index or a set.
    Value,
    /// A named list.
    List,
}

impl CompletionKind {
    /// Returns the name that JSON uses.
    pub fn as_str(self) -> &'static str {
        match self {
            CompletionKind::Field => "field",
            CompletionKind::Function => "function",
            CompletionKind::Operator => "operator",
            CompletionKind::Value => "value",
            CompletionKind::List => "list",
        }
    }
}

/// Returns the completions at the byte `offset` of `source`, which may be incomplete or invalid. An offset past the end
/// is clamped, and one inside a character is moved to its start.
pub fn complete(source: &str, offset: usize, options: &Options) -> Completions {
    let offset = cursor::boundary(source, offset);
    if source.len() > MAX_SOURCE {
        return Completions { span: Span::at(offset), items: Vec::new() };
    }
    let cursor = cursor::before(source, |token| token.span.start >= offset || token.is_at(offset));
    let at = cursor.token.filter(|token| token.is_at(offset));
    let (start, text) = match at.map(|token| (token.kind, token.span)) {
        Some((TokenKind::Text { content, closed }, _)) => (content.start, Some((content, closed))),
        Some((_, span)) => (span.start, None),
        None => (offset, None),
    };
    let span = Span::new(start, end_of_word(source, start, offset, text.map(|(content, _)| content)));
    let place = Place { source, typed: Span::new(start, offset), span, cursor, options };
    let candidates = match (text, at.map(|token| token.kind)) {
        (Some((_, closed)), _) => values::inside_text(&place, closed),
        (None, Some(TokenKind::Symbol)) => Vec::new(),
        _ => place.candidates(),
    };
    Completions { span, items: choose::choose(candidates, place.typed.text(source)) }
}

/// Returns the end of the replaced text. The rest of a word after the cursor is replaced too, unless it is a complete
/// name.
fn end_of_word(source: &str, start: usize, offset: usize, content: Option<Span>) -> usize {
    if start == offset {
        return offset;
    }
    let rest = source.get(offset..content.map_or(source.len(), |content| content.end)).unwrap_or_default();
    let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '.')).unwrap_or(rest.len());
    let tail = rest.get(..length).unwrap_or_default();
    let whole = content.is_none_or(|_| tail.len() == rest.len());
    let is_name = crate::schema::field(tail).is_some() || crate::schema::function(tail).is_some();
    if whole && !is_name { offset + length } else { offset }
}

/// A completion before it is matched with the typed text.
struct Candidate {
    item: Completion,
    /// The rank of the candidate; lower ranks are more likely.
    rank: u16,
    /// Another name under which users search for the candidate.
    other_name: Option<&'static str>,
}

/// The position at which completions are requested.
struct Place<'s> {
    source: &'s str,
    /// The span of the typed part of the word at the cursor.
    typed: Span,
    /// The span that a completion replaces.
    span: Span,
    cursor: Cursor<'s>,
    options: &'s Options,
}

impl Place<'_> {
    fn candidates(&self) -> Vec<Candidate> {
        match (self.cursor.inside(), self.cursor.expect) {
            (Some(FrameKind::Index(subject, None)), _) => values::indexes(subject),
            (Some(FrameKind::Index(..)), _) => Vec::new(),
            (Some(FrameKind::Set(left)), _) => values::set_items(self, left),
            (Some(FrameKind::Call(call)), Expect::Operand) => match (call.function, call.param()) {
                (None, _) => names::start(self),
                (Some(_), None) => Vec::new(),
                (Some(function), Some(param)) => names::argument(self, function, param, &call),
            },
            (_, Expect::Operand) => names::start(self),
            (_, Expect::Left(subject)) => operators::behind_value(self, subject),
            (_, Expect::Right(operator, left)) => names::right_side(self, operator, left),
            (_, Expect::Done | Expect::RightValue(_) | Expect::Literal(_)) => operators::behind_condition(self),
        }
    }

    /// Returns whether a condition may begin here. A value expression allows conditions only inside quantifiers.
    fn has_conditions(&self) -> bool {
        self.options.kind.is_condition() || self.wants_booleans()
    }

    /// Returns whether the position is, ignoring parentheses, the argument of a call that accepts an array of Booleans.
    fn wants_booleans(&self) -> bool {
        let around = self.cursor.frames.iter().rev().find(|frame| !matches!(frame.kind, FrameKind::Group));
        matches!(around.map(|frame| frame.kind), Some(FrameKind::Call(call)) if call.param().is_some_and(takes_booleans))
    }

    /// Returns whether any enclosing call accepts an array of Booleans.
    fn is_inside_quantifier(&self) -> bool {
        let takes = |kind| matches!(kind, FrameKind::Call(call) if call.param().is_some_and(takes_booleans));
        self.cursor.frames.iter().rev().take(crate::ast::MAX_DEPTH).any(|frame| takes(frame.kind))
    }

    /// Returns the source after the replaced span.
    fn rest(&self) -> &str {
        self.source.get(self.span.end..).unwrap_or_default()
    }

    /// Returns whether no right side of an operator follows the position.
    fn is_open_ended(&self) -> bool {
        let rest = self.rest().trim_start();
        let words = ["and", "or", "xor"].iter().filter_map(|word| rest.strip_prefix(*word));
        let word_ends = |after: &str| !after.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.'));
        rest.is_empty() || rest.starts_with([')', '}', '&', '|', '^', ',']) || words.into_iter().any(word_ends)
    }
}

fn takes_booleans(param: &Param) -> bool {
    param.accepts.iter().any(|accept| *accept == Accept::Type(Type::BOOLEAN.array()))
}

/// Returns whether a parameter accepts a value of this type, as far as the type of the first argument is known.
fn takes(param: &Param, ty: Type, first: Option<Type>) -> bool {
    param.accepts.iter().any(|accept| accept.takes(ty, first))
}

#[cfg(test)]
mod tests;
