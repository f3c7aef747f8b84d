//! The rule being written; kept while other pages are looked at.

use leptos::prelude::*;
use zonewright_api::firewall::{Action, Filter, FilterReference, FirewallRule, NewFilter, NewRule, Product};

/// A rule that is there and changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Present {
    /// The rule as it was when the editing began.
    pub(crate) rule: FirewallRule,
}

/// The members of a rule as the form holds them.
#[derive(Clone, Copy)]
pub(crate) struct Draft {
    /// The rule that changes; none while a new one is written.
    pub(crate) present: RwSignal<Option<Present>>,
    /// Whether the rule takes a filter that exists instead of a new one.
    pub(crate) existing: RwSignal<bool>,
    /// The filter that exists; none while none is chosen.
    pub(crate) filter: RwSignal<Option<Filter>>,
    /// The new filter's expression.
    pub(crate) expression: RwSignal<String>,
    /// What happens to the requests.
    pub(crate) action: RwSignal<Action>,
    /// What `bypass` passes over.
    pub(crate) products: RwSignal<Vec<Product>>,
    /// Remark for people.
    pub(crate) description: RwSignal<String>,
    /// The number as typed; empty for none.
    pub(crate) priority: RwSignal<String>,
    /// Whether the rule is paused.
    pub(crate) paused: RwSignal<bool>,
}

impl Draft {
    /// An empty form.
    pub(crate) fn new() -> Self {
        Draft {
            present: RwSignal::new(None),
            existing: RwSignal::new(false),
            filter: RwSignal::new(None),
            expression: RwSignal::new(String::new()),
            action: RwSignal::new(Action::Block),
            products: RwSignal::new(Vec::new()),
            description: RwSignal::new(String::new()),
            priority: RwSignal::new(String::new()),
            paused: RwSignal::new(false),
        }
    }

    /// Empties the form.
    pub(crate) fn clear(self) {
        self.leave();
        self.expression.set(String::new());
    }

    /// Empties the form but for the expression of a new filter, which is still to be sent.
    pub(crate) fn leave(self) {
        self.present.set(None);
        self.existing.set(false);
        self.filter.set(None);
        self.action.set(Action::Block);
        self.products.set(Vec::new());
        self.description.set(String::new());
        self.priority.set(String::new());
        self.paused.set(false);
    }

    /// Takes a rule that is there, to change it.
    pub(crate) fn change(self, rule: FirewallRule) {
        self.present.set(Some(Present { rule: rule.clone() }));
        self.existing.set(true);
        self.filter.set(Some(rule.filter));
        self.action.set(rule.action);
        self.products.set(rule.products);
        self.description.set(rule.description.unwrap_or_default());
        self.priority.set(rule.priority.map(|number| number.to_string()).unwrap_or_default());
        self.paused.set(rule.paused);
    }

    /// Goes back to a new rule when one that is there was about to change.
    fn start_anew(self) {
        if self.present.read_untracked().is_some() {
            self.leave();
        }
    }

    /// Leaves a rule that is gone.
    pub(crate) fn forget(self, id: &str) {
        if self.present.read_untracked().as_ref().is_some_and(|present| present.rule.id == id) {
            self.leave();
        }
    }

    /// Leaves a filter that is gone.
    pub(crate) fn forget_filter(self, id: &str) {
        self.filter.update(|chosen| *chosen = chosen.take().filter(|chosen| chosen.id != id));
    }

    /// What is of one zone is none of another.
    pub(crate) fn leave_zone(self) {
        self.start_anew();
        self.filter.set(None);
    }

    /// Starts a new filter with this expression.
    pub(crate) fn start(self, expression: String) {
        self.start_anew();
        self.existing.set(false);
        self.expression.set(expression);
    }

    /// Takes a filter that exists.
    pub(crate) fn reuse(self, filter: Filter) {
        self.start_anew();
        self.existing.set(true);
        self.filter.set(Some(filter));
    }

    /// What is wrong with the priority, which alone cannot even be put into a request when it is.
    pub(crate) fn priority_error(self) -> Option<&'static str> {
        let text = self.priority.read();
        let text = text.trim();
        (!text.is_empty() && text.parse::<u32>().is_err())
            .then_some("The priority must be a whole number from 0 to 2147483647, or empty.")
    }

    /// The rule to send.
    pub(crate) fn rule(self) -> NewRule {
        let filter = if self.existing.get() {
            let id = self.filter.read().as_ref().map(|filter| filter.id.clone()).unwrap_or_default();
            FilterReference::Existing { id }
        } else {
            FilterReference::New(NewFilter { expression: self.expression.get(), ..NewFilter::default() })
        };
        let action = self.action.get();
        let description = self.description.get();
        NewRule {
            priority: self.priority.read().trim().parse().ok(),
            paused: self.paused.get(),
            description: (!description.is_empty()).then_some(description),
            // The form does not show the short name, and an update without it would take it away.
            reference: self.present.read().as_ref().and_then(|present| present.rule.reference.clone()),
            products: if action == Action::Bypass { self.products.get() } else { Vec::new() },
            ..NewRule::new(filter, action)
        }
    }
}
