//! The steps of the migration as a navigation bar, with a mark before the irreversible part.

use super::context::{MigrationContext, MigrationStep};
use crate::components::icon::{Icon, IconView};
use leptos::prelude::*;
use zonewright_api::waf_migration::MigrationState;

/// Returns the title of a step.
pub(super) fn title(stage: MigrationStep) -> &'static str {
    MigrationStep::ALL.iter().find(|(candidate, _)| *candidate == stage).map_or("", |(_, title)| title)
}

/// The navigation bar.
#[component]
pub(super) fn Stepper() -> impl IntoView {
    let context = MigrationContext::get();
    let steps = MigrationStep::ALL.iter().map(|(stage, title)| {
        let stage = *stage;
        let skipped = move || stage == MigrationStep::Validation && !context.has_validation_step();
        let current = move || (context.stage.get() == stage).then_some("step");
        view! {
            {(stage == MigrationStep::Status).then(|| view! { <IrreversibleMark /> })}
            <li class="rail-step" hidden=skipped>
                <button type="button" class="rail-button" aria-current=current on:click=move |_| context.stage.set(stage)>
                    <span class="rail-mark" aria-hidden="true">
                        {move || is_done(context, stage).then(|| view! { <IconView icon=Icon::Success /> })}
                    </span>
                    <span>{*title}</span>
                    {move || is_done(context, stage).then(|| view! { <span class="visually-hidden">", done"</span> })}
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

/// Reports whether a step is complete.
fn is_done(context: MigrationContext, stage: MigrationStep) -> bool {
    let state = context.state();
    let through = state > MigrationState::Validation;
    match stage {
        MigrationStep::Check => {
            through
                || context
                    .with_analysis(|analysis| analysis.blocked.is_empty() && analysis.support.is_empty())
                    .unwrap_or(false)
        }
        MigrationStep::Configuration => through || context.backup.read().is_some(),
        MigrationStep::Review => {
            through
                || context.with_analysis(|analysis| all_ticked(context, &analysis.losses())).unwrap_or(false)
                    && context.backup.read().is_some()
        }
        MigrationStep::Validation => state >= MigrationState::Validation,
        MigrationStep::Finish => through,
        MigrationStep::Status => state == MigrationState::Complete,
    }
}

/// Reports whether the user confirmed every loss.
pub(super) fn all_ticked(context: MigrationContext, losses: &[zonewright_api::finding::Finding]) -> bool {
    let ticked = context.reviewed_losses.read();
    losses.iter().all(|loss| ticked.contains(&loss.setting))
}

/// Marks the point after which the migration is irreversible.
#[component]
fn IrreversibleMark() -> impl IntoView {
    let context = MigrationContext::get();
    let behind = move || context.state() > MigrationState::Validation;
    view! {
        <li class="rail-door" class:behind=behind>
            <svg class="door" viewBox="0 0 40 32" aria-hidden="true">
                <path class="door-frame" d="M12.5 30.5v-29h17v29"></path>
                <path class="door-leaf" d="M29.5 1.5l-9 4v25l9-4z"></path>
                <path class="door-way" d="M2 16h13m-4-4 4 4-4 4"></path>
            </svg>
            <span>{move || if behind() { "Migrated" } else { "Irreversible" }}</span>
        </li>
    }
}
