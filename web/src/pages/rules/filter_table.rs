//! The table of filters; on narrow screens, each row is a card.

use super::delete::DeletionTarget;
use leptos::prelude::*;
use std::collections::HashMap;
use zonewright_api::firewall::Filter;

/// The table. ARIA roles are explicit, because the CSS of the cards removes the implicit ones.
#[component]
pub(crate) fn FilterTable(
    /// The filters of the page.
    filters: Vec<Filter>,
    /// The number of rules that use each filter by ID; `None` if unknown.
    uses: Option<HashMap<String, usize>>,
    /// The filter to delete.
    pending_deletion: RwSignal<Option<DeletionTarget>>,
    /// Called with the filter for a new rule.
    choose: Callback<Filter>,
) -> impl IntoView {
    let is_empty = filters.is_empty();
    let has_uses = uses.is_some();
    let rows = filters.into_iter().map(|filter| {
        let rule_count = uses.as_ref().map(|uses| uses.get(&filter.id).copied().unwrap_or_default());
        let is_used = rule_count.is_some_and(|count| count > 0);
        let reason = is_used.then_some("Rules use this filter: delete them first");
        let selected_filter = filter.clone();
        let use_label = format!("Use filter {} in a new rule", filter.expression);
        let delete_label = format!("Delete filter {}", filter.expression);
        let target = DeletionTarget::Filter { id: filter.id.clone(), name: filter.expression.clone() };
        view! {
            <tr role="row">
                <td role="cell" data-label="Expression" class="main-cell">
                    {filter.description.map(|text| view! { <span class="cell-title">{text}</span> })}
                    <code class="expression">{filter.expression}</code>
                    <span class="cell-more">"Filter " <code>{filter.id}</code></span>
                </td>
                <td role="cell" data-label="State">
                    <span class=if filter.paused { "state paused" } else { "state" }>
                        {if filter.paused { "Paused" } else { "Active" }}
                    </span>
                </td>
                {rule_count.map(|count| view! { <td role="cell" data-label="Used by">{rule_count_label(count)}</td> })}
                <td role="cell" class="row-actions">
                    <div class="row-buttons">
                        <button type="button" class="button small" aria-label=use_label on:click=move |_| choose.run(selected_filter.clone())>"Use"</button>
                        <button type="button" class="button small" aria-label=delete_label disabled=is_used title=reason on:click=move |_| pending_deletion.set(Some(target.clone()))>"Delete"</button>
                    </div>
                </td>
            </tr>
        }
    });
    let rows = rows.collect_view();
    view! {
        <table class="table" role="table" aria-label="Filters" hidden=is_empty>
            <thead role="rowgroup">
                <tr role="row">
                    <th role="columnheader" scope="col">"Expression"</th>
                    <th role="columnheader" scope="col">"State"</th>
                    {has_uses.then(|| view! { <th role="columnheader" scope="col">"Used by"</th> })}
                    <th role="columnheader" scope="col"><span class="visually-hidden">"Use or delete"</span></th>
                </tr>
            </thead>
            <tbody role="rowgroup">{rows}</tbody>
        </table>
    }
}

fn rule_count_label(count: usize) -> String {
    match count {
        0 => "no rules".to_owned(),
        1 => "1 rule".to_owned(),
        count => format!("{count} rules"),
    }
}
