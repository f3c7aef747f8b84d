//! The validation step for Enterprise zones, in which old and new rules run side by side.

use super::configuration::NoConfiguration;
use super::context::{MigrationContext, MigrationStep, ServiceSnapshot};
use super::ruleset_diff::{DiffBase, DiffSummary};
use super::ruleset_editor::NO_MANAGED_RULESET_MESSAGE;
use super::submit::{UpdateProgress, send, shown};
use crate::components::code_view::CodeView;
use leptos::prelude::*;
use zonewright_api::waf_migration::MigrationState;

/// The step.
#[component]
pub(super) fn ValidationStep() -> impl IntoView {
    let context = MigrationContext::get();
    let known = Memo::new(move |_| context.with_analysis(|_| ()).is_some());
    let content = move || {
        if known.get() { view! { <Send /> }.into_any() } else { view! { <NoConfiguration /> }.into_any() }
    };
    view! {
        <section class="part pad" aria-labelledby="validation-title">
            <h2 id="validation-title">"Validation"</h2>
            <p class="prose">"Old and new managed rules run side by side. Nothing is switched off, the new configuration can be adjusted as often as needed, and the analytics of the provider show what the new rules find. Only Enterprise zones have this step. It can be left out, but then nobody has seen the new rules at work before the old ones are gone."</p>
            {move || (context.state() == MigrationState::Validation).then(|| view! {
                <p><strong>"The zone is in validation now."</strong> " Sending again adjusts the new configuration."</p>
            })}
            {move || (context.state() > MigrationState::Validation).then(|| view! {
                <p><strong>"The zone is through the door: there is no way back to the validation."</strong></p>
            })}
        </section>
        {content}
    }
}

#[component]
fn Send() -> impl IntoView {
    let context = MigrationContext::get();
    let missing = move || blocking_reason(context, MigrationState::Validation);
    let busy = move || context.update.read().blocks_sending();
    let over = move || context.state() > MigrationState::Validation;
    view! {
        <section class="part pad" aria-label="Send to validation">
            <DiffSummary against=DiffBase::Saved />
            <CodeView title="Request" note="Sent once, after check and configuration were asked for again." text=Signal::derive(|| shown(MigrationState::Validation)) />
            <p class="quiet" hidden=move || missing().is_none()>{move || missing().unwrap_or_default()}</p>
            <div class="wrap-row">
                <button type="button" class="button primary" disabled=move || missing().is_some() || over() aria-disabled=move || busy().to_string() on:click=move |_| send(MigrationState::Validation)>
                    {move || if context.state() == MigrationState::Validation { "Adjust" } else { "Start validation" }}
                </button>
                <button type="button" class="button" on:click=move |_| context.stage.set(MigrationStep::Finish)>"Go on to the last step"</button>
            </div>
            <UpdateProgress />
        </section>
    }
}

/// Returns the reason why an update to a target state cannot be sent; `None` if it can.
pub(super) fn blocking_reason(context: MigrationContext, target: MigrationState) -> Option<String> {
    if let Some(missing) = context.service.connection.read().missing_setting() {
        return Some(missing.to_owned());
    }
    let words = if !context.is_of_zone() {
        "The configuration was not read from the chosen zone: read it in the first step."
    } else if context.with_analysis(|one| !one.blocked.is_empty() || !one.support.is_empty()).unwrap_or(true) {
        "The zone cannot migrate: the check says why."
    } else if let Some(words) = missing_proposal_reason(&context.seen.read()) {
        words
    } else if !context.new_configuration.read().problems.is_empty() || context.new_configuration.read().body.is_none() {
        "The new configuration has problems: mend them in the review."
    } else if context.new_configuration.read().bare && target == MigrationState::Pending {
        NO_MANAGED_RULESET_MESSAGE
    } else {
        return None;
    };
    Some(words.to_owned())
}

/// Returns the reason why no conditional update is possible. Without the entity tag of a proposal, an update could
/// overwrite a concurrent change.
fn missing_proposal_reason(seen: &Option<ServiceSnapshot>) -> Option<&'static str> {
    match seen.as_ref().map(|seen| seen.proposal.as_ref().map(|proposal| &proposal.etag)) {
        Some(Some(Some(_))) => None,
        Some(Some(None)) => Some(
            "The service gave its new configuration without an ETag, so an update could overwrite what somebody else \
             changes meanwhile: nothing is sent. An ETag can be missing when the service lives at another address than \
             this page.",
        ),
        _ => Some("The service makes no new configuration for the zone: the check says why."),
    }
}
