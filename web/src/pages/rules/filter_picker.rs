//! The choice between a new filter and an existing one.

use crate::components::segmented_control::SegmentedControl;
use crate::state::rule_draft::RuleDraft;
use leptos::prelude::*;
use zonewright_api::firewall::Filter;

/// The choice, with the selected filter.
#[component]
pub(crate) fn FilterPicker(
    /// Called when the user opens the list of filters.
    show_filters: Callback<()>,
) -> impl IntoView {
    let draft = RuleDraft::get();
    let selected_filter = move || match draft.filter.get() {
        Some(filter) => view! { <SelectedFilter filter /> }.into_any(),
        None => {
            view! { <p class="quiet">"No filter is selected. Choose Use next to a filter in the list."</p> }.into_any()
        }
    };
    view! {
        <SegmentedControl
            label="Rule filter"
            choices=vec![(false, "New filter"), (true, "Existing filter")]
            value=draft.uses_existing_filter
            choose=move |existing| draft.uses_existing_filter.set(existing)
        />
        {move || draft.uses_existing_filter.get().then(|| view! {
            {selected_filter}
            <button type="button" class="button filter-show" on:click=move |_| show_filters.run(())>"Show filters"</button>
        })}
    }
}

/// The filter of an existing rule, which is immutable.
#[component]
pub(crate) fn FixedFilter() -> impl IntoView {
    let draft = RuleDraft::get();
    view! {
        {move || draft.filter.get().map(|filter| view! { <SelectedFilter filter /> })}
        <p class="quiet">"You cannot change the filter of a rule. To match other requests, create a new rule."</p>
    }
}

#[component]
fn SelectedFilter(
    /// The filter.
    filter: Filter,
) -> impl IntoView {
    view! {
        <div class="selected-filter">
            {filter.description.map(|text| view! { <p class="cell-title">{text}</p> })}
            <pre class="code-block" tabindex="0"><code>{filter.expression}</code></pre>
            <p class="cell-more">"Filter " <code>{filter.id}</code> {filter.paused.then_some(", paused")}</p>
        </div>
    }
}
