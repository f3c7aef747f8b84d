//! Navigation between the pages of a list.

use crate::components::usage_meter::with_thousands;
use leptos::prelude::*;
use zonewright_api::ResultInfo;

/// The position of the page in the list, with buttons to the adjacent pages.
#[component]
pub(crate) fn Pager(
    /// The kind of the items: `rules`.
    noun: &'static str,
    /// The position of the visible page.
    info: ResultInfo,
    /// The number of the page to load, from 1.
    page: RwSignal<u64>,
) -> impl IntoView {
    let pages = if info.total_pages > 0 { info.total_pages } else { info.total_count.div_ceil(info.per_page.max(1)) };
    let count = |number: u64| with_thousands(usize::try_from(number).unwrap_or(usize::MAX));
    let first = (info.page.saturating_sub(1)) * info.per_page + 1;
    let text = if info.count == 0 {
        format!("No {noun} on page {} of {}", info.page, pages.max(1))
    } else {
        format!("{} to {} of {} {noun}", count(first), count(first + info.count - 1), count(info.total_count))
    };
    let buttons = (pages > 1 || info.page > 1).then(|| {
        view! {
            <button
                type="button"
                class="button small push"
                disabled=move || { page.get() <= 1 }
                on:click=move |_| page.update(|page| *page = page.saturating_sub(1).max(1))
            >
                "Previous"
            </button>
            <button
                type="button"
                class="button small"
                disabled=move || { page.get() >= pages }
                on:click=move |_| page.update(|page| *page += 1)
            >
                "Next"
            </button>
        }
    });
    view! { <nav class="pager" aria-label="List pages"><span class="quiet">{text}</span> {buttons}</nav> }
}
