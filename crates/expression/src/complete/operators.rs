//! Completions of comparison and logical operators.

use super::{Candidate, Completion, CompletionContext, CompletionKind, values};
use crate::{
    Scalar, Type,
    ast::{ComparisonOperator as Op, LogicalOperator},
    cursor::{OpenDelimiterKind, OperandInfo},
    schema::{NOT, Operator},
};

/// The rank of `not`: after the common fields and before the functions.
const NOT_RANK: u16 = 59;

/// The operators of strings, most likely first.
const STRING_OPERATORS: &[Op] = &[
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
/// The operators of integers, most likely first.
const INTEGER_OPERATORS: &[Op] =
    &[Op::Equal, Op::In, Op::NotEqual, Op::Less, Op::LessOrEqual, Op::Greater, Op::GreaterOrEqual, Op::BitwiseAnd];
/// The operators of IP addresses. The order of addresses is not documented, so the ordering operators come last.
const IP_OPERATORS: &[Op] =
    &[Op::Equal, Op::In, Op::NotEqual, Op::Less, Op::LessOrEqual, Op::Greater, Op::GreaterOrEqual];

/// Returns the operators that may follow a value.
pub(super) fn complete_after_value(context: &CompletionContext<'_>, subject: OperandInfo) -> Vec<Candidate> {
    let Some(ty) = subject.ty.filter(|_| context.expects_condition()) else { return Vec::new() };
    // Inside a call, a comparison is valid only where an array of Booleans is accepted.
    let is_argument = matches!(context.cursor.innermost_delimiter(), Some(OpenDelimiterKind::Call(_)));
    if is_argument && !(context.expects_boolean_array() && subject.each) {
        return Vec::new();
    }
    if ty.is_compatible_with(Type::BOOLEAN) || ty.is_compatible_with(Type::BOOLEAN.array()) {
        return complete_after_condition(context);
    }
    let operators = match ty.scalar {
        _ if !ty.is_scalar() => return Vec::new(),
        Scalar::String | Scalar::Bytes => STRING_OPERATORS,
        Scalar::Integer => INTEGER_OPERATORS,
        Scalar::Ip => IP_OPERATORS,
        Scalar::Boolean => return Vec::new(),
    };
    let described = operators.iter().map(|operator| (*operator, operator.description()));
    (0..)
        .zip(described)
        .map(|(rank, (operator, description))| comparison_candidate(context, operator, description, subject, rank))
        .collect()
}

/// Returns the operators that may follow a complete condition.
pub(super) fn complete_after_condition(context: &CompletionContext<'_>) -> Vec<Candidate> {
    // Several conditions in one argument need parentheses.
    if !context.expects_condition() || matches!(context.cursor.innermost_delimiter(), Some(OpenDelimiterKind::Call(_)))
    {
        return Vec::new();
    }
    let binary = [LogicalOperator::And, LogicalOperator::Or, LogicalOperator::Xor].map(LogicalOperator::description);
    (0..).zip(binary).map(|(rank, operator)| operator_candidate(context, operator, "", 0, rank)).collect()
}

/// Returns the candidate for `not`.
pub(super) fn not_candidate(context: &CompletionContext<'_>) -> Candidate {
    operator_candidate(context, &NOT, "", 0, NOT_RANK)
}

/// Returns the candidate for a comparison operator, with the quotes or braces that its right side needs.
fn comparison_candidate(
    context: &CompletionContext<'_>,
    operator: Op,
    description: &Operator,
    subject: OperandInfo,
    rank: u16,
) -> Candidate {
    let is_text = subject.ty.is_some_and(Type::is_text);
    let has_known_values = subject.field.is_some_and(|field| !field.help().values.is_empty());
    let has_lists = operator == Op::In && subject.ty.is_some_and(|ty| values::has_lists(context, ty));
    let accepts_known_values = !matches!(operator, Op::Contains | Op::Matches | Op::Wildcard | Op::StrictWildcard);
    let tail = match operator {
        _ if !context.lacks_right_side() => "",
        Op::In if has_lists => "",
        Op::In if is_text => "{\"\"}",
        Op::In => "{}",
        Op::Contains | Op::Matches | Op::Wildcard | Op::StrictWildcard => "\"\"",
        // The known values are completed next, with their own quotes.
        _ if is_text && !has_known_values => "\"\"",
        _ => "",
    };
    let mut candidate = operator_candidate(context, description, tail, tail.len() / 2, rank);
    candidate.item.retrigger = context.lacks_right_side() && (has_lists || has_known_values && accepts_known_values);
    candidate
}

/// Returns the candidate for an operator followed by `tail`. The cursor is placed `cursor_offset` bytes before the end.
fn operator_candidate(
    context: &CompletionContext<'_>,
    description: &Operator,
    tail: &str,
    cursor_offset: usize,
    rank: u16,
) -> Candidate {
    let insert = pad_with_spaces(context, description.name, tail);
    let item = Completion {
        label: description.name.to_owned(),
        cursor: insert.len() - cursor_offset,
        insert,
        retrigger: false,
        kind: CompletionKind::Operator,
        detail: description.symbol.unwrap_or_default().to_owned(),
        note: description.doc.to_owned(),
    };
    Candidate { item, rank, alias: None }
}

/// Surrounds the word with spaces where they are missing, and appends `tail`.
fn pad_with_spaces(context: &CompletionContext<'_>, word: &str, tail: &str) -> String {
    let before = context.source.get(..context.span.start).and_then(|before| before.chars().next_back());
    let touches_operand = before.is_some_and(|c| !c.is_whitespace() && !matches!(c, '(' | ',' | '!' | '&' | '|' | '^'));
    let space = |is_needed| if is_needed { " " } else { "" };
    let has_space_after = context.text_after().starts_with(char::is_whitespace) && tail.is_empty();
    format!("{}{word}{}{tail}", space(touches_operand), space(!has_space_after))
}
