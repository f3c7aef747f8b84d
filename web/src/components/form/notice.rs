//! The notice about the last attempt to submit a form.

use super::submission::{Form, Submission, SubmissionOutcome};
use crate::components::api_error::{ApiErrorNotice, ErrorList};
use crate::components::edit_conflict::EditConflict;
use crate::components::icon::{Icon, IconView};
use crate::components::in_doubt::InDoubtNotice;
use leptos::prelude::*;
use zonewright_api::ErrorObject;

/// Explains why the last attempt did not succeed, and offers remedies.
#[component]
pub(crate) fn SubmissionNotice<F: Form>(
    /// The submission.
    submission: Submission<F>,
    /// Called with the pointer and the message of the error whose field the user selects. Without it, pointers are
    /// plain text.
    #[prop(optional)]
    on_go_to_field: Option<Callback<(String, String)>>,
) -> impl IntoView {
    let form = submission.form;
    move || {
        submission.outcome.get().map(|outcome| match outcome {
            SubmissionOutcome::Invalid(errors) => {
                // With links, the list repeats the messages, so that each link has a context.
                let is_shown_at_field = if on_go_to_field.is_some() { |_: &ErrorObject| false } else { F::is_shown_at_field };
                view! { <ValidationErrors errors is_shown_at_field on_go_to_field /> }.into_any()
            }
            SubmissionOutcome::Rejected(error) => {
                let title = F::messages(untrack(move || form.is_edit())).rejected;
                let remedy = F::remedy(submission, &error);
                view! { <ApiErrorNotice title error is_shown_at_field=F::is_shown_at_field on_go_to_field>{remedy}</ApiErrorNotice> }
                    .into_any()
            }
            SubmissionOutcome::Conflict(current) => {
                let differences = untrack(|| form.conflicting_members(&current));
                let theirs = current.clone();
                let discard = Callback::new(move |()| form.discard_input((*theirs).clone()));
                let overwrite = Callback::new(move |()| {
                    form.accept_overwrite((*current).clone());
                    submission.send();
                });
                view! { <EditConflict noun=F::NOUN differences discard overwrite /> }.into_any()
            }
            SubmissionOutcome::InDoubt(in_doubt) => {
                let (request, write) = *in_doubt;
                let title = F::messages(F::is_edit_request(&request)).in_doubt;
                let (error, observed_state) = (write.error.clone(), write.observed_state);
                let probe_again = Callback::new(move |()| submission.probe_again(request.clone(), write.clone()));
                view! { <InDoubtNotice title error observed_state busy=submission.busy probe_again /> }.into_any()
            }
        })
    }
}

/// Explains that an invalid form was not sent.
#[component]
fn ValidationErrors(
    /// The errors.
    errors: Vec<ErrorObject>,
    /// Returns whether a field shows the message of an error, so that the list omits it.
    is_shown_at_field: fn(&ErrorObject) -> bool,
    /// See [`SubmissionNotice`].
    on_go_to_field: Option<Callback<(String, String)>>,
) -> impl IntoView {
    view! {
        <div class="notice error" role="alert">
            <IconView icon=Icon::Error />
            <div class="notice-body">
                <p class="notice-title">"Nothing was sent"</p>
                <p>"The service would reject this input. Fix the errors at the fields."</p>
                <ErrorList errors is_shown_at_field on_go_to_field />
            </div>
        </div>
    }
}
