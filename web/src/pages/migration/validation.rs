//! The validation step for Enterprise zones, in which old and new rules run side by side.

use super::configuration::NoConfiguration;
use super::context::{MigrationContext, MigrationStep, ServiceSnapshot, SnapshotContext, SourceContext};
use super::ruleset_diff::{DiffBase, DiffSummary};
use super::ruleset_editor::NO_MANAGED_RULESET_MESSAGE;
use super::submit::{UpdateProgress, request_to_text, send};
use crate::components::code_view::CodeView;
use crate::components::part_view::LoadFailure;
use crate::part::{Part, PartContext, PartResult, PartState};
use leptos::prelude::*;
use wasm_split_helpers::wasm_split;
use zonewright_api::waf_migration::MigrationState;

/// The step, which is a part of the app.
#[wasm_split(migration_review, fallible)]
pub(super) fn validation_step() -> PartResult<AnyView> {
    Ok(view! { <ValidationStep /> }.into_any())
}

/// The step.
#[component]
fn ValidationStep() -> impl IntoView {
    let source = SourceContext::get();
    let snapshot = SnapshotContext::get();
    let has_configuration = Memo::new(move |_| source.with_analysis(|_| ()).is_some());
    let content = move || {
        if has_configuration.get() {
            view! { <ValidationPanel /> }.into_any()
        } else {
            view! { <NoConfiguration /> }.into_any()
        }
    };
    view! {
        <section class="part pad" aria-labelledby="validation-title">
            <h2 id="validation-title">"Validation"</h2>
            <p class="prose">"The old and new managed rules run side by side. Nothing is turned off, you can change the new configuration as often as you need, and the provider's analytics show what the new rules find. Only Enterprise zones have this step. You can skip it, but then the new rules are untested when the old ones are turned off."</p>
            {move || (snapshot.state() == MigrationState::Validation).then(|| view! {
                <p><strong>"The zone is now in validation."</strong> " Sending again updates the new configuration."</p>
            })}
            {move || (snapshot.state() > MigrationState::Validation).then(|| view! {
                <p><strong>"This zone has already been migrated. It cannot return to validation."</strong></p>
            })}
        </section>
        {content}
    }
}

#[component]
fn ValidationPanel() -> impl IntoView {
    let context = MigrationContext::get();
    let reason = move || blocking_reason(context, MigrationState::Validation).map(BlockingReason::message);
    let busy = move || context.update.state.read().blocks_sending();
    let is_migrated = move || context.snapshot.state() > MigrationState::Validation;
    view! {
        <section class="part pad" aria-label="Send to validation">
            <DiffSummary against=DiffBase::Saved />
            <CodeView title="Request" note="The check and the configuration are loaded again first. Then the request is sent once." text=Signal::derive(|| request_to_text(MigrationState::Validation)) />
            <p class="quiet" hidden=move || reason().is_none()>{move || reason().unwrap_or_default()}</p>
            <div class="wrap-row">
                <button type="button" class="button primary" disabled=move || reason().is_some() || is_migrated() aria-disabled=move || busy().to_string() on:click=move |_| send(MigrationState::Validation)>
                    {move || if context.snapshot.state() == MigrationState::Validation { "Update configuration" } else { "Start validation" }}
                </button>
                <button type="button" class="button" on:click=move |_| context.steps.show(MigrationStep::Finish)>"Continue to the final step"</button>
            </div>
            <UpdateProgress />
        </section>
    }
}

/// The message while nothing prevents the end of the migration.
const READY_MESSAGE: &str = "The check and the configuration are loaded again right before the update is sent.";

/// The reason why an update cannot be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockingReason {
    /// The zone, the service or the new configuration prevents it; the message says which.
    Problem(&'static str),
    /// The part that checks the new configuration is not loaded.
    Unchecked,
}

impl BlockingReason {
    fn message(self) -> &'static str {
        match self {
            BlockingReason::Problem(message) => message,
            BlockingReason::Unchecked => "Loading the check of the new configuration…",
        }
    }
}

/// Shows the reason why the migration cannot be finished. If the check of the new configuration could not be loaded, a
/// button tries again.
#[component]
pub(super) fn FinishBlocker() -> impl IntoView {
    let context = MigrationContext::get();
    let parts = PartContext::get();
    let reason = Memo::new(move |_| blocking_reason(context, MigrationState::Pending));
    let has_failed = Memo::new(move |_| parts.state(Part::Proofs) == PartState::Failed);
    let retry = Callback::new(move |()| parts.request(Part::Proofs));
    move || match reason.get() {
        Some(BlockingReason::Unchecked) if has_failed.get() => {
            view! { <LoadFailure title="The check of the new configuration" retry /> }.into_any()
        }
        Some(reason) => view! { <p class="quiet">{reason.message()}</p> }.into_any(),
        None => view! { <p class="quiet">{READY_MESSAGE}</p> }.into_any(),
    }
}

/// Returns the reason why an update to a target state cannot be sent; `None` if it can.
pub(super) fn blocking_reason(context: MigrationContext, target: MigrationState) -> Option<BlockingReason> {
    if let Some(missing) = context.source.service.connection.read().missing_setting() {
        return Some(BlockingReason::Problem(missing));
    }
    let message = if !context.source.is_of_zone() {
        "The configuration was not loaded from the selected zone. Load it in the Check step."
    } else if context
        .source
        .with_analysis(|analysis| !analysis.blockers.is_empty() || !analysis.support_findings.is_empty())
        .unwrap_or(true)
    {
        "The zone cannot migrate. See Check for the reason."
    } else if let Some(message) = missing_proposal_reason(&context.snapshot.responses.read()) {
        message
    } else if !context.proposal.new_configuration.read().problems.is_empty()
        || context.proposal.new_configuration.read().body.is_none()
    {
        "The new configuration has problems. Fix them in the Review step."
    } else if target == MigrationState::Pending {
        match context.proposal.new_configuration.read().lacks_managed_rules {
            Some(true) => NO_MANAGED_RULESET_MESSAGE,
            Some(false) => return None,
            None => return Some(BlockingReason::Unchecked),
        }
    } else {
        return None;
    };
    Some(BlockingReason::Problem(message))
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
