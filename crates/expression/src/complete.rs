//! Completions at a cursor. Start with [`complete`] and [`Completions`].

mod names;
mod operators;
mod rank;
mod values;

use crate::{
    Options, Type,
    cursor::{self, CursorContext, Expectation, OpenDelimiterKind, token::TokenKind},
    parse::MAX_SOURCE_BYTES,
    schema::{AcceptedType, Param},
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
    pub retrigger: bool,
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
/// is clamped, and an offset inside a character is moved to the start of the character.
pub fn complete(source: &str, offset: usize, options: &Options) -> Completions {
    let offset = cursor::floor_char_boundary(source, offset);
    if source.len() > MAX_SOURCE_BYTES {
        return Completions { span: Span::empty(offset), items: Vec::new() };
    }
    let cursor = cursor::scan_until(source, |token| token.span.start >= offset || token.is_at(offset));
    let token = cursor.token.filter(|token| token.is_at(offset));
    let (start, text) = match token.map(|token| (token.kind, token.span)) {
        Some((TokenKind::Text { content, closed }, _)) => (content.start, Some((content, closed))),
        Some((_, span)) => (span.start, None),
        None => (offset, None),
    };
    let span = Span::new(start, replacement_end(source, start, offset, text.map(|(content, _)| content)));
    let context = CompletionContext { source, typed: Span::new(start, offset), span, cursor, options };
    let candidates = match (text, token.map(|token| token.kind)) {
        (Some((_, closed)), _) => values::complete_string(&context, closed),
        (None, Some(TokenKind::Symbol)) => Vec::new(),
        _ => context.candidates(),
    };
    Completions { span, items: rank::rank_matches(candidates, context.typed.text(source)) }
}

/// Returns the end of the replaced text. If a part of the word is typed before the cursor, the text includes the part
/// after it, unless that is a complete name or, in a string, other text follows it.
fn replacement_end(source: &str, start: usize, offset: usize, content: Option<Span>) -> usize {
    if start == offset {
        return offset;
    }
    let remaining = source.get(offset..content.map_or(source.len(), |content| content.end)).unwrap_or_default();
    let length =
        remaining.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '.')).unwrap_or(remaining.len());
    let tail = remaining.get(..length).unwrap_or_default();
    let extends_to_end = content.is_none_or(|_| tail.len() == remaining.len());
    let is_name = crate::schema::field(tail).is_some() || crate::schema::function(tail).is_some();
    if extends_to_end && !is_name { offset + length } else { offset }
}

/// A completion before it is matched with the typed text.
struct Candidate {
    item: Completion,
    /// The rank of the candidate; lower ranks are more likely.
    rank: u16,
    /// Another name under which users search for the candidate.
    alias: Option<&'static str>,
}

/// The position at which completions are requested.
struct CompletionContext<'s> {
    source: &'s str,
    /// The span of the typed part of the word at the cursor.
    typed: Span,
    /// The span that a completion replaces.
    span: Span,
    cursor: CursorContext<'s>,
    options: &'s Options,
}

impl CompletionContext<'_> {
    fn candidates(&self) -> Vec<Candidate> {
        match (self.cursor.innermost_delimiter(), self.cursor.expectation) {
            (Some(OpenDelimiterKind::Index(subject, None)), _) => values::complete_index(subject),
            (Some(OpenDelimiterKind::Index(..)), _) => Vec::new(),
            (Some(OpenDelimiterKind::Set(left)), _) => values::complete_set_items(self, left),
            (Some(OpenDelimiterKind::Call(call)), Expectation::Operand) => match (call.function, call.param()) {
                (None, _) => names::complete_start(self),
                (Some(_), None) => Vec::new(),
                (Some(function), Some(param)) => names::complete_argument(self, function, param, &call),
            },
            (_, Expectation::Operand) => names::complete_start(self),
            (_, Expectation::AfterValue(subject)) => operators::complete_after_value(self, subject),
            (_, Expectation::RightOperand(operator, left)) => names::complete_right_side(self, operator, left),
            (_, Expectation::AfterCondition | Expectation::AfterRightValue(_) | Expectation::AfterLiteral(_)) => {
                operators::complete_after_condition(self)
            }
        }
    }

    /// Returns whether a condition may begin here. A value expression allows conditions only inside quantifiers.
    fn expects_condition(&self) -> bool {
        self.options.kind.is_condition() || self.expects_boolean_array()
    }

    /// Returns whether the position is, ignoring parentheses, the argument of a call that accepts an array of Booleans.
    fn expects_boolean_array(&self) -> bool {
        let enclosing = self
            .cursor
            .open_delimiters
            .iter()
            .rev()
            .find(|delimiter| !matches!(delimiter.kind, OpenDelimiterKind::Group));
        enclosing.is_some_and(|delimiter| accepts_boolean_argument(delimiter.kind))
    }

    /// Returns whether any enclosing call accepts an array of Booleans.
    fn is_inside_quantifier(&self) -> bool {
        let mut innermost_delimiters = self.cursor.open_delimiters.iter().rev().take(crate::ast::MAX_NESTING_DEPTH);
        innermost_delimiters.any(|delimiter| accepts_boolean_argument(delimiter.kind))
    }

    /// Returns the source after the replaced span.
    fn text_after(&self) -> &str {
        self.source.get(self.span.end..).unwrap_or_default()
    }

    /// Returns whether no right side of an operator follows the position.
    fn lacks_right_side(&self) -> bool {
        let following = self.text_after().trim_start();
        let words = ["and", "or", "xor"].iter().filter_map(|word| following.strip_prefix(*word));
        let is_word_end =
            |suffix: &str| !suffix.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.'));
        following.is_empty()
            || following.starts_with([')', '}', '&', '|', '^', ','])
            || words.into_iter().any(is_word_end)
    }
}

/// Returns whether a delimiter opens a call that accepts an array of Booleans as its current argument.
fn accepts_boolean_argument(delimiter: OpenDelimiterKind) -> bool {
    match delimiter {
        OpenDelimiterKind::Call(call) => call.param().is_some_and(accepts_boolean_array),
        OpenDelimiterKind::Group | OpenDelimiterKind::Index(..) | OpenDelimiterKind::Set(_) => false,
    }
}

fn accepts_boolean_array(param: &Param) -> bool {
    param.accepts.iter().any(|accept| *accept == AcceptedType::Type(Type::BOOLEAN.array()))
}

/// Returns whether a parameter accepts a value of this type, as far as the type of the first argument is known.
fn parameter_accepts(param: &Param, ty: Type, first: Option<Type>) -> bool {
    param.accepts.iter().any(|accept| accept.accepts(ty, first))
}

#[cfg(test)]
mod tests;
