//! A flag of a job.

use super::desk::Desk;
use crate::components::icon::{Icon, Pictogram};
use crate::components::page_text::Inline;
use crate::job::JobForm;
use leptos::prelude::*;

/// A flag.
#[component]
pub(super) fn Tick(
    /// Its words.
    label: &'static str,
    /// The member.
    name: &'static str,
    /// Where it stands in a job.
    pointer: &'static str,
    /// Whether it is set.
    value: fn(&JobForm) -> bool,
    /// Sets it.
    set: fn(&mut JobForm, bool),
) -> impl IntoView {
    let desk = Desk::get();
    let error = desk.error(pointer);
    view! {
        <div class="field">
            <label class="check">
                <input
                    type="checkbox"
                    id=format!("job-{name}")
                    prop:checked=desk.part(value)
                    on:change=move |event| desk.change(|form| set(form, event_target_checked(&event)))
                />
                <span>{label} " " <code class="quiet">{name}</code></span>
            </label>
            <div class="field-error" hidden=move || error.read().is_empty()>
                <Pictogram icon=Icon::Error />
                <span>{move || view! { <Inline text=error.get() /> }}</span>
            </div>
        </div>
    }
}
