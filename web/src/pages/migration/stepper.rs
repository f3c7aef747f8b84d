//! The migration steps as a navigation bar, with a mark where the migration becomes irreversible.

use super::context::{MigrationContext, MigrationStep, SnapshotContext, UpdateContext};
use super::plan::Finding;
use crate::components::icon::{Icon, IconView};
use leptos::prelude::*;
use zonewright_api::waf_migration::MigrationState;

/// The navigation bar.
#[component]
pub(super) fn Stepper() -> impl IntoView {
    let context = MigrationContext::get();
    let steps = MigrationStep::ALL.iter().map(|(step, title)| {
        let step = *step;
        let is_skipped = move || step == MigrationStep::Validation && !context.source.has_validation_step();
        let current = move || (context.steps.current.get() == step).then_some("step");
        view! {
            {(step == MigrationStep::Status).then(|| view! { <IrreversibleMark /> })}
            <li class="rail-step" hidden=is_skipped>
                <button type="button" class="rail-button" aria-current=current on:click=move |_| context.steps.show(step)>
                    <span class="rail-mark" aria-hidden="true">
                        {move || is_done(context, step).then(|| view! { <IconView icon=Icon::Success /> })}
                    </span>
                    <span>{*title}</span>
                    {move || is_done(context, step).then(|| view! { <span class="visually-hidden">" (done)"</span> })}
                </button>
            </li>
        }
    });
    view! {
        <nav class="rail" aria-label="Migration steps">
            <ol class="rail-steps">{steps.collect_view()}</ol>
        </nav>
    }
}

/// Returns whether a step is complete.
fn is_done(context: MigrationContext, step: MigrationStep) -> bool {
    let state = context.snapshot.state();
    let is_migrated = state > MigrationState::Validation;
    match step {
        MigrationStep::Check => {
            is_migrated || context.source.with_analysis(|analysis| analysis.is_eligible()).unwrap_or(false)
        }
        MigrationStep::Configuration => is_migrated || context.update.backup.read().is_some(),
        MigrationStep::Review => {
            is_migrated
                || context
                    .source
                    .with_analysis(|analysis| all_losses_reviewed(context.update, &analysis.losses()))
                    .unwrap_or(false)
                    && context.update.backup.read().is_some()
        }
        MigrationStep::Validation => state >= MigrationState::Validation,
        MigrationStep::Finish => is_migrated,
        MigrationStep::Status => state == MigrationState::Complete,
    }
}

/// Returns whether the user confirmed every loss.
pub(super) fn all_losses_reviewed(update: UpdateContext, losses: &[Finding]) -> bool {
    let reviewed = update.reviewed_losses.read();
    losses.iter().all(|loss| reviewed.contains(&loss.setting))
}

/// Marks the point after which the migration is irreversible.
#[component]
fn IrreversibleMark() -> impl IntoView {
    let snapshot = SnapshotContext::get();
    let is_migrated = move || snapshot.state() > MigrationState::Validation;
    view! {
        <li class="rail-irreversible" class:migrated=is_migrated>
            <svg class="door" viewBox="0 0 40 32" aria-hidden="true">
                <path class="door-frame" d="M12.5 30.5v-29h17v29"></path>
                <path class="door-leaf" d="M29.5 1.5l-9 4v25l9-4z"></path>
                <path class="door-way" d="M2 16h13m-4-4 4 4-4 4"></path>
            </svg>
            <span>{move || if is_migrated() { "Migrated" } else { "Irreversible" }}</span>
        </li>
    }
}
