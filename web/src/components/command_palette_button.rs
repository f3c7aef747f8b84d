//! The button of the header that opens the palette.

use crate::components::icon::{Icon, IconView};
use leptos::prelude::*;

/// Opens the palette; its label teaches the keys.
#[component]
pub(crate) fn CommandPaletteButton(
    /// Whether the palette is shown.
    palette: RwSignal<bool>,
) -> impl IntoView {
    let apple = window().navigator().user_agent().is_ok_and(|agent| agent.contains("Mac"));
    let label = if apple { "Commands (Cmd-K)" } else { "Commands (Ctrl-K)" };
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
