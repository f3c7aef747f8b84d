//! Which items of a list are asked for, in which order: the parameters that the lists of the previous
//! interfaces share (observed).

use crate::request::{Page, Parameters};
use std::cmp::Ordering;

/// Whether an item is wanted.
type Condition<T> = Box<dyn Fn(&T) -> bool + Send + Sync>;
/// Which of two items comes first.
type Order<T> = fn(&T, &T) -> Ordering;

/// What is asked for of a list whose items are all at hand.
pub(crate) struct Listing<T> {
    /// Whether one condition is enough.
    any: bool,
    descending: bool,
    conditions: Vec<Condition<T>>,
    order: Option<Order<T>>,
}

impl<T: 'static> Listing<T> {
    /// Reads `match`, `direction` and `order`. `orders` are what the list can be ordered by; without `order`
    /// it keeps its own order (assumption legacy-lists).
    pub(crate) fn read(query: &mut Parameters, orders: &[(&'static str, Order<T>)]) -> Self {
        let names: Vec<&'static str> = orders.iter().map(|(name, _)| *name).collect();
        let chosen = query.choice("order", &names);
        Listing {
            any: query.choice("match", &["any", "all"]) == Some("any"),
            descending: query.choice("direction", &["asc", "desc"]) == Some("desc"),
            conditions: Vec::new(),
            order: orders.iter().find(|(name, _)| Some(*name) == chosen).map(|(_, order)| *order),
        }
    }

    /// Wants items for which this is true.
    pub(crate) fn filter(&mut self, condition: impl Fn(&T) -> bool + Send + Sync + 'static) {
        self.conditions.push(Box::new(condition));
    }

    /// Wants items with exactly the text that the parameter `name` has, when it has one.
    pub(crate) fn exactly(&mut self, query: &mut Parameters, name: &str, text: fn(&T) -> String) {
        let wanted = query.text(name);
        if !wanted.is_empty() {
            self.filter(move |item| text(item) == wanted);
        }
    }

    /// Wants items with the parameter's text anywhere in theirs, in any letter case.
    pub(crate) fn containing(&mut self, query: &mut Parameters, name: &str, text: fn(&T) -> String) {
        let wanted = query.text(name).to_lowercase();
        if !wanted.is_empty() {
            self.filter(move |item| text(item).to_lowercase().contains(&wanted));
        }
    }

    /// The items that are wanted, in order.
    pub(crate) fn of(&self, mut items: Vec<T>) -> Vec<T> {
        items.retain(|item| {
            let mut answers = self.conditions.iter().map(|condition| condition(item));
            if self.any && !self.conditions.is_empty() {
                answers.any(|answer| answer)
            } else {
                answers.all(|answer| answer)
            }
        });
        if let Some(order) = self.order {
            // Sorting keeps the order of what is equal, in both directions.
            items.sort_by(|left, right| if self.descending { order(right, left) } else { order(left, right) });
        } else if self.descending {
            items.reverse();
        }
        items
    }

    /// A page of the wanted items, and how many there are.
    pub(crate) fn page_of(&self, items: Vec<T>, page: Page) -> (Vec<T>, u64) {
        let wanted = self.of(items);
        let total = wanted.len() as u64;
        (page.of(wanted), total)
    }
}
