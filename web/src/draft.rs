//! The rule being written; kept while other pages are looked at.

use leptos::prelude::*;
use zonewright_api::firewall::{Action, Filter, FilterReference, NewFilter, NewRule, Product};

/// The members of a new rule as the form holds them.
#[derive(Clone, Copy)]
pub(crate) struct Draft {
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
    /// Whether the rule starts paused.
    pub(crate) paused: RwSignal<bool>,
}

impl Draft {
    /// An empty form.
    pub(crate) fn new() -> Self {
        Draft {
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
        self.start(String::new());
        self.filter.set(None);
        self.action.set(Action::Block);
        self.products.set(Vec::new());
        self.description.set(String::new());
        self.priority.set(String::new());
        self.paused.set(false);
    }

    /// Starts a new filter with this expression.
    pub(crate) fn start(self, expression: String) {
        self.existing.set(false);
        self.expression.set(expression);
    }

    /// Takes a filter that exists.
    pub(crate) fn reuse(self, filter: Filter) {
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
            products: if action == Action::Bypass { self.products.get() } else { Vec::new() },
            ..NewRule::new(filter, action)
        }
    }
}
