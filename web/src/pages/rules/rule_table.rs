//! The table of rules; on narrow screens, each row is a card.

use super::delete::DeletionTarget;
use super::labels::{action_title, product_title};
use crate::components::icon::{Icon, IconView};
use crate::components::local_time::LocalTime;
use crate::components::markdown::InlineCode;
use crate::unreachable_rules::{RuleReachability, RuleStatus};
use leptos::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;
use zonewright_api::firewall::FirewallRule;

/// The reachability of the rules of the zone, by ID.
pub(super) type ReachabilityById = HashMap<String, RuleReachability>;

/// The table. ARIA roles are explicit, because the CSS of the cards removes the implicit ones.
#[component]
pub(crate) fn RuleTable(
    /// The rules of the page.
    rules: Vec<FirewallRule>,
    /// The reachability of the rules of the zone, by ID; empty until the first analysis ends.
    reachability: Signal<Arc<ReachabilityById>>,
    /// The rule to delete.
    pending_deletion: RwSignal<Option<DeletionTarget>>,
    /// Called with the rule to edit.
    edit: Callback<FirewallRule>,
) -> impl IntoView {
    let is_empty = rules.is_empty();
    let rows = rules.into_iter().map(|rule| view! { <Row rule reachability pending_deletion edit /> }).collect_view();
    view! {
        <UnreachableRulesNotice reachability />
        <table class="table" role="table" aria-label="Rules" hidden=is_empty>
            <thead role="rowgroup">
                <tr role="row">
                    <th role="columnheader" scope="col">"Action"</th>
                    <th role="columnheader" scope="col">"Expression"</th>
                    <th role="columnheader" scope="col" class="number">"Priority"</th>
                    <th role="columnheader" scope="col">"State"</th>
                    <th role="columnheader" scope="col">"Created"</th>
                    <th role="columnheader" scope="col"><span class="visually-hidden">"Edit or delete"</span></th>
                </tr>
            </thead>
            <tbody role="rowgroup">{rows}</tbody>
        </table>
    }
}

/// The number of rules that never fire, including those on other pages.
#[component]
fn UnreachableRulesNotice(reachability: Signal<Arc<ReachabilityById>>) -> impl IntoView {
    let text = move || {
        let reachability = reachability.read();
        let unreachable_count =
            reachability.values().filter(|rule| matches!(rule.status, RuleStatus::Unreachable(_))).count();
        (unreachable_count > 0).then(|| format!("{unreachable_count} of {} rules can never fire", reachability.len()))
    };
    view! {
        <div role="status">
            {move || text().map(|text| view! { <div class="verdict warning"><IconView icon=Icon::Warning /><p>{text}</p></div> })}
        </div>
    }
}

#[component]
fn Row(
    rule: FirewallRule,
    reachability: Signal<Arc<ReachabilityById>>,
    pending_deletion: RwSignal<Option<DeletionTarget>>,
    edit: Callback<FirewallRule>,
) -> impl IntoView {
    let name = rule.description.clone().unwrap_or_else(|| rule.filter.expression.clone());
    let (edit_label, delete_label) = (format!("Edit rule {name}"), format!("Delete rule {name}"));
    let edited_rule = rule.clone();
    let target = DeletionTarget::Rule { id: rule.id.clone(), name, filter: rule.filter.id.clone() };
    let products = rule.products.iter().map(|product| product_title(*product)).collect::<Vec<_>>().join(", ");
    let id = rule.id.clone();
    let unreachable_reason = Memo::new(move |_| match reachability.read().get(&id) {
        Some(RuleReachability { status: RuleStatus::Unreachable(reason), .. }) => Some(reason.clone()),
        _ => None,
    });
    let is_paused = rule.paused || rule.filter.paused;
    view! {
        <tr role="row">
            <td role="cell" data-label="Action">
                {action_title(rule.action)}
                {(!products.is_empty()).then(|| view! { <span class="cell-more">{products}</span> })}
            </td>
            <td role="cell" data-label="Expression" class="main-cell">
                {rule.description.map(|text| view! { <span class="cell-title">{text}</span> })}
                <code class="expression">{rule.filter.expression}</code>
                {move || unreachable_reason.get().map(|reason| view! {
                    <p class="never-fires"><IconView icon=Icon::Warning /><span><InlineCode text=format!("Never fires: {reason}") /></span></p>
                })}
                <span class="cell-more">"Filter " <code>{rule.filter.id}</code></span>
            </td>
            <td role="cell" data-label="Priority" class="number">
                {rule.priority.map_or_else(|| "none".to_owned(), |number| number.to_string())}
            </td>
            <td role="cell" data-label="State">
                <span class=if is_paused { "state paused" } else { "state" }>
                    {match (rule.paused, rule.filter.paused) {
                        (true, _) => "Paused",
                        (false, true) => "Filter paused",
                        (false, false) => "Active",
                    }}
                </span>
            </td>
            <td role="cell" data-label="Created">{rule.created_on.map(|time| view! { <LocalTime time /> })}</td>
            <td role="cell" class="row-actions">
                <div class="row-buttons">
                    <button type="button" class="button small" aria-label=edit_label on:click=move |_| edit.run(edited_rule.clone())>"Edit"</button>
                    <button type="button" class="button small" aria-label=delete_label on:click=move |_| pending_deletion.set(Some(target.clone()))>"Delete"</button>
                </div>
            </td>
        </tr>
    }
}
