//! The differences between the new configuration and a base: the saved entry point, or the plan.

use super::context::{ProposalContext, SourceContext};
use super::mapping::{rule_title, rule_titles};
use super::new_configuration::NewConfiguration;
use crate::components::answer_view::AnswerView;
use crate::engine::Answer;
use leptos::prelude::*;
use std::sync::Arc;
use zonewright_api::ruleset::{EntryPoint, Ruleset, RulesetRule};
use zonewright_migration::read::PHASE;
use zonewright_migration::{Change, ChangeKind, diff};

/// The base of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DiffBase {
    /// The entry point that is saved.
    Saved,
    /// The entry point of the plan.
    Plan,
}

/// The new configuration with its differences from a base.
struct RulesetDiff {
    before: Option<Ruleset>,
    new: EntryPoint,
    changes: Vec<Change>,
}

/// Compares a new configuration with a base; `None` while it is invalid.
fn compare(
    source: SourceContext,
    proposal: ProposalContext,
    new: &NewConfiguration,
    against: DiffBase,
) -> Option<RulesetDiff> {
    let new = new.entry_point.clone()?;
    let before = match against {
        DiffBase::Saved => source.with_configuration(|configuration| {
            proposal.saved.get().or_else(|| configuration.config.entry_point.clone())
        })?,
        DiffBase::Plan => Some(source.with_analysis(|analysis| to_ruleset(analysis.plan.entry_point.clone()))?),
    };
    let changes = diff(before.as_ref(), &new);
    Some(RulesetDiff { before, new, changes })
}

fn to_ruleset(EntryPoint { name, description, rules }: EntryPoint) -> Ruleset {
    Ruleset {
        id: String::new(),
        name,
        description: description.unwrap_or_default(),
        kind: "zone".to_owned(),
        phase: PHASE.to_owned(),
        version: String::new(),
        last_updated: String::new(),
        rules,
    }
}

/// Summarizes the changes: `2 rules added, 1 changed`.
fn summarize(changes: &[Change]) -> String {
    let kinds = [
        (ChangeKind::Added, "added"),
        (ChangeKind::Changed, "changed"),
        (ChangeKind::Moved, "moved"),
        (ChangeKind::Removed, "removed"),
    ];
    let count = |kind| changes.iter().filter(|change| change.kind == kind).count();
    let parts = kinds.into_iter().map(|(kind, verb)| (count(kind), verb)).filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts
        .enumerate()
        .map(|(index, (count, verb))| match (index, count) {
            (0, 1) => format!("1 rule {verb}"),
            (0, _) => format!("{count} rules {verb}"),
            _ => format!("{count} {verb}"),
        })
        .collect();
    if parts.is_empty() { "no rules changed".to_owned() } else { parts.join(", ") }
}

/// A one-line summary that expands to the differences.
#[component]
pub(super) fn DiffSummary(against: DiffBase) -> impl IntoView {
    let source = SourceContext::get();
    let proposal = ProposalContext::get();
    let summary = move || {
        let compared = match &*proposal.answer.read() {
            Answer::Ready(new) => compare(source, proposal, new, against)?,
            Answer::Pending => return Some("Comparing…".to_owned()),
            Answer::Failed(_) => return Some("Not compared".to_owned()),
        };
        let counts = summarize(&compared.changes);
        Some(match (against, compared.before) {
            (DiffBase::Plan, _) => format!("Compared with the plan: {counts}"),
            (DiffBase::Saved, Some(_)) => format!("Compared with the saved entry point: {counts}"),
            (DiffBase::Saved, None) if compared.changes.is_empty() => "No rules; not saved yet".to_owned(),
            (DiffBase::Saved, None) => format!("{counts}; not saved yet"),
        })
    };
    view! {
        <details class="folded">
            <summary>{summary}</summary>
            <DiffList against />
        </details>
    }
}

