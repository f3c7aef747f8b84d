//! The button of the header that opens the palette.

use crate::components::icon::{Icon, IconView};
use leptos::prelude::*;

/// A button that opens the palette. Its label names the keyboard shortcut.
#[component]
pub(crate) fn CommandPaletteButton(
    /// Whether the palette is open.
    palette: RwSignal<bool>,
) -> impl IntoView {
    let is_mac = window().navigator().user_agent().is_ok_and(|agent| agent.contains("Mac"));
    let label = if is_mac { "Commands (Cmd-K)" } else { "Commands (Ctrl-K)" };
    view! {
        <button
            type="button"
            class="button quiet square"
            aria-label=label
            title=label
            aria-haspopup="dialog"
            on:click=move |_| palette.set(true)
        >
            <IconView icon=Icon::Search />
        </button>
    }
}
