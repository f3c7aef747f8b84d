//! Filters and sort order of in-memory lists: the query parameters that the lists of zones and of the previous APIs
//! share (observed).

use crate::request::{QueryParams, SortDirection};
use std::cmp::Ordering;
use zonewright_store::Page;

/// A condition on an item.
type Predicate<T> = Box<dyn Fn(&T) -> bool + Send + Sync>;
/// A comparison of two items.
type Comparator<T> = fn(&T, &T) -> Ordering;

/// The filters and the sort order of a list whose items are all in memory.
pub(crate) struct ListQuery<T> {
    /// Whether one condition is sufficient.
    match_any: bool,
    descending: bool,
    conditions: Vec<Predicate<T>>,
    order: Option<Comparator<T>>,
}

impl<T: 'static> ListQuery<T> {
    /// Reads `match`, `direction` and `order`. `orders` are the supported sort orders. Without `order` the list keeps
    /// its order (assumption legacy-lists).
    pub(crate) fn read(query: &mut QueryParams, orders: &[(&'static str, Comparator<T>)]) -> Self {
        let order = query.choice("order", orders);
        ListQuery {
            match_any: query.choice("match", &[("any", true), ("all", false)]).unwrap_or_default(),
            descending: query.choice("direction", &SortDirection::CHOICES) == Some(SortDirection::Descending),
            conditions: Vec::new(),
            order,
        }
    }

    /// Adds a condition.
    pub(crate) fn add_condition(&mut self, condition: impl Fn(&T) -> bool + Send + Sync + 'static) {
        self.conditions.push(Box::new(condition));
    }

    /// Selects items whose text equals the parameter `name`, if the parameter is present.
    pub(crate) fn filter_equal(&mut self, query: &mut QueryParams, name: &str, text: fn(&T) -> String) {
        let expected = query.text(name);
        if !expected.is_empty() {
            self.add_condition(move |item| text(item) == expected);
        }
    }

    /// Selects items whose text contains the parameter `name`, case-insensitively.
    pub(crate) fn filter_contains(&mut self, query: &mut QueryParams, name: &str, text: fn(&T) -> String) {
        let expected = query.text(name).to_lowercase();
        if !expected.is_empty() {
            self.add_condition(move |item| text(item).to_lowercase().contains(&expected));
        }
    }

    /// Selects items whose text matches the filter, if it is present.
    pub(crate) fn filter_text(&mut self, filter: Option<TextFilter>, text: fn(&T) -> &str) {
        if let Some(filter) = filter {
            self.add_condition(move |item| filter.matches(text(item)));
        }
    }

    /// Returns whether the list is neither filtered nor reordered.
    pub(crate) fn is_unfiltered(&self) -> bool {
        self.conditions.is_empty() && self.order.is_none() && !self.descending
    }

    /// Returns the selected items, sorted.
    pub(crate) fn apply(&self, mut items: Vec<T>) -> Vec<T> {
        items.retain(|item| {
            let mut conditions = self.conditions.iter();
            if self.match_any && !self.conditions.is_empty() {
                conditions.any(|condition| condition(item))
            } else {
                conditions.all(|condition| condition(item))
            }
        });
        if let Some(order) = self.order {
            // The sort is stable in both directions.
            items.sort_by(|left, right| if self.descending { order(right, left) } else { order(left, right) });
        } else if self.descending {
            items.reverse();
        }
        items
    }

    /// Returns a page of the selected items, and the number of all selected items.
    pub(crate) fn apply_page(&self, items: Vec<T>, page: Page) -> (Vec<T>, u64) {
        let selected = self.apply(items);
        let total = selected.len() as u64;
        (page.select(selected), total)
    }
}

/// An operator of a text filter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TextOperator {
    Equal,
    NotEqual,
    StartsWith,
    EndsWith,
    Contains,
}

impl TextOperator {
    /// Returns whether `text` matches `expected`.
    fn matches(self, text: &str, expected: &str) -> bool {
        match self {
            TextOperator::Equal => text == expected,
            TextOperator::NotEqual => text != expected,
            TextOperator::StartsWith => text.starts_with(expected),
            TextOperator::EndsWith => text.ends_with(expected),
            TextOperator::Contains => text.contains(expected),
        }
    }
}

/// A filter of a text parameter, such as `contains:shop` (documented).
pub(crate) struct TextFilter {
    operator: TextOperator,
    case_sensitive: bool,
    text: String,
}

/// The operators before the colon. The last three also exist with the suffix `_case_sensitive`.
const OPERATORS: [(&str, TextOperator); 5] = [
    ("equal", TextOperator::Equal),
    ("not_equal", TextOperator::NotEqual),
    ("starts_with", TextOperator::StartsWith),
    ("ends_with", TextOperator::EndsWith),
    ("contains", TextOperator::Contains),
];

impl TextFilter {
    /// Reads the parameter, if it is present: an operator, a colon and a text, or only a text for equality. Operators
    /// are case-insensitive unless their name ends with `_case_sensitive`.
    pub(crate) fn read(query: &mut QueryParams, name: &str) -> Option<TextFilter> {
        let value = Some(query.text(name)).filter(|text| !text.is_empty())?;
        let is_word = |word: &str| word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        let (operator_text, text) =
            value.split_once(':').filter(|(word, _)| is_word(word)).unwrap_or(("equal", &value));
        let (operator_name, case_sensitive) = match operator_text.strip_suffix("_case_sensitive") {
            Some(plain) if !plain.ends_with("equal") => (plain, true),
            _ => (operator_text, false),
        };
        let Some((_, operator)) = OPERATORS.iter().find(|(name, _)| *name == operator_name) else {
            query.add_error(format!(
                "`{name}` has no operator `{operator_text}`; expected equal, not_equal, starts_with, ends_with or contains; \
                 the last three can end with `_case_sensitive`"
            ));
            return None;
        };
        if text.is_empty() {
            query.add_error(format!("`{name}` has no text after `{operator_text}:`"));
            return None;
        }
        let text = if case_sensitive { text.to_owned() } else { text.to_lowercase() };
        Some(TextFilter { operator: *operator, case_sensitive, text })
    }

    /// Returns the text in lowercase if the operator is equality.
    pub(crate) fn exact_value(&self) -> Option<&str> {
        (self.operator == TextOperator::Equal).then_some(self.text.as_str())
    }

    fn matches(&self, text: &str) -> bool {
        if self.case_sensitive {
            self.operator.matches(text, &self.text)
        } else {
            self.operator.matches(&text.to_lowercase(), &self.text)
        }
    }
}
