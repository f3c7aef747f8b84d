//! The second step: the current configuration, its backup, and the proposal from the service.

use super::analysis::ConfigurationAnalysis;
use super::context::{MigrationStep, ProposalContext, SnapshotContext, SourceContext, StepContext, UpdateContext};
use super::files;
use super::source::FromZone;
use crate::components::icon::{Icon, IconView};
use crate::state::toasts::ToastContext;
use leptos::prelude::*;
use zonewright_api::legacy_waf::Switch;
use zonewright_api::ruleset::EntryPoint;

/// The step.
#[component]
pub(super) fn ConfigurationStep() -> impl IntoView {
    let source = SourceContext::get();
    move || match source.with_analysis(|analysis| view! { <ConfigurationSummary analysis=analysis.clone() /> }) {
        Some(summary) => summary.into_any(),
        None => view! { <NoConfiguration /> }.into_any(),
    }
}

/// Explains that there is no configuration, and offers its sources.
#[component]
pub(super) fn NoConfiguration() -> impl IntoView {
    let steps = StepContext::get();
    view! {
        <div class="empty">
            <h2>"No configuration yet"</h2>
            <p>"This step needs a zone configuration. Load it from the service, or paste it in the Check step."</p>
            <FromZone />
            <button type="button" class="button" on:click=move |_| steps.show(MigrationStep::Check)>"Go to Check"</button>
        </div>
    }
}

#[component]
fn ConfigurationSummary(analysis: ConfigurationAnalysis) -> impl IntoView {
    let steps = StepContext::get();
    let config = &analysis.config;
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
    let planned = analysis.plan.entry_point.clone();
    let name = analysis.zone_name();
    view! {
        <div class="columns">
            <section class="part" aria-labelledby="current-title">
                <h2 id="current-title">{format!("Current configuration of {}", if name.is_empty() { "the zone".to_owned() } else { name })}</h2>
                <table class="fact-table" aria-label="Current configuration"><tbody>{rows.collect_view()}</tbody></table>
                <p class="quiet">"Fingerprint " <code class="fingerprint">{analysis.fingerprint.clone()}</code></p>
            </section>
            <section class="part" aria-labelledby="backup-title">
                <h2 id="backup-title">"Backup"</h2>
                <p>"After the migration, the previous API no longer responds, so this file is the only record of the old configuration. The Finish step requires it."</p>
                <BackupButton />
                <h2>"Proposal from the service"</h2>
                {move || proposal_view(&planned)}
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
        let file = source.with_analysis(|analysis| {
            let text = serde_json::to_string_pretty(&analysis.document).unwrap_or_default();
            (format!("{}-before-migration.json", analysis.file_stem()), text, analysis.fingerprint.clone())
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
    source.with_analysis(|analysis| backup.as_ref() == Some(&analysis.fingerprint)).unwrap_or(false)
}

/// Compares the proposal from the service with the plan on this page.
fn proposal_view(planned: &EntryPoint) -> AnyView {
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
    let is_same =
        serde_json::from_value::<EntryPoint>(suggested.body.clone()).is_ok_and(|read| read.rules == planned.rules);
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
