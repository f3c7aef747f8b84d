//! An input whose text is hidden unless a button is pressed.

use crate::components::icon::{Icon, IconView};
use leptos::ev;
use leptos::prelude::*;

/// A password field with a button that reveals the text while the button is held, by pointer or keyboard.
#[component]
pub(crate) fn SecretInput(
    /// The ID of the field. The elements `{id}-help` and `{id}-error` describe a field that has a label.
    #[prop(into)]
    id: String,
    /// The name of the secret. It is in the accessible name of the button, and names an unlabeled field.
    #[prop(into)]
    label: Signal<String>,
    /// Whether a `<label>` element names the field.
    #[prop(default = true)]
    labeled: bool,
    /// The text.
    #[prop(into)]
    value: Signal<String>,
    /// Called with the text after each change.
    change: Callback<String>,
) -> impl IntoView {
    let visible = RwSignal::new(false);
    let is_press = |event: &ev::KeyboardEvent| [" ", "Enter"].contains(&event.key().as_str());
    let press = move |event: ev::KeyboardEvent| {
        if is_press(&event) {
            event.prevent_default();
            visible.set(true);
        }
    };
    let described = format!("{id}-help {id}-error");
    view! {
        <div class="secret">
            <input
                id=id
                type=move || if visible.get() { "text" } else { "password" }
                autocomplete="off"
                spellcheck="false"
                aria-label=move || (!labeled).then(|| label.get())
                aria-describedby=labeled.then_some(described)
                prop:value=value
                on:input=move |event| change.run(event_target_value(&event))
            />
            <button
                type="button"
                class="button square"
                title="Press and hold to show"
                aria-label=move || format!("Press and hold to show: {}", label.get())
                aria-pressed=move || if visible.get() { "true" } else { "false" }
                on:pointerdown=move |_| visible.set(true)
                on:pointerup=move |_| visible.set(false)
                on:pointerleave=move |_| visible.set(false)
                on:pointercancel=move |_| visible.set(false)
                on:blur=move |_| visible.set(false)
                on:keydown=press
                on:keyup=move |_| visible.set(false)
            >
                <IconView icon=Icon::Eye />
            </button>
        </div>
    }
}
