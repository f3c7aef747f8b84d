//! Announcements of changes for assistive technology.

use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;
use std::time::Duration;

/// Announces the text politely, once it has not changed for a second, so that typing is not interrupted by every
/// letter.
#[component]
pub(crate) fn LiveRegion(
    /// The text to announce.
    #[prop(into)]
    text: Signal<String>,
) -> impl IntoView {
    let spoken = RwSignal::new(String::new());
    let waiting = StoredValue::new(None::<TimeoutHandle>);
    let stop = move || {
        if let Some(handle) = waiting.try_update_value(Option::take).flatten() {
            handle.clear();
        }
    };
    Effect::new(move || {
        let next = text.get();
        stop();
        let speak = move || drop(spoken.try_set(next));
        if let Ok(handle) = set_timeout_with_handle(speak, Duration::from_secs(1)) {
            waiting.set_value(Some(handle));
        }
    });
    on_cleanup(stop);
    view! { <div class="visually-hidden" role="status" aria-live="polite">{spoken}</div> }
}
