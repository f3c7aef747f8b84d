//! The mapping of the plan: old settings on the left, new rules on the right, lines between them, and the settings that
//! do not carry over.

use super::analysis::ConfigurationAnalysis;
use super::check::{draft_label, format_draft};
use super::context::{ProposalContext, SourceContext};
use super::findings::OutcomeBadge;
use super::plan::Finding;
use crate::components::markdown::InlineCode;
use leptos::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use zonewright_api::finding::FindingOutcome;
use zonewright_api::ruleset::{EntryPoint, RulesetAction, RulesetRule};
use zonewright_migration::catalog::{CORE_RULESET_ID, MANAGED_RULESET_ID};

/// Largest number of settings that are drawn; the others are only counted.
const MAX_DRAWN_SETTINGS: usize = 80;
/// Largest number of losses that are listed; the others are only counted.
const MAX_LISTED_LOSSES: usize = 200;
/// Height of a box including the space below it, in pixels. The style sheet has the same value.
const ROW_PITCH_PX: usize = 64;
/// Half the height of a box, in pixels.
const HALF_BOX_PX: usize = 28;
/// Width of the space between the columns, in pixels.
const COLUMN_GAP_PX: usize = 72;

/// Shows the plan, with a note if the new configuration has been edited.
#[component]
pub(super) fn Mapping() -> impl IntoView {
    let source = SourceContext::get();
    let proposal = ProposalContext::get();
    let is_edited = move || proposal.edited.read().is_some();
    view! {
        <p class="notice plan-note" hidden=move || !is_edited()>"This shows the plan. The new configuration has been edited since; see New configuration for the changes."</p>
        {move || source.with_analysis(|analysis| view! { <MappingView analysis=Arc::clone(analysis) /> })}
    }
}

#[component]
fn MappingView(analysis: Arc<ConfigurationAnalysis>) -> impl IntoView {
    let ConfigurationAnalysis { plan, .. } = &*analysis;
    let visible: Vec<&Finding> =
        plan.findings.iter().filter(|finding| !finding.is_default_setting() && !finding.targets.is_empty()).collect();
    let undrawn_settings = visible.len().saturating_sub(MAX_DRAWN_SETTINGS);
    let customized = plan.findings.iter().filter(|finding| !finding.is_default_setting());
    let count = |outcome: FindingOutcome| customized.clone().filter(|finding| finding.outcome == outcome).count();
    let headline = format!("{} settings differ from the defaults.", customized.clone().count());
    let outcomes =
        FindingOutcome::ALL.iter().map(|outcome| (*outcome, count(*outcome))).filter(|(_, count)| *count > 0);
    let outcomes = outcomes
        .map(|(outcome, count)| view! { <span class="outcome-count">{count} " " <OutcomeBadge outcome /></span> })
        .collect_view();
    let drawn_settings: Vec<&Finding> = visible.into_iter().take(MAX_DRAWN_SETTINGS).collect();
    // The number of drawn rules is limited too; the text of the new configuration has all of them.
    let rule_count = plan.entry_point.rules.len().min(MAX_DRAWN_SETTINGS);
    let lines: Vec<Connector> =
        drawn_settings.iter().enumerate().flat_map(|(from, finding)| connectors(from, finding, rule_count)).collect();
    let height = drawn_settings.len().max(rule_count) * ROW_PITCH_PX;
    let old = drawn_settings.iter().map(|finding| view! { <SettingBox finding=(*finding).clone() /> }).collect_view();
    let new = plan
        .entry_point
        .rules
        .iter()
        .take(rule_count)
        .enumerate()
        .map(|(index, rule)| view! { <RuleBox index rule=rule.clone() /> });
    let paths = lines.into_iter().map(|line| view! { <path class=line.class d=line.path></path> }).collect_view();
    let losses = plan.findings.iter().filter(|finding| {
        matches!(finding.outcome, FindingOutcome::Lost | FindingOutcome::NeedsSupport | FindingOutcome::Blocked)
            && !finding.is_default_setting()
    });
    let losses: Vec<&Finding> = losses.collect();
    let (count, is_empty) = (losses.len(), losses.is_empty());
    let unlisted_losses = count.saturating_sub(MAX_LISTED_LOSSES);
    let undrawn_rules = plan.entry_point.rules.len() - rule_count;
    let losses: Vec<_> = losses
        .into_iter()
        .take(MAX_LISTED_LOSSES)
        .map(|finding| view! { <LossBox finding=finding.clone() /> })
        .collect();
    view! {
        <p class="pad outcomes"><strong>{headline}</strong> {outcomes}</p>
        <div class="mapping">
            <section class="mapping-old" aria-labelledby="mapping-old">
                <h2 id="mapping-old">"Before"</h2>
                <ul class="boxes">{old}</ul>
                {(undrawn_settings > 0).then(|| view! { <p class="quiet">{format!("and {undrawn_settings} more; see All settings")}</p> })}
            </section>
            <svg class="mapping-lines" width=COLUMN_GAP_PX height=height viewBox=format!("0 0 {COLUMN_GAP_PX} {height}") aria-hidden="true">{paths}</svg>
            <section class="mapping-new" aria-labelledby="mapping-new">
                <h2 id="mapping-new">"After"</h2>
                <ol class="boxes">{new.collect_view()}</ol>
                {(undrawn_rules > 0).then(|| view! { <p class="quiet">{format!("and {undrawn_rules} more; see New configuration")}</p> })}
                <p class="quiet">"Rules run from the top. Solid line: equivalent. Dashed line: carried over with a difference."</p>
            </section>
            <section class="mapping-lost" aria-labelledby="mapping-lost">
                <h2 id="mapping-lost">{if is_empty { "Not carried over".to_owned() } else { format!("Not carried over ({count})") }}</h2>
                <ul class="lost-list">{losses}</ul>
                {(unlisted_losses > 0).then(|| view! { <p class="quiet">{format!("and {unlisted_losses} more; see All settings")}</p> })}
                <p class="quiet" hidden=!is_empty>"No customized settings."</p>
            </section>
        </div>
    }
}

