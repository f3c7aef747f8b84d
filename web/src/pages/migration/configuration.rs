//! The second step: the current configuration, its backup, and the proposal from the service.

use super::analysis_gate::{AnalysisPending, NoConfiguration};
use super::context::{
    AnalysisProgress, MigrationStep, ProposalContext, SnapshotContext, SourceContext, StepContext, UpdateContext,
};
use super::files;
use super::zone_configuration::{Configuration, ConfigurationState};
use crate::components::answer_view::EngineFailure;
use crate::components::icon::{Icon, IconView};
use crate::state::toasts::ToastContext;
use leptos::prelude::*;
use serde::Deserialize;
use std::sync::Arc;
use zonewright_api::legacy_waf::Switch;
use zonewright_api::ruleset::EntryPoint;

/// The step.
#[component]
pub(super) fn ConfigurationStep() -> impl IntoView {
    let source = SourceContext::get();
    move || match &**source.state.read() {
        ConfigurationState::Valid(configuration) => {
            view! { <ConfigurationSummary configuration=Arc::clone(configuration) /> }.into_any()
        }
        ConfigurationState::Empty | ConfigurationState::Invalid(_) => view! { <NoConfiguration /> }.into_any(),
    }
}

#[component]
fn ConfigurationSummary(configuration: Arc<Configuration>) -> impl IntoView {
    let steps = StepContext::get();
    let config = &configuration.config;
    let rows = [
        ("Managed rules", if config.waf == Switch::On { "on".to_owned() } else { "off".to_owned() }),
        ("Packages", config.packages.len().to_string()),
        ("Groups", config.groups.len().to_string()),
        ("Rules", config.rules.len().to_string()),
        ("Overrides by URL", config.overrides.len().to_string()),
        ("Firewall rules", config.firewall_rules.len().to_string()),
        ("Page rules", config.page_rules.len().to_string()),
        (
            "Rules in the current entry point",
            config
                .entry_point
                .as_ref()
                .map_or_else(|| "none".to_owned(), |entry_point| entry_point.rules.len().to_string()),
        ),
    ];
    let rows = rows.into_iter().map(|(name, value)| view! { <tr><th scope="row">{name}</th><td>{value}</td></tr> });
    let name = configuration.zone_name();
    view! {
        <div class="columns">
            <section class="part" aria-labelledby="current-title">
                <h2 id="current-title">{format!("Current configuration of {}", if name.is_empty() { "the zone".to_owned() } else { name })}</h2>
                <table class="fact-table" aria-label="Current configuration"><tbody>{rows.collect_view()}</tbody></table>
                <p class="quiet">"Fingerprint " <code class="fingerprint">{configuration.fingerprint.clone()}</code></p>
            </section>
            <section class="part" aria-labelledby="backup-title">
                <h2 id="backup-title">"Backup"</h2>
                <p>"After the migration, the previous API no longer responds, so this file is the only record of the old configuration. The Finish step requires it."</p>
                <BackupButton />
                <h2>"Proposal from the service"</h2>
                {proposal_view}
                <div class="wrap-row">
                    <button type="button" class="button" on:click=move |_| steps.show(MigrationStep::Review)>"Continue to review"</button>
                </div>
            </section>
        </div>
    }
}

/// A button that saves a backup of the configuration.
#[component]
pub(super) fn BackupButton() -> impl IntoView {
    let source = SourceContext::get();
    let update = UpdateContext::get();
    let toasts = ToastContext::get();
    let save = move |_| {
        let file = source.with_configuration(|configuration| {
            let text = serde_json::to_string_pretty(&configuration.document).unwrap_or_default();
            (format!("{}-before-migration.json", configuration.file_stem()), text, configuration.fingerprint.clone())
        });
        let Some((name, text, fingerprint)) = file else { return };
        if files::download(&name, &text) {
            update.backup.set(Some(fingerprint));
        } else {
            toasts.show_error("The browser could not save the file. Copy the configuration instead.");
        }
    };
    view! {
        <div class="wrap-row">
            <button type="button" class="button primary" on:click=save>"Save backup"</button>
            {move || has_backup(source, update).then(|| view! { <span class="good"><IconView icon=Icon::Success />"Backup of this configuration saved"</span> })}
        </div>
    }
}

/// Returns whether a backup of the current configuration was saved.
pub(super) fn has_backup(source: SourceContext, update: UpdateContext) -> bool {
    let backup = update.backup.read();
    source.with_configuration(|configuration| backup.as_ref() == Some(&configuration.fingerprint)).unwrap_or(false)
}

/// Compares the proposal from the service with the plan on this page.
fn proposal_view() -> AnyView {
    let steps = StepContext::get();
    let source = SourceContext::get();
    let proposal = ProposalContext::get();
    let snapshot = SnapshotContext::get();
    if !source.is_of_zone() {
        return view! { <p class="quiet">"Load the zone from the service to compare its proposal with the plan on this page."</p> }.into_any();
    }
    let Some(suggested) = snapshot.responses.get().and_then(|responses| responses.proposal) else {
        return view! { <p class="quiet">"The service proposes no configuration for the zone. See Check for the reason."</p> }.into_any();
    };
    match source.progress() {
        AnalysisProgress::Done => {}
        AnalysisProgress::Failed(reason) => return view! { <EngineFailure reason /> }.into_any(),
        AnalysisProgress::Missing | AnalysisProgress::Pending => return view! { <AnalysisPending /> }.into_any(),
    }
    let suggested_rules = EntryPoint::deserialize(&suggested.body).ok().map(|entry_point| entry_point.rules);
    let planned_rules = source.with_analysis(|analysis| analysis.plan.entry_point.rules.clone());
    let is_same = suggested_rules.is_some() && suggested_rules == planned_rules;
    let rules = suggested.body.get("rules").and_then(|rules| rules.as_array()).map_or(0, Vec::len);
    let review_proposal = move |_| {
        proposal.edited.set(serde_json::to_string_pretty(&suggested.body).ok());
        steps.show(MigrationStep::Review);
    };
    if is_same {
        let message = format!("The service proposes the same {rules} rules as this page.");
        view! { <p class="good"><IconView icon=Icon::Success /><span>{message}</span></p> }.into_any()
    } else {
        view! {
            <p>{format!("The service proposes a different configuration, with {rules} rules. The review uses the plan on this page unless you choose the proposal.")}</p>
            <button type="button" class="button" on:click=review_proposal>"Review the proposal"</button>
        }
        .into_any()
    }
}
