//! A write whose answer was lost: what is known of it.

use crate::api::{ApiError, InDoubtWrite, ObservedState, WriteProbe};
use crate::components::api_error::{ApiErrorNotice, ErrorList};
use crate::components::icon::{Icon, IconView};
use leptos::prelude::*;
use zonewright_api::ErrorObject;

/// Says that nobody knows what became of a write, and offers to look again.
#[component]
pub(crate) fn InDoubtNotice(
    /// What is not known: `Whether the rule was created is not known`.
    title: &'static str,
    /// What came in place of an answer.
    problem: ApiError,
    /// What the service has now; `None` while it could not be read.
    seen: Option<ObservedState>,
    /// Whether it was a deletion.
    #[prop(optional)]
    deletes: bool,
    /// Whether something is under way.
    busy: RwSignal<bool>,
    /// Looks it up again.
    again: Callback<()>,
) -> impl IntoView {
    let (meaning, errors) = meaning(problem);
    let words = match seen {
        None => "What the service has now could not be read.",
        Some(_) if deletes => "It is still there. The request may still be on its way.",
        Some(ObservedState::Unchanged) => "The service does not have it now. The request may still be on its way.",
        Some(ObservedState::Diverged) => {
            "The service has neither what was there before nor what you sent: somebody else may have changed it."
        }
    };
    let look = move |_| {
        if !busy.get_untracked() {
            again.run(());
        }
    };
    view! {
        <div class="notice warning" role="alert">
            <IconView icon=Icon::Warning />
            <div class="notice-body">
                <p class="notice-title">{title}</p>
                <p>{meaning}</p>
                <ErrorList errors is_shown_at_field=|_| false on_go_to_field=None />
                <p>{words} " Look again before you send it once more."</p>
                <div class="wrap-row">
                    <button type="button" class="button" aria-disabled=move || busy.get().to_string() on:click=look>"Look again"</button>
                </div>
            </div>
        </div>
    }
}

/// What came in place of an answer, in words, and what the service or a gateway says.
fn meaning(problem: ApiError) -> (String, Vec<ErrorObject>) {
    match problem {
        ApiError::Response { status, errors } => (format!("The answer, with status {status}, does not tell."), errors),
        ApiError::UnexpectedBody { status, .. } => {
            (format!("The answer, with status {status}, is not one of the service: it does not tell."), Vec::new())
        }
        ApiError::TimedOut => ("No answer came within 30 seconds.".to_owned(), Vec::new()),
        ApiError::Unreachable | ApiError::Cancelled | ApiError::InvalidBaseUrl => {
            ("The connection broke before an answer came.".to_owned(), Vec::new())
        }
    }
}

/// How a write failed; `S` is remembered of what was sent.
#[derive(Clone, PartialEq)]
pub(crate) enum WriteFailure<L, S = ()> {
    /// The service did not do it.
    Rejected(ApiError),
    /// No answer tells whether it did.
    InDoubt(Box<(S, InDoubtWrite<L>)>),
}

/// Says how a write failed, if it did.
#[component]
pub(crate) fn WriteFailureNotice<L, S>(
    /// Title when the service did not do it.
    refused: &'static str,
    /// Title when that is not known.
    unknown: &'static str,
    /// What became of it.
    attempt: RwSignal<Option<WriteFailure<L, S>>>,
    /// Whether it was a deletion.
    #[prop(optional)]
    deletes: bool,
    /// Whether something is under way.
    busy: RwSignal<bool>,
    /// Looks it up again.
    again: Callback<(S, InDoubtWrite<L>)>,
) -> impl IntoView
where
    L: WriteProbe + Send + Sync + 'static,
    S: Clone + Send + Sync + 'static,
{
    move || {
        attempt.get().map(|attempt| match attempt {
            WriteFailure::Rejected(problem) => view! { <ApiErrorNotice title=refused problem /> }.into_any(),
            WriteFailure::InDoubt(attempt) => {
                let (problem, seen) = (attempt.1.problem.clone(), attempt.1.seen);
                let again = Callback::new(move |()| again.run((*attempt).clone()));
                view! { <InDoubtNotice title=unknown problem seen deletes busy again /> }.into_any()
            }
        })
    }
}

/// The words of a toast for a write whose page was left before its outcome came.
pub(crate) fn in_doubt_toast(title: &str) -> String {
    format!("{title}: look at the list before you send it again")
}
