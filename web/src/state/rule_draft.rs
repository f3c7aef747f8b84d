//! The firewall rule being created or edited.

use crate::state::on_demand::get_or_provide;
use crate::state::service::ServiceContext;
use crate::storage::{self, Item, Workspace};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use zonewright_api::firewall::{Action, Filter, FilterReference, FirewallRule, NewFilter, NewRule, Product};

/// The rule form: one signal for each member.
#[derive(Clone, Copy)]
pub(crate) struct RuleDraft {
    /// The edited rule as it was when editing began; `None` for a new rule.
    pub(crate) original: RwSignal<Option<FirewallRule>>,
    /// Whether the rule uses an existing filter instead of a new one.
    pub(crate) uses_existing_filter: RwSignal<bool>,
    /// The selected existing filter.
    pub(crate) filter: RwSignal<Option<Filter>>,
    /// The expression of the new filter.
    pub(crate) expression: RwSignal<String>,
    /// The action.
    pub(crate) action: RwSignal<Action>,
    /// The products that `bypass` skips.
    pub(crate) products: RwSignal<Vec<Product>>,
    /// The description; empty for none.
    pub(crate) description: RwSignal<String>,
    /// The priority as typed; empty for none.
    pub(crate) priority: RwSignal<String>,
    /// Whether the rule is paused.
    pub(crate) paused: RwSignal<bool>,
}

/// The stored form of the draft. It contains no secrets.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct StoredRule {
    /// The key of the zone that the edited rule and the selected filter belong to; empty without them.
    zone: String,
    original: Option<FirewallRule>,
    uses_existing_filter: bool,
    filter: Option<Filter>,
    expression: String,
    /// The action; `None` for the initial one.
    action: Option<Action>,
    products: Vec<Product>,
    description: String,
    priority: String,
    paused: bool,
}

impl RuleDraft {
    /// Provides the form of the last visit, and stores every change of it. Selecting another zone discards an edit of
    /// an existing rule, and the selected filter.
    fn provide(service: ServiceContext) -> Self {
        let draft = RuleDraft {
            original: RwSignal::new(None),
            uses_existing_filter: RwSignal::new(false),
            filter: RwSignal::new(None),
            expression: RwSignal::new(String::new()),
            action: RwSignal::new(Action::Block),
            products: RwSignal::new(Vec::new()),
            description: RwSignal::new(String::new()),
            priority: RwSignal::new(String::new()),
            paused: RwSignal::new(false),
        };
        if let Some(stored) = storage::restore_json(Item::Rule) {
            draft.restore(stored, &untrack(move || service.zone_key()));
        }
        service.on_zone_change(move || {
            draft.stop_editing();
            draft.filter.set(None);
        });
        Workspace::get().persist(Item::Rule, move || storage::to_json(&draft.to_stored(service.zone_key())));
        provide_context(draft);
        draft
    }

    /// Restores the input. Objects of a zone that is no longer selected are discarded, as when the user selects another
    /// zone.
    fn restore(self, stored: StoredRule, zone: &str) {
        let is_same_zone = stored.zone == zone;
        self.expression.set(stored.expression);
        if stored.original.is_some() && !is_same_zone {
            return;
        }
        self.original.set(stored.original);
        self.uses_existing_filter.set(stored.uses_existing_filter);
        self.filter.set(stored.filter.filter(|_| is_same_zone));
        self.action.set(stored.action.unwrap_or(Action::Block));
        self.products.set(stored.products);
        self.description.set(stored.description);
        self.priority.set(stored.priority);
        self.paused.set(stored.paused);
    }

    fn to_stored(self, zone: String) -> StoredRule {
        let (original, filter) = (self.original.get(), self.filter.get());
        StoredRule {
            // Without objects of a zone, another zone is not a change of the draft.
            zone: if original.is_some() || filter.is_some() { zone } else { String::new() },
            original,
            uses_existing_filter: self.uses_existing_filter.get(),
            filter,
            expression: self.expression.get(),
            action: Some(self.action.get()),
            products: self.products.get(),
            description: self.description.get(),
            priority: self.priority.get(),
            paused: self.paused.get(),
        }
    }

    /// Returns the draft of the app.
    pub(crate) fn get() -> Self {
        get_or_provide(|| RuleDraft::provide(ServiceContext::get()))
    }

    /// Clears the form.
    pub(crate) fn clear(self) {
        self.reset_except_expression();
        self.expression.set(String::new());
    }

    /// Clears the form except for the expression of a new filter, which the user may still submit.
    pub(crate) fn reset_except_expression(self) {
        self.original.set(None);
        self.uses_existing_filter.set(false);
        self.filter.set(None);
        self.action.set(Action::Block);
        self.products.set(Vec::new());
        self.description.set(String::new());
        self.priority.set(String::new());
        self.paused.set(false);
    }

    /// Edits an existing rule.
    pub(crate) fn edit(self, rule: FirewallRule) {
        self.original.set(Some(rule.clone()));
        self.uses_existing_filter.set(true);
        self.filter.set(Some(rule.filter));
        self.action.set(rule.action);
        self.products.set(rule.products);
        self.description.set(rule.description.unwrap_or_default());
        self.priority.set(rule.priority.map(|number| number.to_string()).unwrap_or_default());
        self.paused.set(rule.paused);
    }

    /// Discards the edit of an existing rule.
    fn stop_editing(self) {
        if self.original.read_untracked().is_some() {
            self.reset_except_expression();
        }
    }

    /// Stops editing a rule that was deleted.
    pub(crate) fn remove_rule(self, id: &str) {
        if self.original.read_untracked().as_ref().is_some_and(|rule| rule.id == id) {
            self.reset_except_expression();
        }
    }

    /// Deselects a filter that was deleted.
    pub(crate) fn remove_filter(self, id: &str) {
        self.filter.update(|selected| *selected = selected.take().filter(|selected| selected.id != id));
    }

    /// Starts a rule with a new filter that has this expression. An edit of an existing rule is discarded.
    pub(crate) fn start_with_new_filter(self, expression: String) {
        self.stop_editing();
        self.uses_existing_filter.set(false);
        self.expression.set(expression);
    }

    /// Starts a rule with an existing filter. An edit of an existing rule is discarded.
    pub(crate) fn start_with_existing_filter(self, filter: Filter) {
        self.stop_editing();
        self.uses_existing_filter.set(true);
        self.filter.set(Some(filter));
    }

    /// Returns the error of the priority. Only the form validates it, because a request cannot represent a text that is
    /// not a number.
    pub(crate) fn priority_error(self) -> Option<&'static str> {
        let text = self.priority.read();
        let text = text.trim();
        (!text.is_empty() && text.parse::<u32>().is_err())
            .then_some("The priority must be an integer from 0 to 2147483647, or empty.")
    }

    /// Returns the rule to submit.
    pub(crate) fn rule(self) -> NewRule {
        let filter = if self.uses_existing_filter.get() {
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
            // The form has no field for the reference, and an update without it would remove it.
            reference: self.original.read().as_ref().and_then(|rule| rule.reference.clone()),
            products: if action == Action::Bypass { self.products.get() } else { Vec::new() },
            ..NewRule::new(filter, action)
        }
    }
}
