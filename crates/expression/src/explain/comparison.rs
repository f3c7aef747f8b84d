//! Wording of comparisons.

use super::{
    display::format_timestamp,
    explainer::Explainer,
    noun_phrase::{ElementReference, NounPhrase},
    syntax::{is_byte_value, is_empty_string, may_be_missing, string_value},
};
use crate::{
    Scalar, Type,
    ast::{Comparison, ComparisonOperator, Expr, ExprKind, Literal, LiteralKind},
    number::{self, AddressItem},
    schema::{self, ValueForm},
};

/// The predicate of a comparison, affirmative and negated.
struct Predicate {
    yes: String,
    no: String,
}

impl Predicate {
    fn new(yes: impl Into<String>, no: impl Into<String>) -> Self {
        Predicate { yes: yes.into(), no: no.into() }
    }
}

/// The wording of an ordering for each kind of value, affirmative and negated.
struct OrderPhrases {
    /// Used for addresses too, although addresses of different families are not ordered.
    numbers: [&'static str; 2],
    texts: [&'static str; 2],
    times: [&'static str; 2],
}

const BELOW: OrderPhrases = OrderPhrases {
    numbers: ["is less than", "is at least"],
    texts: ["sorts before", "does not sort before"],
    times: ["is before", "is at or after"],
};
const ABOVE: OrderPhrases = OrderPhrases {
    numbers: ["is greater than", "is at most"],
    texts: ["sorts after", "does not sort after"],
    times: ["is after", "is at or before"],
};

impl Explainer<'_> {
    /// Explains a comparison or its negation.
    pub(super) fn explain_comparison(
        &self,
        comparison: &Comparison,
        reference: ElementReference,
        negated: bool,
    ) -> String {
        let mut left = self.explain_operand(&comparison.left, reference);
        if left.maps_each && reference == ElementReference::Whole {
            left = self.explain_operand(&comparison.left, ElementReference::Single);
        }
        let Predicate { yes, no } = self.phrase_predicate(comparison, &left);
        let not_equal = comparison.operator == ComparisonOperator::NotEqual;
        let phrase = if negated == not_equal { yes } else { no };
        // Every comparison with a missing value is false, even `ne`, so its negation is true.
        let [left_missing, right_missing] = [&comparison.left, &comparison.right]
            .map(|side| reference == ElementReference::Whole && may_be_missing(side));
        let left = left.text();
        match (negated, not_equal) {
            (true, _) if right_missing => format!("{left} {phrase}, or one of them is missing"),
            (false, true) if right_missing => format!("{left} {phrase}, and neither is missing"),
            (true, _) if left_missing => format!("{left} is missing or {phrase}"),
            (false, true) if left_missing => format!("{left} is present and {phrase}"),
            _ => format!("{left} {phrase}"),
        }
    }

    /// Returns the predicate; `ne` has the same predicate as `eq`.
    fn phrase_predicate(&self, comparison: &Comparison, left: &NounPhrase) -> Predicate {
        use ComparisonOperator as Op;
        let right = &comparison.right;
        // The right operand is explained only once, because it may contain other comparisons.
        let text = self.explain_right(comparison);
        match comparison.operator {
            Op::Equal | Op::NotEqual => phrase_equality(right, &text),
            Op::Less => phrase_order(comparison, left, &text, BELOW, true),
            Op::GreaterOrEqual => phrase_order(comparison, left, &text, BELOW, false),
            Op::Greater => phrase_order(comparison, left, &text, ABOVE, true),
            Op::LessOrEqual => phrase_order(comparison, left, &text, ABOVE, false),
            Op::Contains => Predicate::new(format!("contains {}", text), format!("does not contain {}", text)),
            Op::Matches => self.phrase_pattern_match(right, &text, "regular expression", ""),
            Op::Wildcard => self.phrase_pattern_match(right, &text, "wildcard pattern", " (case-insensitive)"),
            Op::StrictWildcard => self.phrase_pattern_match(right, &text, "wildcard pattern", " (case-sensitive)"),
            Op::In => self.phrase_membership(left, right, &text),
            Op::BitwiseAnd if is_single_bit(right) => {
                Predicate::new(format!("has the bit {} set", text), format!("does not have the bit {} set", text))
            }
            Op::BitwiseAnd => Predicate::new(
                format!("has at least one of the bits {} set", text),
                format!("has none of the bits {} set", text),
            ),
        }
    }

    /// Explains the right operand. A timestamp is followed by its date.
    fn explain_right(&self, comparison: &Comparison) -> String {
        let text = self.explain_operand(&comparison.right, ElementReference::Whole).text();
        let ExprKind::Literal(literal) = &comparison.right.kind else { return text };
        match number::parse_integer(word(literal)).ok().and_then(format_timestamp) {
            Some(moment) if is_time(&comparison.left) => format!("{text} ({moment})"),
            _ => text,
        }
    }

    fn phrase_pattern_match(&self, right: &Expr, text: &str, kind: &str, case: &str) -> Predicate {
        let pattern = match string_value(Some(right)) {
            Some([]) => format!("the empty {kind}{case}"),
            Some(pattern) => format!("the {kind} {}{case}", self.limits.format_code(pattern)),
            None => format!("the {kind} {text}{case}"),
        };
        Predicate::new(format!("matches {pattern}"), format!("does not match {pattern}"))
    }

    /// Returns the predicate of a value that is looked up in a set or list.
    fn phrase_membership(&self, left: &NounPhrase, right: &Expr, text: &str) -> Predicate {
        let items = match &right.kind {
            ExprKind::Set(items) => items.as_slice(),
            ExprKind::List(list) => {
                let kind = if list.name.starts_with("cf.") { "managed list" } else { "list" };
                let list = format!("the {kind} {}", self.limits.format_source(&list.name));
                return Predicate::new(format!("is in {list}"), format!("is not in {list}"));
            }
            _ => return Predicate::new(format!("is in {text}"), format!("is not in {text}")),
        };
        let is_address = left.ty.is_some_and(|ty| ty.scalar == Scalar::Ip);
        let item = |item: &Literal| match number::parse_address_item(word(item)) {
            // Expands a short address with its omitted zeros.
            Ok(AddressItem::Single(address)) if is_address && number::is_short_address(word(item)) => {
                format!("`{address}`")
            }
            _ => self.limits.format_literal(item),
        };
        let list = |conjunction| self.limits.format_list(items, conjunction, item);
        match items {
            [] => Predicate::new("is in the empty set (never true)", "is not in the empty set (always true)"),
            [only] if is_range(only) => {
                Predicate::new(format!("is in the range {}", list("or")), format!("is not in the range {}", list("or")))
            }
            _ if items.iter().any(is_network) => {
                Predicate::new(format!("is in {}", list("or")), format!("is not in {}", list("or")))
            }
            [_] => Predicate::new(format!("is {}", list("or")), format!("is not {}", list("or"))),
            [_, _] => Predicate::new(format!("is {}", list("or")), format!("is neither {}", list("nor"))),
            _ => Predicate::new(format!("is one of {}", list("or")), format!("is none of {}", list("and"))),
        }
    }
}

fn phrase_equality(right: &Expr, text: &str) -> Predicate {
    match &right.kind {
        _ if is_empty_string(Some(right)) => Predicate::new("is empty", "is not empty"),
        ExprKind::Value(value) if !is_byte_value(value) => {
            Predicate::new(format!("is the same as {text}"), format!("differs from {text}"))
        }
        _ => Predicate::new(format!("is {text}"), format!("is not {text}")),
    }
}

/// Returns the predicate of a strict ordering, or of its negation if `strict` is false.
fn phrase_order(
    comparison: &Comparison,
    left: &NounPhrase,
    text: &str,
    phrases: OrderPhrases,
    strict: bool,
) -> Predicate {
    let right = &comparison.right.kind;
    let is_string = matches!(right, ExprKind::Literal(literal) if !matches!(literal.kind, LiteralKind::Unquoted(_)));
    let [yes, no] = if is_time(&comparison.left) {
        phrases.times
    } else if is_string || left.ty.is_some_and(Type::is_text) {
        phrases.texts
    } else {
        phrases.numbers
    };
    let phrase = if strict { yes } else { no };
    if left.ty.is_some_and(|ty| ty.is_compatible_with(Type::IP)) {
        return Predicate::new(format!("{phrase} {text}"), format!("{} {text}", phrase.replacen("is", "is not", 1)));
    }
    let opposite = if strict { no } else { yes };
    Predicate::new(format!("{phrase} {text}"), format!("{opposite} {text}"))
}

/// Returns whether the value is a Unix time in seconds.
fn is_time(expr: &Expr) -> bool {
    let ExprKind::Value(value) = &expr.kind else { return false };
    schema::field(&value.name.text).is_some_and(|field| field.form == ValueForm::UnixTime)
}

fn word(literal: &Literal) -> &str {
    match &literal.kind {
        LiteralKind::Unquoted(word) => word,
        _ => "",
    }
}

fn is_range(literal: &Literal) -> bool {
    word(literal).contains("..")
}

/// Returns whether a set item is a network of addresses.
fn is_network(literal: &Literal) -> bool {
    word(literal).contains('/')
}

fn is_single_bit(expr: &Expr) -> bool {
    let ExprKind::Literal(literal) = &expr.kind else { return false };
    number::parse_integer(word(literal)).is_ok_and(|integer| integer.count_ones() == 1)
}
