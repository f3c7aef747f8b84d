//! A block of code with a copy button.

use crate::clipboard;
use crate::components::icon::{Icon, IconView};
use leptos::prelude::*;

/// A heading, a block of code, and a button that copies the code.
#[component]
pub(crate) fn CodeView(
    /// The heading.
    title: &'static str,
    /// One sentence on how to use the text.
    #[prop(optional)]
    note: &'static str,
    /// The text.
    #[prop(into)]
    text: Signal<String>,
) -> impl IntoView {
    let copied = RwSignal::new(false);
    view! {
        <section class="code-view" aria-label=title>
            <div class="code-view-head">
                <h2>{title}</h2>
                <button
                    type="button"
                    class="button small push"
                    aria-label=format!("Copy {title}")
                    on:click=move |_| clipboard::copy(text.get_untracked(), copied)
                >
                    {move || view! { <IconView icon=if copied.get() { Icon::Success } else { Icon::Copy } /> }}
                    {move || if copied.get() { "Copied" } else { "Copy" }}
                </button>
            </div>
            <p class="quiet" hidden=note.is_empty()>{note}</p>
            // Long lines scroll, so the block is focusable for the keyboard.
            <pre class="code-block" tabindex="0"><code>{text}</code></pre>
        </section>
    }
}
