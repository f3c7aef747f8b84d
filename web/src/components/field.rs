//! A form field: label, control, help and error, in that order and everywhere the same.

use crate::components::icon::{Icon, Pictogram};
use crate::components::page_text::Inline;
use leptos::prelude::*;

/// A labelled control. The control inside must have `id` and
/// `aria-describedby="{id}-help {id}-error"`.
#[component]
pub(crate) fn Field(
    /// Identifier of the control.
    #[prop(into)]
    id: String,
    /// Its name.
    label: &'static str,
    /// What it is for; empty for none.
    #[prop(optional)]
    help: &'static str,
    /// What is wrong with it; empty when nothing is.
    #[prop(optional, into)]
    error: Signal<String>,
    /// The control.
    children: Children,
) -> impl IntoView {
    view! {
        <div class="field" class:wrong=move || !error.read().is_empty()>
            <label class="field-label" for=id.clone()>{label}</label>
            {children()}
            <p class="field-help" id=format!("{id}-help") hidden=help.is_empty()>{help}</p>
            <div class="field-error" id=format!("{id}-error") hidden=move || error.read().is_empty()>
                <Pictogram icon=Icon::Error />
                <span>{move || view! { <Inline text=error.get() /> }}</span>
            </div>
        </div>
    }
}

/// A field of one line of text.
#[component]
pub(crate) fn TextField(
    /// Identifier of the control.
    #[prop(into)]
    id: String,
    /// Its name.
    label: &'static str,
    /// What it is for; empty for none.
    #[prop(optional)]
    help: &'static str,
    /// What is wrong with it; empty when nothing is.
    #[prop(optional, into)]
    error: Signal<String>,
    /// Further classes of the control: `short` for numbers, `mono` for code.
    #[prop(optional)]
    class: &'static str,
    /// Which keys a touch screen shows.
    #[prop(default = "text")]
    inputmode: &'static str,
    /// The text.
    #[prop(into)]
    value: Signal<String>,
    /// Called with the text that was typed.
    change: Callback<String>,
) -> impl IntoView {
    let described = format!("{id}-help {id}-error");
    view! {
        <Field id=id.clone() label help error>
            <input
                id=id
                class=class
                type="text"
                inputmode=inputmode
                autocomplete="off"
                spellcheck="false"
                aria-describedby=described
                prop:value=value
                on:input=move |event| change.run(event_target_value(&event))
            />
        </Field>
    }
}
