//! The page of firewall rules: lists of rules and filters, and the form of a rule.
//!
//! Start with [`lists::Lists`] and [`submit::RuleFormModel`], which validates and sends a rule.

mod delete;
mod filter_field;
mod filter_picker;
mod filter_table;
mod form;
mod labels;
mod lists;
mod pager;
mod products;
mod rule_table;
mod submit;

use crate::components::split_pane::SplitPane;
use crate::part::PartResult;
use crate::state::page_request::PageRequests;
use crate::state::rule_draft::RuleDraft;
use crate::state::service::ServiceContext;
use form::RuleForm;
use leptos::prelude::*;
use lists::{ListKind, Lists};
use wasm_split_helpers::wasm_split;

/// The page, which is a part of the app.
#[wasm_split(rules, fallible)]
pub(crate) fn rules_page() -> PartResult<AnyView> {
    Ok(view! { <RulesPage /> }.into_any())
}

/// The page.
#[component]
fn RulesPage() -> impl IntoView {
    let service = ServiceContext::get();
    let rule_draft = RuleDraft::get();
    if let Some(expression) = PageRequests::get().take_new_rule() {
        rule_draft.start_with_new_filter(expression);
    }
    // Incremented after each write, so that the lists are reloaded.
    let changes = RwSignal::new(0_u32);
    let list_kind = RwSignal::new(ListKind::Rules);
    // A user who arrives with an expression sees the form first.
    let has_draft = !rule_draft.expression.read_untracked().is_empty();
    let active = RwSignal::new(u8::from(has_draft));
    let on_saved = Callback::new(move |()| {
        changes.update(|changes| *changes = changes.wrapping_add(1));
        active.set(0);
    });
    // A change of the connection rebuilds the lists, so that no object of the previous zone remains visible.
    let lists = move || {
        service.connection.track();
        view! { <Lists list_kind changes active /> }
    };
    let show_filters = Callback::new(move |()| {
        list_kind.set(ListKind::Filters);
        active.set(0);
    });
    let first = view! { {lists} }.into_any();
    let second = view! { <RuleForm on_saved show_filters /> }.into_any();
    view! {
        <h1 class="visually-hidden">"Rules"</h1>
        <SplitPane name="rules" initial_percent=60.0 labels=["Rules and filters", "New rule"] active first second />
    }
}
