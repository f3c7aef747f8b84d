//! The first step: the eligibility of the zone, and its blockers.

use super::analysis::ConfigurationAnalysis;
use super::analysis_gate::AnalysisPending;
use super::context::{
    AnalysisProgress, MigrationContext, MigrationStep, ServiceSnapshot, SnapshotContext, SourceContext, StepContext,
};
use super::plan::{Draft, Finding};
use super::source::{Source, read_zone};
use crate::api::WriteOutcome;
use crate::api::waf::BlockerDeletion;
use crate::components::answer_view::EngineFailure;
use crate::components::code_view::CodeView;
use crate::components::delete_dialog::{DeletionDialog, DeletionMessages, DeletionRequest};
use crate::components::dialog::Dialog;
use crate::components::icon::{Icon, IconView};
use crate::components::in_doubt::WriteFailureNotice;
use crate::components::markdown::InlineCode;
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::sync::Arc;
use zonewright_api::finding::ADD_OPERATION;
use zonewright_expression::schema::Tier;

const MESSAGES: DeletionMessages =
    DeletionMessages { rejected: "It was not deleted", in_doubt: "We don't know whether it was deleted" };

/// The step.
#[component]
pub(super) fn CheckStep() -> impl IntoView {
    let source = SourceContext::get();
    let pending_deletion = RwSignal::new(None::<Finding>);
    let is_pending = Memo::new(move |_| source.progress() == AnalysisProgress::Pending);
    // While the engine works, the result of the earlier configuration remains, so that the page does not flicker.
    let result = move || {
        let analysis = match source.progress() {
            AnalysisProgress::Missing => return view! { <Introduction /> }.into_any(),
            AnalysisProgress::Failed(reason) => return view! { <EngineFailure reason /> }.into_any(),
            AnalysisProgress::Pending => source.answer.get().ready().cloned(),
            AnalysisProgress::Done => source.with_analysis(Arc::clone),
        };
        analysis.map(|analysis| view! { <CheckResult analysis pending_deletion /> }).into_any()
    };
    view! {
        <div class="columns">
            <Source />
            <section class="part check-outcome" aria-labelledby="check-title">
                <h2 id="check-title">"Eligibility"</h2>
                {move || is_pending.get().then(|| view! { <AnalysisPending /> })}
                {result}
            </section>
        </div>
        <DeleteBlockerDialog pending_deletion />
    }
}

#[component]
fn Introduction() -> impl IntoView {
    view! {
        <p class="quiet">"Migrating to ruleset-based managed rules is irreversible, and some settings do not carry over. Load a zone, paste its configuration, or open an example to see the outcome of every setting before anything is sent."</p>
    }
}

#[component]
fn CheckResult(analysis: Arc<ConfigurationAnalysis>, pending_deletion: RwSignal<Option<Finding>>) -> impl IntoView {
    let steps = StepContext::get();
    let ConfigurationAnalysis { blockers, support_findings, unmet_phase_one, configuration, .. } = &*analysis;
    let (config, unmet_conditions) = (&configuration.config, *unmet_phase_one);
    let is_eligible = analysis.is_eligible();
    let needs_only_support = blockers.is_empty() && !support_findings.is_empty();
    let (class, icon, verdict_text) = match (blockers.len(), support_findings.len()) {
        (0, 0) => ("notice success", Icon::Success, "The zone can migrate".to_owned()),
        (0, count) => (
            "notice error",
            Icon::Warning,
            format!("Support from the provider is required: {}", format_setting_count(count)),
        ),
        (count, _) => (
            "notice error",
            Icon::Error,
            format!("The zone cannot migrate yet: blocked by {}", format_setting_count(count)),
        ),
    };
    let missing_sections: Vec<&str> = config.missing_sections.iter().map(|section| section.name()).collect();
    let missing_sections = missing_sections.join("`, `");
    let tier = config.tier;
    let blocker = |finding: &Finding| view! { <Blocker finding=finding.clone() pending_deletion /> };
    let rows = blockers.iter().map(blocker).collect_view();
    let support_rows = support_findings.iter().map(blocker).collect_view();
    view! {
        <div class=class role="status">
            <IconView icon />
            <div class="notice-body">
                <p class="notice-title">{verdict_text}</p>
                {(tier < Tier::Enterprise && is_eligible).then(|| view! { <p>{format!("The {} plan has no validation step: the migration happens in one step.", tier.display_name())}</p> })}
                {(!missing_sections.is_empty()).then(|| view! { <p><InlineCode text=format!("Not provided; defaults are assumed: `{missing_sections}`") /></p> })}
            </div>
        </div>
        <ul class="blockers">{rows} {support_rows}</ul>
        <ServiceVerdict is_eligible needs_only_support />
        {(unmet_conditions > 0 && is_eligible).then(|| view! {
            <p class="quiet">{format!("This page uses the conditions of phase two. Phase one has {} that this zone does not meet.", format_condition_count(unmet_conditions))}</p>
        })}
        <div class="wrap-row">
            <button type="button" class="button primary" on:click=move |_| steps.show(MigrationStep::Configuration)>"Continue to configuration"</button>
        </div>
    }
}

fn format_setting_count(number: usize) -> String {
    if number == 1 { "one setting".to_owned() } else { format!("{number} settings") }
}

fn format_condition_count(number: usize) -> String {
    if number == 1 { "one more condition".to_owned() } else { format!("{number} more conditions") }
}

