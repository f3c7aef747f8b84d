//! Comparisons of values that are present.

use regex_automata::{Input, nfa::thompson, nfa::thompson::pikevm::PikeVM, util::syntax};
use std::cmp::Ordering;
use zonewright_expression::ast::ComparisonOperator as Op;
use zonewright_expression::resolved::RightOperand;
use zonewright_expression::{ListItem, MissingPolicy, Record, Value};

/// Compares two values of one type.
pub(super) fn compare_values(operator: Op, left: &Value, right: &Value) -> bool {
    match (operator, left, right) {
        (Op::Contains, Value::Text(left), Value::Text(right)) => contains(left, right),
        (Op::BitwiseAnd, Value::Integer(left), Value::Integer(right)) => left & right != 0,
        _ => {
            let order = order(left, right);
            match operator {
                Op::Equal => order == Some(Ordering::Equal),
                Op::NotEqual => order != Some(Ordering::Equal),
                Op::Less => order == Some(Ordering::Less),
                Op::LessOrEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
                Op::Greater => order == Some(Ordering::Greater),
                Op::GreaterOrEqual => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
                other => panic!("{other:?} compares no values"),
            }
        }
    }
}

/// The order of two values. Addresses of different families have none; only `ne` is true for them.
fn order(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::Text(left), Value::Text(right)) => Some(left.as_slice().cmp(right.as_slice())),
        (Value::Integer(left), Value::Integer(right)) => Some(left.cmp(right)),
        (Value::Ip(left), Value::Ip(right)) if left.is_ipv4() == right.is_ipv4() => Some(left.cmp(right)),
        _ => None,
    }
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    (0..=text.len()).any(|start| text[start..].starts_with(part))
}

/// Compares with the kinds of values that only the right side can have.
pub(super) fn matches_pattern_or_set(operator: Op, left: &Value, right: &RightOperand) -> bool {
    match (left, right) {
        (Value::Text(left), RightOperand::Regex(pattern)) => first_match(pattern, left).is_some(),
        (Value::Text(left), RightOperand::Wildcard(pattern)) => {
            match_wildcard(pattern, left, operator == Op::StrictWildcard).is_some()
        }
        (Value::Text(left), RightOperand::Texts(items)) => items.iter().any(|item| item.value == *left),
        (Value::Integer(left), RightOperand::Integers(items)) => {
            items.iter().any(|item| item.value.0 <= *left && *left <= item.value.1)
        }
        (Value::Ip(_), RightOperand::Addresses(items)) => items.iter().any(|item| {
            let (first, last) = (Value::Ip(item.value.0), Value::Ip(item.value.1));
            compare_values(Op::GreaterOrEqual, left, &first) && compare_values(Op::LessOrEqual, left, &last)
        }),
        _ => panic!("{left:?} is never compared with {right:?}"),
    }
}

/// Whether a named list contains the value; unknown when the record lacks the list and does not treat missing data as
/// absent.
pub(super) fn is_in_list(left: &Value, name: &str, record: &Record) -> Option<bool> {
    let Some(items) = record.list(name) else {
        return (record.missing_policy() == MissingPolicy::Absent).then_some(false);
    };
    Some(items.iter().any(|item| match (item, left) {
        (ListItem::Addresses(first, last), Value::Ip(_)) => {
            compare_values(Op::GreaterOrEqual, left, &Value::Ip(*first))
                && compare_values(Op::LessOrEqual, left, &Value::Ip(*last))
        }
        (ListItem::Asn(number), Value::Integer(left)) => number == left,
        (ListItem::Hostname(name), Value::Text(left)) => match name.strip_prefix(b"*") {
            Some(ending) if ending.starts_with(b".") => {
                left.len() > ending.len() && left.to_ascii_lowercase().ends_with(&ending.to_ascii_lowercase())
            }
            _ => name.eq_ignore_ascii_case(left),
        },
        _ => false,
    }))
}

/// Ranges of the first match and of its groups.
pub(super) fn first_match(pattern: &str, text: &[u8]) -> Option<Vec<Option<std::ops::Range<usize>>>> {
    let machine = PikeVM::builder()
        .syntax(syntax::Config::new().unicode(false).utf8(false))
        .thompson(thompson::Config::new().utf8(false))
        .build(pattern)
        .unwrap();
    let (mut cache, mut captures) = (machine.create_cache(), machine.create_captures());
    machine.captures(&mut cache, Input::new(text), &mut captures);
    captures.is_match().then(|| captures.iter().map(|group| group.map(|span| span.range())).collect())
}

/// One segment of a wildcard pattern.
enum PatternSegment {
    Byte(u8),
    Star,
}

/// The text that each star of a wildcard pattern matches, the first stars as short as possible.
pub(super) fn match_wildcard(pattern: &[u8], text: &[u8], strict: bool) -> Option<Vec<Vec<u8>>> {
    let fold = |byte: u8| if strict { byte } else { byte.to_ascii_lowercase() };
    let mut segments = Vec::new();
    let mut escaped = false;
    for byte in pattern {
        match byte {
            b'\\' if !escaped => escaped = true,
            b'*' if !escaped => segments.push(PatternSegment::Star),
            _ => {
                segments.push(PatternSegment::Byte(fold(*byte)));
                escaped = false;
            }
        }
    }
    let folded: Vec<u8> = text.iter().copied().map(fold).collect();
    try_segments(&segments, &folded, text)
}

/// Tries every length of every star. The text is passed in folded and in original form.
fn try_segments(segments: &[PatternSegment], folded: &[u8], text: &[u8]) -> Option<Vec<Vec<u8>>> {
    match segments {
        [] => text.is_empty().then(Vec::new),
        [PatternSegment::Byte(byte), rest @ ..] => {
            if folded.first() != Some(byte) {
                return None;
            }
            try_segments(rest, &folded[1..], &text[1..])
        }
        [PatternSegment::Star, rest @ ..] => (0..=text.len()).find_map(|length| {
            let after = try_segments(rest, &folded[length..], &text[length..])?;
            Some([vec![text[..length].to_vec()], after].concat())
        }),
    }
}
