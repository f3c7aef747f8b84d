//! Tabs: one of several panels is shown, and arrow keys move between the tabs.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// The row of tabs. The panel itself is rendered by the page, with `role="tabpanel"` and the ID `{id}-panel`.
#[component]
pub(crate) fn Tabs<T>(
    /// The ID that the tabs and their panel share as a prefix.
    id: &'static str,
    /// The accessible name of the row.
    label: &'static str,
    /// The panels with their labels.
    choices: Vec<(T, &'static str)>,
    /// The panel that is shown.
    value: RwSignal<T>,
) -> impl IntoView
where
    T: Copy + PartialEq + Send + Sync + 'static,
{
    let all: Vec<T> = choices.iter().map(|(choice, _)| *choice).collect();
    let all = StoredValue::new(all);
    let press = move |event: ev::KeyboardEvent| {
        let count = all.with_value(Vec::len);
        let current = all.with_value(|all| all.iter().position(|choice| *choice == value.get_untracked())).unwrap_or(0);
        let next = match event.key().as_str() {
            "ArrowRight" => (current + 1) % count.max(1),
            "ArrowLeft" => (current + count.saturating_sub(1)) % count.max(1),
            "Home" => 0,
            "End" => count.saturating_sub(1),
            _ => return,
        };
        event.prevent_default();
        if let Some(choice) = all.with_value(|all| all.get(next).copied()) {
            value.set(choice);
            focus(&format!("{id}-tab-{next}"));
        }
    };
    let tabs = choices.into_iter().enumerate().map(|(index, (choice, label))| {
        let is_selected = move || value.get() == choice;
        view! {
            <button
                type="button"
                role="tab"
                class="tab"
                id=format!("{id}-tab-{index}")
                aria-controls=format!("{id}-panel")
                aria-selected=move || if is_selected() { "true" } else { "false" }
                tabindex=move || if is_selected() { "0" } else { "-1" }
                on:click=move |_| value.set(choice)
            >
                {label}
            </button>
        }
    });
    view! {
        <div class="tabs" role="tablist" aria-label=label on:keydown=press>
            {tabs.collect_view()}
        </div>
    }
}

fn focus(id: &str) {
    let element = document().get_element_by_id(id).and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok());
    if let Some(element) = element {
        drop(element.focus());
    }
}
