//! Rules as a table; on narrow screens each rule is a card.

use crate::components::local_time::LocalTime;
use crate::pages::rules::action::{action_title, product_title};
use crate::pages::rules::delete::Doomed;
use leptos::prelude::*;
use zonewright_api::firewall::FirewallRule;

/// The table. Roles are written out because the cards of narrow screens take the table's own away.
#[component]
pub(crate) fn RuleTable(
    /// The rules of the page.
    rules: Vec<FirewallRule>,
    /// Set to the rule that is to be deleted.
    doomed: RwSignal<Option<Doomed>>,
) -> impl IntoView {
    let empty = rules.is_empty();
    let rows = rules.into_iter().map(|rule| view! { <Row rule doomed /> }).collect_view();
    view! {
        <table class="table" role="table" aria-label="Rules" hidden=empty>
            <thead role="rowgroup">
                <tr role="row">
                    <th role="columnheader" scope="col">"Action"</th>
                    <th role="columnheader" scope="col">"Requests"</th>
                    <th role="columnheader" scope="col" class="number">"Priority"</th>
                    <th role="columnheader" scope="col">"State"</th>
                    <th role="columnheader" scope="col">"Created"</th>
                    <th role="columnheader" scope="col"><span class="visually-hidden">"Delete"</span></th>
                </tr>
            </thead>
            <tbody role="rowgroup">{rows}</tbody>
        </table>
    }
}

#[component]
fn Row(rule: FirewallRule, doomed: RwSignal<Option<Doomed>>) -> impl IntoView {
    let name = rule.description.clone().unwrap_or_else(|| rule.filter.expression.clone());
    let label = format!("Delete rule {name}");
    let doom = Doomed::Rule { id: rule.id.clone(), name, filter: rule.filter.id.clone() };
    let products = rule.products.iter().map(|product| product_title(*product)).collect::<Vec<_>>().join(", ");
    let paused = rule.paused || rule.filter.paused;
    view! {
        <tr role="row">
            <td role="cell" data-label="Action">
                {action_title(rule.action)}
                {(!products.is_empty()).then(|| view! { <span class="cell-more">{products}</span> })}
            </td>
            <td role="cell" data-label="Requests" class="main-cell">
                {rule.description.map(|text| view! { <span class="cell-title">{text}</span> })}
                <code class="expression">{rule.filter.expression}</code>
                <span class="cell-more">"Filter " <code>{rule.filter.id}</code></span>
            </td>
            <td role="cell" data-label="Priority" class="number">
                {rule.priority.map_or_else(|| "none".to_owned(), |number| number.to_string())}
            </td>
            <td role="cell" data-label="State">
                <span class=if paused { "state paused" } else { "state" }>
                    {match (rule.paused, rule.filter.paused) {
                        (true, _) => "Paused",
                        (false, true) => "Filter paused",
                        (false, false) => "Active",
                    }}
                </span>
            </td>
            <td role="cell" data-label="Created">{rule.created_on.map(|time| view! { <LocalTime time /> })}</td>
            <td role="cell" class="row-actions">
                <button type="button" class="button small" aria-label=label on:click=move |_| doomed.set(Some(doom.clone()))>"Delete"</button>
            </td>
        </tr>
    }
}
