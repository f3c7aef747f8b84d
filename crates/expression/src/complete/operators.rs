//! Completions of comparison and logical operators.

use super::{Candidate, Completion, CompletionKind, Place, values};
use crate::{
    Scalar, Type,
    ast::{ComparisonOperator as Op, LogicalOperator},
    cursor::{FrameKind, Subject},
    schema::{NOT, Operator},
};

/// The rank of `not`: after the common fields and before the functions.
const BEFORE_FUNCTIONS: u16 = 59;

/// The operators of strings, most likely first.
const TEXT: &[Op] = &[
    Op::Equal,
    Op::Contains,
    Op::In,
    Op::NotEqual,
    Op::Matches,
    Op::Wildcard,
    Op::StrictWildcard,
    Op::Less,
    Op::LessOrEqual,
    Op::Greater,
    Op::GreaterOrEqual,
];
const INTEGER: &[Op] =
    &[Op::Equal, Op::In, Op::NotEqual, Op::Less, Op::LessOrEqual, Op::Greater, Op::GreaterOrEqual, Op::BitwiseAnd];
/// The operators of IP addresses. Their order is not documented, so the ordering operators come last.
const ADDRESS: &[Op] = &[Op::Equal, Op::In, Op::NotEqual, Op::Less, Op::LessOrEqual, Op::Greater, Op::GreaterOrEqual];

/// Returns the operators that may follow a value.
pub(super) fn behind_value(place: &Place<'_>, subject: Subject) -> Vec<Candidate> {
    let Some(ty) = subject.ty.filter(|_| place.has_conditions()) else { return Vec::new() };
    // Inside a call, a comparison is valid only where an array of Booleans is accepted.
    let is_argument = matches!(place.cursor.inside(), Some(FrameKind::Call(_)));
    if is_argument && !(place.wants_booleans() && subject.each) {
        return Vec::new();
    }
    if ty.fits(Type::BOOLEAN) || ty.fits(Type::BOOLEAN.array()) {
        return behind_condition(place);
    }
    let operators = match ty.scalar {
        _ if !ty.is_scalar() => return Vec::new(),
        Scalar::String | Scalar::Bytes => TEXT,
        Scalar::Integer => INTEGER,
        Scalar::Ip => ADDRESS,
        Scalar::Boolean => return Vec::new(),
    };
    let described = operators.iter().map(|operator| (*operator, operator.description()));
    (0..).zip(described).map(|(rank, (operator, words))| comparison(place, operator, words, subject, rank)).collect()
}

/// Returns the operators that may follow a complete condition.
pub(super) fn behind_condition(place: &Place<'_>) -> Vec<Candidate> {
    // Several conditions in one argument need parentheses.
    if !place.has_conditions() || matches!(place.cursor.inside(), Some(FrameKind::Call(_))) {
        return Vec::new();
    }
    let binary = [LogicalOperator::And, LogicalOperator::Or, LogicalOperator::Xor].map(LogicalOperator::description);
    (0..).zip(binary).map(|(rank, operator)| candidate(place, operator, "", 0, rank)).collect()
}

/// Returns the candidate for `not`.
pub(super) fn negation(place: &Place<'_>) -> Candidate {
    candidate(place, &NOT, "", 0, BEFORE_FUNCTIONS)
}

/// Returns the candidate for a comparison operator, with the quotes or braces that its right side needs.
fn comparison(place: &Place<'_>, operator: Op, words: &Operator, subject: Subject, rank: u16) -> Candidate {
    let text = subject.ty.is_some_and(Type::is_text);
    let known = subject.field.is_some_and(|field| !field.suggestions.is_empty());
    let lists = operator == Op::In && subject.ty.is_some_and(|ty| values::has_lists(place, ty));
    let takes_known = !matches!(operator, Op::Contains | Op::Matches | Op::Wildcard | Op::StrictWildcard);
    let tail = match operator {
        _ if !place.is_open_ended() => "",
        Op::In if lists => "",
        Op::In if text => "{\"\"}",
        Op::In => "{}",
        Op::Contains | Op::Matches | Op::Wildcard | Op::StrictWildcard => "\"\"",
        // Known values are completed next, and they bring their own quotes.
        _ if text && !known => "\"\"",
        _ => "",
    };
    let mut candidate = candidate(place, words, tail, tail.len() / 2, rank);
    candidate.item.again = place.is_open_ended() && (lists || known && takes_known);
    candidate
}

/// Returns the candidate for an operator followed by `tail`. The cursor is placed before the last `inside` bytes.
fn candidate(place: &Place<'_>, words: &Operator, tail: &str, inside: usize, rank: u16) -> Candidate {
    let insert = padded(place, words.name, tail);
    let item = Completion {
        label: words.name.to_owned(),
        cursor: insert.len() - inside,
        insert,
        again: false,
        kind: CompletionKind::Operator,
        detail: words.symbol.unwrap_or_default().to_owned(),
        note: words.doc.to_owned(),
    };
    Candidate { item, rank, other_name: None }
}

/// Surrounds the word with spaces where they are missing, and appends `tail`.
fn padded(place: &Place<'_>, word: &str, tail: &str) -> String {
    let before = place.source.get(..place.span.start).and_then(|before| before.chars().next_back());
    let glued = before.is_some_and(|c| !c.is_whitespace() && !matches!(c, '(' | ',' | '!' | '&' | '|' | '^'));
    let blank = |wanted| if wanted { " " } else { "" };
    let follows = place.rest().starts_with(char::is_whitespace) && tail.is_empty();
    format!("{}{word}{}{tail}", blank(glued), blank(!follows))
}
