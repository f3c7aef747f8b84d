//! Explains one condition.

use super::field_names;
use crate::{
    Dataset, Field, FieldType, Number, Operator,
    ast::{Condition, Json, JsonKind, Node, NodeKind},
    lint::{is_always_present, zero_means_missing},
    time::to_unix_nanos,
};
use zonewright_expression::format_inline_text;

/// The text for a node that is not a condition.
pub(super) const INVALID_CONDITION: &str = "an invalid condition holds";
/// The text for a value that has a diagnostic.
const INVALID_VALUE: &str = "an invalid value";

/// The limits of long values in an explanation.
#[derive(Clone, Copy)]
pub(super) struct TextLimits {
    /// The maximum length of a list whose values are all shown.
    max_items: usize,
    /// The number of values that are shown of a longer list.
    first_items: usize,
    /// The maximum number of characters of a value.
    max_characters: usize,
}

impl TextLimits {
    /// The limits for sentences.
    pub(super) const FULL: TextLimits = TextLimits { max_items: 12, first_items: 6, max_characters: 300 };
    /// The limits for diagrams.
    pub(super) const SHORT: TextLimits = TextLimits { max_items: 3, first_items: 2, max_characters: 40 };
}

/// Explains a condition: `the bot score is below 30`.
pub(super) fn describe_condition(
    condition: &Condition,
    dataset: &Dataset,
    limits: TextLimits,
    non_empty_keys: &[&str],
) -> String {
    let field = condition.key.as_ref().and_then(|key| dataset.field(&key.text));
    let noun = match (field, &condition.key) {
        (Some(field), _) => field_names::field_phrase(field.name),
        (None, Some(key)) => format_inline_text(&key.text, limits.max_characters),
        (None, None) => return "an incomplete condition holds".to_owned(),
    };
    let (Some(name), Some(value)) = (&condition.operator, &condition.value) else {
        return format!("an incomplete condition on {noun} holds");
    };
    let explainer = Explainer { field, limits };
    let Some(operator) = Operator::from_name(&name.text) else {
        let operator = format_inline_text(&name.text, limits.max_characters);
        return format!("{noun} {operator} {}", explainer.format_value(value));
    };
    let phrase = match field.map(|field| field.ty) {
        Some(FieldType::Bool) => explainer.describe_bool(operator, value),
        Some(FieldType::Strings | FieldType::Ints) => explainer.describe_array(operator, value),
        Some(FieldType::Timestamp) => explainer.describe_timestamp(operator, value),
        _ => explainer.describe_scalar(operator, value),
    };
    let is_non_empty = field.is_some_and(|field| non_empty_keys.contains(&field.name));
    format!("{noun} {phrase}{}", if is_non_empty { "" } else { missing_value_note(field, operator, value) })
}

struct Explainer<'f> {
    field: Option<&'f Field>,
    limits: TextLimits,
}

impl Explainer<'_> {
    fn describe_scalar(&self, operator: Operator, value: &Json) -> String {
        let is_empty = matches!(&value.kind, JsonKind::String(text) if text.is_empty());
        match (operator, is_empty) {
            (Operator::Equal, true) => "is empty".to_owned(),
            (Operator::NotEqual, true) => "is not empty".to_owned(),
            _ => format!("{} {}", operator_verb(operator), self.format_value(value)),
        }
    }

    fn describe_bool(&self, operator: Operator, value: &Json) -> String {
        let flag = match &value.kind {
            JsonKind::Bool(flag) => Some(*flag),
            JsonKind::String(text) => text.parse().ok(),
            _ => None,
        };
        match (operator.without_negation(), flag) {
            (Operator::Equal, Some(flag)) => {
                format!("flag is {}set", if flag == operator.is_negated() { "not " } else { "" })
            }
            _ => format!("flag {} {}", operator_verb(operator), self.format_value(value)),
        }
    }

    fn describe_array(&self, operator: Operator, value: &Json) -> String {
        let is_plural = self.field.is_some_and(|field| field.name.ends_with('s'));
        let verb = match (operator, is_plural) {
            (Operator::Contains, true) => "include",
            (Operator::Contains, false) => "includes",
            (Operator::NotContains, true) => "do not include",
            (Operator::NotContains, false) => "does not include",
            _ => operator_verb(operator),
        };
        format!("{verb} {}", self.format_value(value))
    }

    fn describe_timestamp(&self, operator: Operator, value: &Json) -> String {
        let verb = match operator {
            Operator::Less => "is before",
            Operator::LessOrEqual => "is not after",
            Operator::Greater => "is after",
            Operator::GreaterOrEqual => "is not before",
            other => operator_verb(other),
        };
        format!("{verb} {}", self.format_value(value))
    }

    /// Formats a value. A long list is formatted as its first values and the number of the others.
    fn format_value(&self, value: &Json) -> String {
        let JsonKind::Array(items) = &value.kind else { return self.format_item(value) };
        let count = if items.len() > self.limits.max_items { self.limits.first_items } else { items.len() };
        let mut listed: Vec<String> = items.iter().take(count).map(|item| self.format_item(item)).collect();
        let unlisted = items.len() - count;
        match (listed.pop(), unlisted) {
            (None, _) => "nothing".to_owned(),
            (Some(last), 0) if listed.is_empty() => last,
            (Some(last), 0) => format!("{} or {last}", listed.join(", ")),
            (Some(last), _) => {
                listed.push(last);
                format!("{} or {unlisted} more", listed.join(", "))
            }
        }
    }

    fn format_item(&self, value: &Json) -> String {
        match &value.kind {
            JsonKind::String(text) | JsonKind::Number(text) if self.has_number_type() => self.format_number(text),
            JsonKind::String(text) => format_inline_text(text, self.limits.max_characters),
            JsonKind::Number(text) => self.format_number(text),
            JsonKind::Bool(flag) => flag.to_string(),
            JsonKind::Null => "null".to_owned(),
            JsonKind::Array(_) | JsonKind::Object(_) | JsonKind::Invalid => INVALID_VALUE.to_owned(),
        }
    }

    fn format_number(&self, text: &str) -> String {
        let read = Number::parse(text).filter(|_| text.len() <= self.limits.max_characters);
        let Some(number) = read else { return format_inline_text(text, self.limits.max_characters) };
        let is_time = self.field.is_some_and(|field| field.ty == FieldType::Timestamp);
        match Some(to_unix_nanos(number)).filter(|_| is_time).and_then(field_names::format_timestamp) {
            Some(time) => format!("{time} ({text})"),
            None => text.to_owned(),
        }
    }

    fn has_number_type(&self) -> bool {
        let ty = self.field.map(|field| field.ty);
        matches!(ty, Some(FieldType::Int | FieldType::Float | FieldType::Timestamp | FieldType::Ints))
    }
}

