//! The validation step for Enterprise zones, in which old and new rules run side by side.

use super::analysis_gate::AnalysisGate;
use super::blocking_reason::{BlockingNotice, blocking_reason};
use super::context::{MigrationContext, MigrationStep, SnapshotContext};
use super::ruleset_diff::{DiffBase, DiffSummary};
use super::submit::{UpdateProgress, request_to_text, send};
use crate::components::code_view::CodeView;
use crate::part::PartResult;
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
    let snapshot = SnapshotContext::get();
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
        <AnalysisGate content=|| view! { <ValidationPanel /> }.into_any() />
    }
}

#[component]
fn ValidationPanel() -> impl IntoView {
    let context = MigrationContext::get();
    let is_blocked = move || blocking_reason(context, MigrationState::Validation).is_some();
    let busy = move || context.update.state.read().blocks_sending();
    let is_migrated = move || context.snapshot.state() > MigrationState::Validation;
    view! {
        <section class="part pad" aria-label="Send to validation">
            <DiffSummary against=DiffBase::Saved />
            <CodeView title="Request" note="The check and the configuration are loaded again first. Then the request is sent once." text=Signal::derive(|| request_to_text(MigrationState::Validation)) />
            <BlockingNotice target=MigrationState::Validation />
            <div class="wrap-row">
                <button type="button" class="button primary" disabled=move || is_blocked() || is_migrated() aria-disabled=move || busy().to_string() on:click=move |_| send(MigrationState::Validation)>
                    {move || if context.snapshot.state() == MigrationState::Validation { "Update configuration" } else { "Start validation" }}
                </button>
                <button type="button" class="button" on:click=move |_| context.steps.show(MigrationStep::Finish)>"Continue to the final step"</button>
            </div>
            <UpdateProgress />
        </section>
    }
}
