//! A Boolean member of a job.

use super::form_context::FormContext;
use crate::components::form::{Checkbox, FieldError};
use crate::job::JobForm;
use leptos::prelude::*;

/// A check box with the name of its member.
#[component]
pub(super) fn FlagField(
    /// The label.
    label: &'static str,
    /// The name of the member.
    name: &'static str,
    /// The JSON pointer to the member.
    pointer: &'static str,
    /// Reads the member.
    value: fn(&JobForm) -> bool,
    /// Changes the member.
    set: fn(&mut JobForm, bool),
) -> impl IntoView {
    let context = FormContext::get();
    view! {
        <div class="field">
            <Checkbox
                id=format!("job-{name}")
                checked=context.select(value)
                on_change=move |is_checked| context.update(|form| set(form, is_checked))
            >
                {label} " " <code class="quiet">{name}</code>
            </Checkbox>
            <FieldError message=context.error_at(pointer) />
        </div>
    }
}