/// Returns the key of a condition that matches only lines in which the field is neither 0 nor empty.
pub(super) fn non_empty_key(node: &Node) -> Option<&str> {
    let NodeKind::Condition(condition) = &node.kind else { return None };
    let operator = Operator::from_name(&condition.operator.as_ref()?.text)?;
    let is_non_empty = match &condition.value.as_ref()?.kind {
        JsonKind::Array(items) => {
            operator == Operator::In && items.iter().all(|item| !is_zero(&item.kind))
                || operator == Operator::NotIn && items.iter().any(|item| is_zero(&item.kind))
        }
        value => match operator {
            Operator::Greater => is_zero(value) || is_above_zero(value),
            Operator::GreaterOrEqual => is_above_zero(value),
            Operator::NotEqual => is_zero(value),
            Operator::Equal | Operator::StartsWith | Operator::EndsWith | Operator::Contains => !is_zero(value),
            _ => false,
        },
    };
    condition.key.as_ref().map(|key| key.text.as_str()).filter(|_| is_non_empty)
}

fn parse_number(value: &JsonKind) -> Option<Number> {
    match value {
        JsonKind::String(text) | JsonKind::Number(text) => Number::parse(text),
        _ => None,
    }
}

fn is_zero(value: &JsonKind) -> bool {
    matches!(value, JsonKind::String(text) if text.is_empty()) || parse_number(value) == Some(Number::Integer(0))
}

fn is_above_zero(value: &JsonKind) -> bool {
    parse_number(value).is_some_and(|number| number > Number::Integer(0))
}

/// Returns a note that lines without a value match too. It is empty for conditions where that is obvious or wrong.
fn missing_value_note(field: Option<&Field>, operator: Operator, value: &Json) -> &'static str {
    let Some(field) = field else { return "" };
    let has_empty = match &value.kind {
        JsonKind::Array(items) => {
            items.iter().any(|item| matches!(&item.kind, JsonKind::String(text) if text.is_empty()))
        }
        JsonKind::String(text) => text.is_empty(),
        _ => false,
    };
    let is_bound = matches!(operator, Operator::Less | Operator::LessOrEqual);
    match field.ty {
        FieldType::String if operator.is_negated() && !has_empty && !is_always_present(field.name) => {
            " (including when it is empty)"
        }
        FieldType::Int if is_bound && zero_means_missing(field.name) && !matches_only_zero(operator, value) => {
            " (including when there is none)"
        }
        _ => "",
    }
}

/// Returns whether 0 is the only number from 0 up that matches.
fn matches_only_zero(operator: Operator, value: &Json) -> bool {
    let (JsonKind::String(text) | JsonKind::Number(text)) = &value.kind else { return false };
    let min = if operator == Operator::Less { 1 } else { 0 };
    Number::parse(text).is_some_and(|number| number <= Number::Integer(min))
}

fn operator_verb(operator: Operator) -> &'static str {
    match operator {
        Operator::Equal | Operator::In => "is",
        Operator::NotEqual | Operator::NotIn => "is not",
        Operator::Less => "is below",
        Operator::LessOrEqual => "is at most",
        Operator::Greater => "is above",
        Operator::GreaterOrEqual => "is at least",
        Operator::StartsWith => "starts with",
        Operator::NotStartsWith => "does not start with",
        Operator::EndsWith => "ends with",
        Operator::NotEndsWith => "does not end with",
        Operator::Contains => "contains",
        Operator::NotContains => "does not contain",
    }
}
