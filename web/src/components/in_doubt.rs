//! Notices about writes that failed or are in doubt.

use crate::api::{ApiError, InDoubtWrite, ObservedState, WriteProbe};
use crate::components::api_error::{ApiErrorNotice, ErrorList};
use crate::components::icon::{Icon, IconView};
use leptos::prelude::*;
use zonewright_api::ErrorObject;

/// Explains that the outcome of a write is unknown, and offers to probe the service again.
#[component]
pub(crate) fn InDoubtNotice(
    /// The title: `We don't know whether the rule was created`.
    title: &'static str,
    /// The error that left the outcome unknown.
    error: ApiError,
    /// The state of the service at the last probe; `None` if it could not be read.
    observed_state: Option<ObservedState>,
    /// Whether the write is a deletion.
    #[prop(optional)]
    is_deletion: bool,
    /// Whether a request or a probe is in flight.
    busy: RwSignal<bool>,
    /// Probes the service again.
    probe_again: Callback<()>,
) -> impl IntoView {
    let (meaning, errors) = describe(error);
    let message = match observed_state {
        None => "The current state could not be loaded.",
        Some(_) if is_deletion => "It still exists. The request may still be in progress.",
        Some(ObservedState::Unchanged) => "The service does not show the change. The request may still be in progress.",
        Some(ObservedState::Diverged) => {
            "The current state is neither the previous one nor the one that you sent. Someone else may have changed it."
        }
    };
    let probe = move |_| {
        if !busy.get_untracked() {
            probe_again.run(());
        }
    };
    view! {
        <div class="notice warning" role="alert">
            <IconView icon=Icon::Warning />
            <div class="notice-body">
                <p class="notice-title">{title}</p>
                <p>{meaning}</p>
                <ErrorList errors is_shown_at_field=|_| false on_go_to_field=None />
                <p>{message} " Check again before you retry."</p>
                <div class="wrap-row">
                    <button type="button" class="button" aria-disabled=move || busy.get().to_string() on:click=probe>"Check again"</button>
                </div>
            </div>
        </div>
    }
}

/// Explains an error, and returns the errors of the service or gateway.
fn describe(error: ApiError) -> (String, Vec<ErrorObject>) {
    match error {
        ApiError::Response { status, errors } => {
            (format!("The response (status {status}) does not say whether the change was applied."), errors)
        }
        ApiError::UnexpectedBody { status, .. } => (
            format!(
                "The response (status {status}) did not come from the service, so it does not say whether the change was applied."
            ),
            Vec::new(),
        ),
        ApiError::TimedOut => ("The service did not respond within 30 seconds.".to_owned(), Vec::new()),
        ApiError::Unreachable | ApiError::Cancelled | ApiError::InvalidBaseUrl => {
            ("The connection was lost before the service responded.".to_owned(), Vec::new())
        }
    }
}

/// The failure of a write. `S` is the request that was sent.
#[derive(Clone, PartialEq)]
pub(crate) enum WriteFailure<P, S = ()> {
    /// The service did not apply the write.
    Rejected(ApiError),
    /// It is unknown whether the service applied the write.
    InDoubt(Box<(S, InDoubtWrite<P>)>),
}

/// Explains the failure of the last write, if it failed.
#[component]
pub(crate) fn WriteFailureNotice<P, S>(
    /// The title if the service did not apply the write.
    rejected_title: &'static str,
    /// The title if the outcome is unknown.
    in_doubt_title: &'static str,
    /// The failure of the last attempt.
    failure: RwSignal<Option<WriteFailure<P, S>>>,
    /// Whether the write is a deletion.
    #[prop(optional)]
    is_deletion: bool,
    /// Whether a request or a probe is in flight.
    busy: RwSignal<bool>,
    /// Probes the service again.
    probe_again: Callback<(S, InDoubtWrite<P>)>,
) -> impl IntoView
where
    P: WriteProbe + Send + Sync + 'static,
    S: Clone + Send + Sync + 'static,
{
    move || {
        failure.get().map(|failure| match failure {
            WriteFailure::Rejected(error) => view! { <ApiErrorNotice title=rejected_title error /> }.into_any(),
            WriteFailure::InDoubt(failure) => {
                let (error, observed_state) = (failure.1.error.clone(), failure.1.observed_state);
                let probe_again = Callback::new(move |()| probe_again.run((*failure).clone()));
                view! { <InDoubtNotice title=in_doubt_title error observed_state is_deletion busy probe_again /> }
                    .into_any()
            }
        })
    }
}

/// Returns the text of a toast for a write in doubt whose page the user left.
pub(crate) fn in_doubt_toast(title: &str) -> String {
    format!("{title}: check the list before you retry")
}