/// The result of the service for the same check.
#[component]
fn ServiceVerdict(
    /// Whether this page considers the zone eligible.
    is_eligible: bool,
    /// Whether the provider's support is the only remaining requirement.
    needs_only_support: bool,
) -> impl IntoView {
    let source = SourceContext::get();
    let snapshot = SnapshotContext::get();
    move || {
        let ServiceSnapshot { verdict, .. } = snapshot.responses.get().filter(|_| source.is_of_zone())?;
        let verdict_text = if verdict.compatibility.compatible { "compatible" } else { "not compatible" };
        let messages =
            verdict.messages.into_iter().map(|message| view! { <li><InlineCode text=message /></li> }).collect_view();
        let list = view! { <ul class="plain-list">{messages}</ul> };
        // Blockers are listed above already, so the service's messages are collapsed.
        let list = if is_eligible {
            list.into_any()
        } else {
            view! { <details><summary>"Messages from the service"</summary>{list}</details> }.into_any()
        };
        Some(view! {
            <p>
                "According to the service, the zone is " <strong>{verdict_text}</strong> "."
                {(needs_only_support && verdict.compatibility.compatible).then_some(" This means that nothing has to be deleted, but support is still required.")}
            </p>
            {list}
        })
    }
}

/// A blocker, or a setting that needs support, with its suggested request.
#[component]
fn Blocker(finding: Finding, pending_deletion: RwSignal<Option<Finding>>) -> impl IntoView {
    let source = SourceContext::get();
    let Finding { name, message, help, setting, draft, .. } = finding.clone();
    let stored_finding = StoredValue::new(finding);
    let is_deletion = draft.as_ref().is_some_and(|draft| draft.method == "DELETE");
    let request =
        draft.map(|draft| view! { <pre class="code-block" tabindex="0"><code>{format_draft(&draft)}</code></pre> });
    view! {
        <li class="blocker">
            <p class="cell-title">{name}</p>
            <p><InlineCode text=message /></p>
            {help.map(|help| view! { <p class="quiet"><InlineCode text=help /></p> })}
            <p class="quiet"><code>{setting}</code></p>
            {request}
            {move || (is_deletion && source.is_of_zone() && source.progress() == AnalysisProgress::Done).then(|| view! {
                <button type="button" class="button small" on:click=move |_| pending_deletion.set(Some(stored_finding.get_value()))>"Delete…"</button>
            })}
        </li>
    }
}

/// Returns the label of a draft.
pub(super) fn draft_label(draft: &Draft) -> &'static str {
    if draft.method == ADD_OPERATION { "Add to the new configuration" } else { "Suggested API request" }
}

/// Formats a draft: a request, or a rule to add and its position.
pub(super) fn format_draft(draft: &Draft) -> String {
    let Draft { method, path, body } = draft;
    let body = body.as_ref().map(|body| format!("\n{}", serde_json::to_string_pretty(body).unwrap_or_default()));
    let body = body.unwrap_or_default();
    if method == ADD_OPERATION { format!("at {path}{body}") } else { format!("{method} {path}{body}") }
}

/// Confirms and sends the deletion of a blocker.
#[component]
fn DeleteBlockerDialog(pending_deletion: RwSignal<Option<Finding>>) -> impl IntoView {
    let context = MigrationContext::get();
    let key = |finding: &Finding| finding.draft.as_ref().map(|draft| draft.path.clone()).unwrap_or_default();
    let dialog = DeletionDialog::new(pending_deletion, key, MESSAGES);
    let DeletionDialog { open, busy, failure, .. } = dialog;
    let settle = move |request: DeletionRequest<Finding>, write: WriteOutcome<BlockerDeletion>| {
        spawn_local(async move {
            // Reloading the zone would overwrite a configuration that the user has pasted or opened in the meantime.
            let is_same_zone = *context.source.service.connection.read_untracked() == request.connection
                && context.source.zone.read_untracked().as_ref() == Some(&request.connection.zone);
            let reading = match &write {
                WriteOutcome::Applied(()) if is_same_zone => Some(read_zone(context).await),
                _ => None,
            };
            dialog.finish(request, write, move |_, (), is_shown| {
                if is_shown {
                    open.set(false);
                }
                match reading {
                    None => context.toasts.show_success("Deleted"),
                    Some(Ok(())) => context.toasts.show_success("Deleted. The zone has been reloaded."),
                    Some(Err(_)) => {
                        context.toasts.show_error("Deleted, but the zone could not be reloaded. Load it again.");
                    }
                }
            });
        });
    };
    let delete = move |_| {
        let Some(draft) = pending_deletion.get_untracked().and_then(|finding| finding.draft) else { return };
        let Some((request, client)) = dialog.begin() else { return };
        let path = draft.path.replace("{zone_id}", &request.connection.zone);
        spawn_local(async move { settle(request, client.delete_blocker(BlockerDeletion { path }).await) });
    };
    let probe_again = dialog.probe_again(settle);
    let question = move || {
        let finding = pending_deletion.get()?;
        let call = finding.draft.as_ref().map(format_draft).unwrap_or_default();
        Some(view! {
            <p><strong>{finding.name}</strong></p>
            <CodeView title="Request" text=Signal::derive(move || call.clone()) />
            <p>"The setting stops applying immediately. Save a backup of the configuration first so that you can recreate the setting."</p>
            <WriteFailureNotice rejected_title="It was not deleted" in_doubt_title=MESSAGES.in_doubt failure is_deletion=true busy probe_again />
            <div class="dialog-actions">
                <button type="button" class="button" data-focus on:click=move |_| open.set(false)>"Cancel"</button>
                <button type="button" class="button danger" aria-disabled=move || busy.get().to_string() on:click=delete>"Delete"</button>
            </div>
        })
    };
    view! { <Dialog open title="Delete this blocker?">{question}</Dialog> }
}
