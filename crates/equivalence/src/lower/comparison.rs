//! Lowers the comparison of a value with a literal.
//!
//! Start with [`lower_literal_comparison`]. It returns `None` for an operator without a model; the caller then adds an
//! uninterpreted atom.

use super::{measured_text, strip_case_calls};
use crate::arena::{Arena, NodeId, Predicate, TermId};
use crate::language::{CaseFold, Language, StringPattern};
use crate::ranges::{Point, RangeSet};
use zonewright_expression::ast::ComparisonOperator as Operator;
use zonewright_expression::resolved::{Comparison, Literal, Operand, RightOperand};

/// Lowers a comparison with a literal to a predicate on the term of its left operand.
pub(super) fn lower_literal_comparison(arena: &mut Arena, term: TermId, comparison: &Comparison) -> Option<NodeId> {
    let Comparison { left, operator, right, .. } = comparison;
    let (fold, _) = strip_case_calls(left);
    let language = |arena: &mut Arena, pattern| Some(arena.language_node(term, Language::new(pattern, fold)));
    match right {
        RightOperand::Literal(Literal::Text(text)) => lower_text_comparison(arena, term, fold, *operator, text),
        RightOperand::Literal(Literal::Integer(bits)) if *operator == Operator::BitwiseAnd => match bits {
            0 => Some(Arena::FALSE),
            _ if measured_text(left).is_some() => {
                let pattern = StringPattern::LengthBits(bits.cast_unsigned());
                Some(arena.language_node(term, Language::new(pattern, CaseFold::None)))
            }
            _ => Some(arena.intern_atom(term, Predicate::Bits(*bits))),
        },
        RightOperand::Literal(Literal::Integer(value)) => {
            let ranges = matching_ranges(*operator, Point::integer(*value), &RangeSet::all_integers())?;
            Some(lower_number_set(arena, term, left, ranges))
        }
        RightOperand::Literal(Literal::Ip(address)) => {
            let ranges = matching_ranges(*operator, Point::ip(*address), &RangeSet::all_addresses())?;
            Some(arena.ranges_node(term, ranges))
        }
        RightOperand::Regex(pattern) => language(arena, StringPattern::Regex(pattern.clone())),
        RightOperand::Wildcard(pattern) => {
            let strict = *operator == Operator::StrictWildcard;
            Some(arena.language_node(term, Language::from_wildcard(pattern, strict, fold)))
        }
        RightOperand::Texts(items) => {
            language(arena, StringPattern::OneOf(items.iter().map(|item| item.value.clone()).collect()))
        }
        RightOperand::Integers(items) => {
            let points = |(first, last)| (Point::integer(first), Point::integer(last));
            let ranges = RangeSet::new(items.iter().map(|item| points(item.value)).collect());
            Some(lower_number_set(arena, term, left, ranges))
        }
        RightOperand::Addresses(items) => {
            let points = |(first, last)| (Point::ip(first), Point::ip(last));
            Some(arena.ranges_node(term, RangeSet::new(items.iter().map(|item| points(item.value)).collect())))
        }
        RightOperand::Value(_) | RightOperand::List(_) | RightOperand::Invalid => None,
    }
}

/// Lowers a set of numbers. It constrains the length of the term if the left operand is a length, otherwise the term.
fn lower_number_set(arena: &mut Arena, term: TermId, left: &Operand, ranges: RangeSet) -> NodeId {
    match measured_text(left) {
        Some(_) => arena.language_node(term, Language::new(StringPattern::Length(ranges), CaseFold::None)),
        None => arena.ranges_node(term, ranges),
    }
}

fn matching_ranges(operator: Operator, point: Point, domain: &RangeSet) -> Option<RangeSet> {
    let single = RangeSet::single(point);
    Some(match operator {
        Operator::Equal => single,
        Operator::NotEqual => domain.difference(&single),
        Operator::Less => RangeSet::below(point),
        Operator::LessOrEqual => RangeSet::below(point).union(&single),
        Operator::Greater => RangeSet::above(point),
        Operator::GreaterOrEqual => RangeSet::above(point).union(&single),
        _ => return None,
    })
}

fn lower_text_comparison(
    arena: &mut Arena,
    term: TermId,
    fold: CaseFold,
    operator: Operator,
    text: &[u8],
) -> Option<NodeId> {
    let equal = StringPattern::OneOf([text.to_vec()].into());
    let below = StringPattern::Below(text.to_vec());
    // No text sorts between a text and the same text with a zero byte appended.
    let up_to = StringPattern::Below([text, &[0]].concat());
    let (pattern, is_positive) = match operator {
        Operator::Equal => (equal, true),
        Operator::NotEqual => (equal, false),
        Operator::Less => (below, true),
        Operator::GreaterOrEqual => (below, false),
        Operator::LessOrEqual => (up_to, true),
        Operator::Greater => (up_to, false),
        Operator::Contains => (StringPattern::Contains(text.to_vec()), true),
        _ => return None,
    };
    let matches = arena.language_node(term, Language::new(pattern, fold));
    if is_positive {
        return Some(matches);
    }
    let present = arena.present_node(term);
    let does_not_match = arena.not(matches);
    Some(arena.and(vec![present, does_not_match]))
}
