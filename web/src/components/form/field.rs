//! Form fields: label, control, help and error, always in this order.
//!
//! A control has the ID of its field, is described by the elements `{id}-help` and `{id}-error`, and has `aria-invalid`
//! while the field has an error.

use crate::components::icon::{Icon, IconView};
use crate::components::markdown::InlineCode;
use leptos::prelude::*;

/// A control with its label.
#[component]
pub(crate) fn Field(
    /// The ID of the control.
    #[prop(into)]
    id: String,
    /// The label.
    label: &'static str,
    /// A description of the field; empty for none.
    #[prop(optional, into)]
    help: Signal<String>,
    /// The error; empty for none.
    #[prop(optional, into)]
    error: Signal<String>,
    /// The control.
    children: Children,
) -> impl IntoView {
    view! {
        <div class="field" class:wrong=move || !error.read().is_empty()>
            <label class="field-label" for=id.clone()>{label}</label>
            {children()}
            <p class="field-help" id=format!("{id}-help") hidden=move || help.read().is_empty()>{help}</p>
            <FieldError id=format!("{id}-error") message=error />
        </div>
    }
}

/// Several controls under one heading, such as a row of buttons.
#[component]
pub(crate) fn FieldGroup(
    /// The ID of the group.
    #[prop(optional, into)]
    id: Option<String>,
    /// The heading.
    label: &'static str,
    /// A description of the group; empty for none.
    #[prop(optional, into)]
    help: Signal<String>,
    /// The error; empty for none.
    #[prop(optional, into)]
    error: Signal<String>,
    /// Whether the group is marked as invalid although its error is shown elsewhere.
    #[prop(optional, into)]
    invalid: Signal<bool>,
    /// Whether the group is invisible.
    #[prop(optional, into)]
    hidden: Signal<bool>,
    /// The controls.
    children: Children,
) -> impl IntoView {
    view! {
        <div class="field" id=id hidden=hidden class:wrong=move || invalid.get() || !error.read().is_empty()>
            <span class="field-label">{label}</span>
            {children()}
            <p class="field-help" hidden=move || help.read().is_empty()>{help}</p>
            <FieldError message=error />
        </div>
    }
}

/// The error of a field.
#[component]
pub(crate) fn FieldError(
    /// The ID that the control is described by.
    #[prop(optional, into)]
    id: Option<String>,
    /// The error; empty for none.
    #[prop(into)]
    message: Signal<String>,
) -> impl IntoView {
    view! {
        <div class="field-error" id=id hidden=move || message.read().is_empty()>
            <IconView icon=Icon::Error />
            <span>{move || view! { <InlineCode text=message.get() /> }}</span>
        </div>
    }
}

/// A field of one line of text.
#[component]
pub(crate) fn TextField(
    /// The ID of the control.
    #[prop(into)]
    id: String,
    /// The label.
    label: &'static str,
    /// A description of the field; empty for none.
    #[prop(optional, into)]
    help: Signal<String>,
    /// The error; empty for none.
    #[prop(optional, into)]
    error: Signal<String>,
    /// Further classes of the control: `short` for numbers, `mono` for code.
    #[prop(optional)]
    class: &'static str,
    /// The type of the control, such as `password`.
    #[prop(default = "text")]
    input_type: &'static str,
    /// The keyboard of a touch screen.
    #[prop(optional)]
    inputmode: Option<&'static str>,
    /// Whether the browser checks the spelling.
    #[prop(optional)]
    spellcheck: bool,
    /// The text.
    #[prop(into)]
    value: Signal<String>,
    /// Called with the text after each change.
    #[prop(into)]
    on_change: Callback<String>,
) -> impl IntoView {
    let describedby = format!("{id}-help {id}-error");
    view! {
        <Field id=id.clone() label help error>
            <input
                id=id
                class=class
                type=input_type
                inputmode=inputmode
                autocomplete="off"
                spellcheck=(!spellcheck).then_some("false")
                aria-describedby=describedby
                aria-invalid=move || aria_invalid(error)
                prop:value=value
                on:input=move |event| on_change.run(event_target_value(&event))
            />
        </Field>
    }
}

/// An option: value and label.
pub(crate) type SelectOption = (String, String);

/// A field with a choice of options.
#[component]
pub(crate) fn SelectField(
    /// The ID of the control.
    #[prop(into)]
    id: String,
    /// The label.
    label: &'static str,
    /// A description of the field; empty for none.
    #[prop(optional, into)]
    help: Signal<String>,
    /// The error; empty for none.
    #[prop(optional, into)]
    error: Signal<String>,
    /// Further classes of the control.
    #[prop(optional)]
    class: &'static str,
    /// Whether the choice is fixed.
    #[prop(optional, into)]
    disabled: Signal<bool>,
    /// The options.
    #[prop(into)]
    options: Signal<Vec<SelectOption>>,
    /// The value of the selected option.
    #[prop(into)]
    value: Signal<String>,
    /// Called with the value of the option that the user selects.
    #[prop(into)]
    on_change: Callback<String>,
) -> impl IntoView {
    let describedby = format!("{id}-help {id}-error");
    let options = move || {
        let option = |(option, label): SelectOption| {
            let selected = option.clone();
            view! { <option value=option selected=move || *value.read() == selected>{label}</option> }
        };
        options.get().into_iter().map(option).collect_view()
    };
    view! {
        <Field id=id.clone() label help error>
            <select
                id=id
                class=class
                disabled=disabled
                aria-describedby=describedby
                aria-invalid=move || aria_invalid(error)
                prop:value=value
                on:change=move |event| on_change.run(event_target_value(&event))
            >
                {options}
            </select>
        </Field>
    }
}

/// A check box with its label.
#[component]
pub(crate) fn Checkbox(
    /// The ID of the control.
    #[prop(optional, into)]
    id: Option<String>,
    /// Whether the box is checked.
    #[prop(into)]
    checked: Signal<bool>,
    /// Called when the user checks or clears the box.
    #[prop(into)]
    on_change: Callback<bool>,
    /// The label.
    children: Children,
) -> impl IntoView {
    view! {
        <label class="check">
            <input type="checkbox" id=id prop:checked=checked on:change=move |event| on_change.run(event_target_checked(&event)) />
            <span>{children()}</span>
        </label>
    }
}

fn aria_invalid(error: Signal<String>) -> Option<&'static str> {
    (!error.read().is_empty()).then_some("true")
}
