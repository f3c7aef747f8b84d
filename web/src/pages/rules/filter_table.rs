//! Filters as a table; on narrow screens each filter is a card.

use crate::pages::rules::delete::Doomed;
use leptos::prelude::*;
use zonewright_api::firewall::Filter;

/// The table. Roles are written out because the cards of narrow screens take the table's own away.
#[component]
pub(crate) fn FilterTable(
    /// The filters of the page.
    filters: Vec<Filter>,
    /// Set to the filter that is to be deleted.
    doomed: RwSignal<Option<Doomed>>,
) -> impl IntoView {
    let empty = filters.is_empty();
    let rows = filters.into_iter().map(|filter| {
        let label = format!("Delete filter {}", filter.expression);
        let doom = Doomed::Filter { id: filter.id.clone(), name: filter.expression.clone() };
        view! {
            <tr role="row">
                <td role="cell" data-label="Requests" class="main-cell">
                    {filter.description.map(|text| view! { <span class="cell-title">{text}</span> })}
                    <code class="expression">{filter.expression}</code>
                </td>
                <td role="cell" data-label="Filter"><code>{filter.id}</code></td>
                <td role="cell" data-label="State">
                    <span class=if filter.paused { "state paused" } else { "state" }>
                        {if filter.paused { "Paused" } else { "Active" }}
                    </span>
                </td>
                <td role="cell" class="row-actions">
                    <button type="button" class="button small" aria-label=label on:click=move |_| doomed.set(Some(doom.clone()))>"Delete"</button>
                </td>
            </tr>
        }
    });
    let rows = rows.collect_view();
    view! {
        <table class="table" role="table" aria-label="Filters" hidden=empty>
            <thead role="rowgroup">
                <tr role="row">
                    <th role="columnheader" scope="col">"Requests"</th>
                    <th role="columnheader" scope="col">"Filter"</th>
                    <th role="columnheader" scope="col">"State"</th>
                    <th role="columnheader" scope="col"><span class="visually-hidden">"Delete"</span></th>
                </tr>
            </thead>
            <tbody role="rowgroup">{rows}</tbody>
        </table>
    }
}
