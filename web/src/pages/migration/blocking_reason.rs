//! The reason why an update of the migration cannot be sent.

use super::context::{AnalysisProgress, MigrationContext, ServiceSnapshot};
use super::ruleset_editor::{CHECKING_MESSAGE, NO_MANAGED_RULESET_MESSAGE};
use crate::components::answer_view::EngineFailure;
use crate::engine::Answer;
use leptos::prelude::*;
use zonewright_api::waf_migration::MigrationState;

/// The reason why an update cannot be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum BlockingReason {
    /// A missing setting, the zone, the service, or the new configuration prevents it; the message names the cause.
    Problem(&'static str),
    /// The engine has no result yet for the current configuration; the message names the pending check.
    Pending(&'static str),
    /// The engine failed, for this reason.
    EngineFailed(String),
}

/// Returns the reason why an update to a target state cannot be sent; `None` if it can.
pub(super) fn blocking_reason(context: MigrationContext, target: MigrationState) -> Option<BlockingReason> {
    let problem = |message| Some(BlockingReason::Problem(message));
    if let Some(missing) = context.source.service.connection.read().missing_setting() {
        return problem(missing);
    }
    if !context.source.is_of_zone() {
        return problem("The configuration was not loaded from the selected zone. Load it in the Check step.");
    }
    match context.source.progress() {
        AnalysisProgress::Pending => return Some(BlockingReason::Pending("Analyzing the configuration…")),
        AnalysisProgress::Failed(reason) => return Some(BlockingReason::EngineFailed(reason)),
        AnalysisProgress::Missing | AnalysisProgress::Done => {}
    }
    if context.source.with_analysis(|analysis| analysis.is_eligible()) != Some(true) {
        return problem("The zone cannot migrate. See Check for the reason.");
    }
    if let Some(message) = missing_proposal_reason(&context.snapshot.responses.read()) {
        return problem(message);
    }
    match context.proposal.validated() {
        None => Some(no_result_reason(&context.proposal.answer.read())),
        Some(new) if !new.is_valid() => problem("The new configuration has problems. Fix them in the Review step."),
        Some(_) if target != MigrationState::Pending => None,
        Some(_) => match context.proposal.drops_managed_rules() {
            Some(true) => problem(NO_MANAGED_RULESET_MESSAGE),
            Some(false) => None,
            None => Some(no_result_reason(&context.proposal.proof.read())),
        },
    }
}

/// Returns the reason for an answer that has no result for the current input.
fn no_result_reason<T>(answer: &Answer<T>) -> BlockingReason {
    match answer {
        Answer::Failed(reason) => BlockingReason::EngineFailed(reason.clone()),
        Answer::Pending | Answer::Ready(_) => BlockingReason::Pending(CHECKING_MESSAGE),
    }
}

/// Returns the reason why no conditional update is possible. Without the entity tag of a proposal, an update could
/// overwrite a concurrent change.
fn missing_proposal_reason(responses: &Option<ServiceSnapshot>) -> Option<&'static str> {
    match responses.as_ref().map(|responses| responses.proposal.as_ref().map(|proposal| &proposal.etag)) {
        Some(Some(Some(_))) => None,
        Some(Some(None)) => Some(
            "The service returned its proposal without an ETag, so an update could overwrite a concurrent change. \
             Nothing is sent. The ETag can be missing if the service is on a different site than \
             this page.",
        ),
        _ => Some("The service proposes no configuration for the zone. See Check for the reason."),
    }
}

/// Shows the reason why an update cannot be sent. If the engine failed, a button tries again.
#[component]
pub(super) fn BlockingNotice(
    /// The migration state after the update.
    target: MigrationState,
    /// The message if nothing prevents the update.
    #[prop(optional)]
    ready_message: &'static str,
) -> impl IntoView {
    let context = MigrationContext::get();
    let reason = Memo::new(move |_| blocking_reason(context, target));
    move || match reason.get() {
        Some(BlockingReason::EngineFailed(reason)) => view! { <EngineFailure reason /> }.into_any(),
        Some(BlockingReason::Problem(message) | BlockingReason::Pending(message)) => {
            view! { <p class="quiet">{message}</p> }.into_any()
        }
        None => view! { <p class="quiet" hidden=ready_message.is_empty()>{ready_message}</p> }.into_any(),
    }
}
