//! What may stand at a cursor.

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

/// What may stand at a place.
#[derive(Clone, Debug)]
pub struct Completions {
    /// The text that a chosen completion replaces.
    pub span: Span,
    /// The likeliest first.
    pub items: Vec<Completion>,
}

/// One thing that may stand at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What is shown and matched against what was typed.
    pub label: String,
    /// What is inserted.
    pub insert: String,
    /// Where the cursor goes: bytes from the start of `insert`.
    pub cursor: usize,
    /// Whether more is likely to be chosen there: an argument, a known value, a key.
    pub again: bool,
    /// What it is.
    pub kind: CompletionKind,
    /// Its type or signature.
    pub detail: String,
    /// A few words on it, with what it needs.
    pub note: String,
}

/// What a completion is.
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
    /// The word used in JSON.
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

/// What may stand at the byte `offset` of `source`, which may be as broken as texts are while they are
/// typed. An offset past the end counts as the end, one inside a character as its start.
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

/// Where the replaced text ends: behind the cursor the rest of a begun word goes too, unless it is a
/// name by itself.
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

/// Something that may stand here, before what was typed chooses among them.
struct Candidate {
    item: Completion,
    /// The smaller, the likelier.
    rank: u16,
    /// What else people type when they mean it.
    other_name: Option<&'static str>,
}

/// The place that is asked about.
struct Place<'s> {
    source: &'s str,
    /// What was typed of the word at the place.
    typed: Span,
    /// What a completion replaces.
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

    /// Whether conditions stand here: not in a value expression, unless inside `any` and the like.
    fn has_conditions(&self) -> bool {
        self.options.kind.is_condition() || self.wants_booleans()
    }

    /// Whether this is, brackets aside, the argument of a call that takes an array of Booleans.
    fn wants_booleans(&self) -> bool {
        let around = self.cursor.frames.iter().rev().find(|frame| !matches!(frame.kind, FrameKind::Group));
        matches!(around.map(|frame| frame.kind), Some(FrameKind::Call(call)) if call.param().is_some_and(takes_booleans))
    }

    /// Whether any call around this one takes an array of Booleans.
    fn is_inside_quantifier(&self) -> bool {
        let takes = |kind| matches!(kind, FrameKind::Call(call) if call.param().is_some_and(takes_booleans));
        self.cursor.frames.iter().rev().take(crate::ast::MAX_DEPTH).any(|frame| takes(frame.kind))
    }

    /// The text behind what is replaced.
    fn rest(&self) -> &str {
        self.source.get(self.span.end..).unwrap_or_default()
    }

    /// Whether nothing stands behind the place that could be the right side of an operator.
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

/// Whether a parameter takes a value of this type, as far as the first argument is known.
fn takes(param: &Param, ty: Type, first: Option<Type>) -> bool {
    param.accepts.iter().any(|accept| accept.takes(ty, first))
}

#[cfg(test)]
mod tests;
