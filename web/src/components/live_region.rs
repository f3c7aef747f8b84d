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
    let announced = RwSignal::new(String::new());
    let pending_timer = StoredValue::new(None::<TimeoutHandle>);
    let stop = move || {
        if let Some(handle) = pending_timer.try_update_value(Option::take).flatten() {
            handle.clear();
        }
    };
    Effect::new(move || {
        let next = text.get();
        stop();
        let announce = move || drop(announced.try_set(next));
        if let Ok(handle) = set_timeout_with_handle(announce, Duration::from_secs(1)) {
            pending_timer.set_value(Some(handle));
        }
    });
    on_cleanup(stop);
    view! { <div class="visually-hidden" role="status" aria-live="polite">{announced}</div> }
}