/// The differences, rule by rule.
#[component]
pub(super) fn DiffList(against: DiffBase) -> impl IntoView {
    let source = SourceContext::get();
    let proposal = ProposalContext::get();
    let ready = move |new: Arc<NewConfiguration>| {
        let Some(RulesetDiff { before, new, changes }) = compare(source, proposal, &new, against) else {
            return view! { <p class="quiet">"Fix the JSON to see the changes."</p> }.into_any();
        };
        let heading = match (against, &before) {
            (DiffBase::Plan, _) => "Compared with the plan on this page.",
            (DiffBase::Saved, Some(_)) => "Compared with the current entry point of the zone.",
            (DiffBase::Saved, None) => "The zone has no entry point yet: every rule is new.",
        };
        let renamed = before.as_ref().filter(|before| before.name != new.name);
        let renamed = renamed.map(|before| format!("The name changes from {} to {}.", before.name, new.name));
        let is_unchanged = changes.is_empty() && renamed.is_none();
        let before: Vec<RulesetRule> = before.map(|entry_point| entry_point.rules).unwrap_or_default();
        let names = rule_titles(&new);
        let rows = changes.into_iter().map(|change| {
            let old_rule = change.from.and_then(|from| before.get(from)).cloned();
            let new_rule = change.to.and_then(|to| new.rules.get(to)).cloned();
            let name = change.to.and_then(|to| names.get(to)).cloned().or_else(|| old_rule.as_ref().map(rule_title));
            view! { <DiffItem change name=name.unwrap_or_default() old_rule new_rule /> }
        });
        let rows = rows.collect_view();
        view! {
            <p class="quiet">{heading}</p>
            {renamed.map(|heading| view! { <p>{heading}</p> })}
            <ul class="diff-list">{rows}</ul>
            <p class="quiet" hidden=!is_unchanged>"No changes."</p>
        }
        .into_any()
    };
    view! { <AnswerView answer=proposal.answer ready /> }
}

#[component]
fn DiffItem(
    change: Change,
    name: String,
    old_rule: Option<RulesetRule>,
    new_rule: Option<RulesetRule>,
) -> impl IntoView {
    let (sign, label) = match change.kind {
        ChangeKind::Added => ("+", "Added"),
        ChangeKind::Removed => ("−", "Removed"),
        ChangeKind::Changed => ("~", "Changed"),
        ChangeKind::Moved => ("↕", "Moved"),
    };
    let members = change.members.join(", ");
    let lines = diff_json(old_rule.as_ref(), new_rule.as_ref());
    let lines = lines.into_iter().map(|(sign, line)| {
        let class = match sign {
            '+' => "diff-line added",
            '-' => "diff-line removed",
            _ => "diff-line",
        };
        view! { <span class=class>{format!("{sign} {line}\n")}</span> }
    });
    view! {
        <li class="diff-item">
            <details>
                <summary><span class="diff-sign" aria-hidden="true">{sign}</span> <strong>{label}</strong> " " {name} {(!members.is_empty()).then(|| format!(" ({members})"))}</summary>
                <pre class="code-block" tabindex="0"><code>{lines.collect_view()}</code></pre>
            </details>
        </li>
    }
}

/// Compares two rules line by line: the common first and last lines, and the old and new lines between them.
fn diff_json(old: Option<&RulesetRule>, new: Option<&RulesetRule>) -> Vec<(char, String)> {
    let text = |rule: Option<&RulesetRule>| -> Vec<String> {
        let text = rule.and_then(|rule| serde_json::to_string_pretty(rule).ok()).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    };
    let (old, new) = (text(old), text(new));
    let head = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let rest = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(old, new)| old == new).count();
    let middle = |sign, lines: &[String]| -> Vec<(char, String)> {
        let own = lines.iter().take(lines.len() - tail).skip(head);
        own.map(|line| (sign, line.clone())).collect()
    };
    let mut diff: Vec<(char, String)> = new.iter().take(head).map(|line| (' ', line.clone())).collect();
    diff.extend(middle('-', &old));
    diff.extend(middle('+', &new));
    diff.extend(new.iter().skip(new.len() - tail).map(|line| (' ', line.clone())));
    diff
}
