//! The last row of a form: the submit button, and a sentence on its effect.

use super::submission::{Form, Submission, SubmissionOutcome};
use crate::focus::focus_first_invalid;
use leptos::html;
use leptos::prelude::*;

/// The submit row. If an attempt fails because the form is invalid, it focuses the first invalid field. After any other
/// failure, it scrolls itself into view, because the notice precedes it.
#[component]
pub(crate) fn SubmitRow<F: Form>(
    /// The submission.
    submission: Submission<F>,
    /// The ID of the text that describes the button.
    id: &'static str,
    /// The label of the button.
    #[prop(into)]
    label: Signal<&'static str>,
    /// Whether the submit button is disabled.
    #[prop(into)]
    disabled: Signal<bool>,
    /// The effect of submitting, or the reason why it is impossible.
    #[prop(into)]
    reason: Signal<&'static str>,
    /// Further buttons.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    let row = NodeRef::<html::Div>::new();
    let reveal = move |focuses_field: bool| {
        request_animation_frame(move || {
            let Some(row) = row.get_untracked() else { return };
            let form = row.closest("form").ok().flatten().filter(|_| focuses_field);
            if !form.is_some_and(|form| focus_first_invalid(&form)) {
                row.scroll_into_view_with_bool(false);
            }
        });
    };
    Effect::new(move || {
        if submission.invalid.get() {
            reveal(true);
        }
    });
    Effect::new(move || {
        if !matches!(&*submission.outcome.read(), None | Some(SubmissionOutcome::Invalid(_))) {
            reveal(false);
        }
    });
    view! {
        <div class="form-actions" node_ref=row>
            <button
                type="submit"
                class="button primary"
                disabled=disabled
                aria-disabled=move || submission.busy.get().to_string()
                aria-describedby=id
            >
                {label}
            </button>
            {children.map(|children| children())}
            <p id=id class="quiet">{reason}</p>
        </div>
    }
}
