//! The step that switches to the new rules irreversibly, and its preconditions.

use super::analysis_gate::AnalysisGate;
use super::blocking_reason::{BlockingNotice, blocking_reason};
use super::configuration::{BackupButton, has_backup};
use super::context::{MigrationContext, SourceContext, UpdateContext};
use super::plan::Finding;
use super::ruleset_diff::{DiffBase, DiffSummary};
use super::stepper::all_losses_reviewed;
use super::submit::{UpdateProgress, request_to_text, send};
use super::zone_configuration::Configuration;
use crate::components::code_view::CodeView;
use crate::components::icon::{Icon, IconView};
use crate::components::markdown::InlineCode;
use crate::part::PartResult;
use leptos::prelude::*;
use wasm_split_helpers::wasm_split;
use zonewright_api::waf_migration::MigrationState;

/// The message while nothing prevents the end of the migration.
const READY_MESSAGE: &str = "The check and the configuration are loaded again right before the update is sent.";

/// The step, which is a part of the app.
#[wasm_split(migration_review, fallible)]
pub(super) fn finish_step() -> PartResult<AnyView> {
    Ok(view! { <FinishStep /> }.into_any())
}

/// The step.
#[component]
fn FinishStep() -> impl IntoView {
    let source = SourceContext::get();
    // The list of losses is memoized, so that checking a box does not rebuild it and the focus remains.
    let losses = Memo::new(move |_| source.with_analysis(|analysis| analysis.losses()));
    view! { <AnalysisGate content=move || losses.get().map(|losses| view! { <Checklist losses /> }).into_any() /> }
}

#[component]
fn Checklist(losses: Vec<Finding>) -> impl IntoView {
    let context = MigrationContext::get();
    let stored_losses = StoredValue::new(losses.clone());
    let all_reviewed = move || stored_losses.with_value(|losses| all_losses_reviewed(context.update, losses));
    let name = move || context.source.with_configuration(Configuration::zone_name).unwrap_or_default();
    let is_name_confirmed = move || !name().is_empty() && context.update.confirmation.read().trim() == name();
    let is_migrated = move || context.snapshot.state() > MigrationState::Validation;
    let is_ready = move || {
        blocking_reason(context, MigrationState::Pending).is_none()
            && has_backup(context.source, context.update)
            && all_reviewed()
            && is_name_confirmed()
            && !is_migrated()
    };
    let busy = move || context.update.state.read().blocks_sending();
    let skips_validation =
        move || context.source.has_validation_step() && context.snapshot.state() == MigrationState::Start;
    view! {
        <div class="part pad gate">
            <div class="notice error">
                <IconView icon=Icon::Warning />
                <div class="notice-body">
                    <p class="notice-title">"This cannot be undone"</p>
                    <p>{move || format!("This step permanently turns off the previous managed rules of {} and their API.", name())}</p>
                    {move || skips_validation().then(|| view! { <p>"This zone skipped validation, so the old and new rules never ran side by side."</p> })}
                </div>
            </div>
            <ol class="gate-list">
                <li class="gate-item"><ChecklistHeading done=Signal::derive(move || has_backup(context.source, context.update)) title="Back up the old configuration" /><BackupButton /></li>
                <li class="gate-item">
                    <ChecklistHeading done=Signal::derive(all_reviewed) title="Review every loss" />
                    <LossList losses />
                </li>
                <li class="gate-item">
                    <ChecklistHeading done=Signal::derive(move || blocking_reason(context, MigrationState::Pending).is_none()) title="No blockers" />
                    <BlockingNotice target=MigrationState::Pending ready_message=READY_MESSAGE />
                </li>
                <li class="gate-item">
                    <ChecklistHeading done=Signal::derive(is_name_confirmed) title="Confirm the zone" />
                    <div class="field">
                        <label class="field-label" for="gate-name">{move || format!("Type {} to confirm", name())}</label>
                        <input id="gate-name" type="text" autocomplete="off" spellcheck="false" prop:value=move || context.update.confirmation.get() on:input=move |event| context.update.confirmation.set(event_target_value(&event)) />
                    </div>
                </li>
            </ol>
            <section class="part" aria-labelledby="gate-changes">
                <h2 id="gate-changes">"Changes"</h2>
                <DiffSummary against=DiffBase::Saved />
                {move || context.proposal.edited.read().is_some().then(|| view! { <DiffSummary against=DiffBase::Plan /> })}
            </section>
            <CodeView title="Request" note="This exact request is sent, once." text=Signal::derive(|| request_to_text(MigrationState::Pending)) />
            <div class="wrap-row">
                <button type="button" class="button danger" disabled=move || !is_ready() aria-disabled=move || busy().to_string() on:click=move |_| send(MigrationState::Pending)>"Migrate permanently"</button>
                <span class="quiet">{move || if is_migrated() { "This zone has already been migrated." } else if is_ready() { "" } else { "Complete all four steps first." }}</span>
            </div>
            <UpdateProgress />
        </div>
    }
}

#[component]
fn ChecklistHeading(done: Signal<bool>, title: &'static str) -> impl IntoView {
    view! {
        <p class="gate-head">
            {move || if done.get() {
                view! { <span class="rail-mark"><IconView icon=Icon::Success /></span><span class="visually-hidden">"Done: "</span> }.into_any()
            } else {
                view! { <span class="rail-mark"></span><span class="visually-hidden">"To do: "</span> }.into_any()
            }}
            <strong>{title}</strong>
        </p>
    }
}

#[component]
fn LossList(losses: Vec<Finding>) -> impl IntoView {
    let update = UpdateContext::get();
    let is_empty = losses.is_empty();
    let rows = losses.into_iter().map(|finding| {
        let pointer = StoredValue::new(finding.setting);
        let checked = move || update.reviewed_losses.read().contains(&pointer.get_value());
        let set_reviewed = move |event| {
            let is_checked = event_target_checked(&event);
            update.reviewed_losses.update(|reviewed| {
                if is_checked {
                    reviewed.insert(pointer.get_value())
                } else {
                    reviewed.remove(&pointer.get_value())
                };
            });
        };
        view! {
            <li>
                <label class="check loss">
                    <input type="checkbox" prop:checked=checked on:change=set_reviewed />
                    <span><strong>{finding.name}</strong> ": " <InlineCode text=finding.message /></span>
                </label>
            </li>
        }
    });
    view! {
        <ul class="losses">{rows.collect_view()}</ul>
        <p class="quiet" hidden=!is_empty>"No customized settings are lost."</p>
    }
}