struct Connector {
    class: &'static str,
    path: String,
}

/// Returns the lines of a setting, one for each rule.
fn connectors(from: usize, finding: &Finding, rule_count: usize) -> Vec<Connector> {
    let class = if finding.outcome == FindingOutcome::Changed { "line changed" } else { "line" };
    let start = from * ROW_PITCH_PX + HALF_BOX_PX;
    let line = |index: usize| {
        let end = index * ROW_PITCH_PX + HALF_BOX_PX;
        let half = COLUMN_GAP_PX / 2;
        Connector { class, path: format!("M0 {start}C{half} {start} {half} {end} {COLUMN_GAP_PX} {end}") }
    };
    target_rules(finding).into_iter().filter(|index| *index < rule_count).map(line).collect()
}

/// Returns the indexes of the rules that contain a target of a setting.
fn target_rules(finding: &Finding) -> BTreeSet<usize> {
    let index = |pointer: &String| pointer.strip_prefix("/rules/")?.split('/').next()?.parse().ok();
    finding.targets.iter().filter_map(index).collect()
}

#[component]
fn SettingBox(finding: Finding) -> impl IntoView {
    let numbers: Vec<String> =
        target_rules(&finding).into_iter().take(6).map(|index| (index + 1).to_string()).collect();
    let to = if numbers.len() == 1 {
        format!("→ rule {}", numbers.concat())
    } else {
        format!("→ rules {}", numbers.join(", "))
    };
    view! {
        <li class="box" title=finding.message.clone()>
            <span class="box-title">{finding.name.clone()}</span>
            <span class="box-more"><OutcomeBadge outcome=finding.outcome /><span class="box-to">{to}</span></span>
        </li>
    }
}

#[component]
fn RuleBox(index: usize, rule: RulesetRule) -> impl IntoView {
    let state = if rule.enabled { "" } else { " (disabled)" };
    let title = format!("{}. {}{state}", index + 1, rule_title(&rule));
    view! {
        <li class="box" title=rule.expression.clone()>
            <span class="box-title">{title}</span>
            <span class="box-more"><code>{rule.expression.clone()}</code></span>
        </li>
    }
}

/// Describes a rule in a few words.
pub(super) fn rule_title(rule: &RulesetRule) -> String {
    let id = rule.action_parameters.as_ref().and_then(|parameters| parameters.id.as_deref());
    match (rule.action, id) {
        (RulesetAction::Execute, Some(MANAGED_RULESET_ID)) => "Execute the Managed Ruleset".to_owned(),
        (RulesetAction::Execute, Some(CORE_RULESET_ID)) => "Execute the OWASP Core Ruleset".to_owned(),
        (action, _) if rule.description.is_empty() => action.name().to_owned(),
        (action, _) => format!("{}: {}", action.name(), rule.description),
    }
}

/// Describes every rule of a configuration in a few words.
pub(super) fn rule_titles(entry_point: &EntryPoint) -> Vec<String> {
    entry_point.rules.iter().map(rule_title).collect()
}

#[component]
fn LossBox(finding: Finding) -> impl IntoView {
    view! {
        <li class="lost-box">
            <span class="cell-title">{finding.name}</span>
            <OutcomeBadge outcome=finding.outcome />
            <p><InlineCode text=finding.message /></p>
            {finding.help.map(|help| view! { <p class="quiet"><InlineCode text=help /></p> })}
            {finding.draft.map(|draft| view! {
                <details>
                    <summary>{draft_label(&draft)}</summary>
                    <pre class="code-block" tabindex="0"><code>{format_draft(&draft)}</code></pre>
                </details>
            })}
        </li>
    }
}
