//! The new configuration as JSON, judged while it is edited, and what saving it would change.

use super::desk::MigrationDesk;
use super::mapping::{rule_title, titles};
use super::source::RefusalList;
use crate::clipboard;
use crate::components::icon::{Icon, Pictogram};
use leptos::prelude::*;
use zonewright_api::ruleset::RulesetRule;
use zonewright_migration::{Change, ChangeKind, diff};

/// The panel.
#[component]
pub(super) fn Edit() -> impl IntoView {
    let desk = MigrationDesk::get();
    let copied = RwSignal::new(false);
    let verdict = move || {
        let judged = desk.judged.read();
        match judged.problems.len() {
            0 => ("good", Icon::Success, "No problems: the service would take it".to_owned()),
            1 => ("bad", Icon::Error, "One problem".to_owned()),
            many => ("bad", Icon::Error, format!("{many} problems")),
        }
    };
    view! {
        <div class="columns">
            <section class="part" aria-labelledby="edit-title">
                <h2 id="edit-title">"New configuration"</h2>
                <div class="field">
                    <label class="field-label" for="new-configuration">"Body of the update"</label>
                    <textarea
                        id="new-configuration"
                        class="text-area tall-area"
                        spellcheck="false"
                        aria-describedby="new-configuration-help"
                        prop:value=move || desk.judged.read().text.clone()
                        on:input=move |event| desk.edited.set(Some(event_target_value(&event)))
                    ></textarea>
                    <p class="field-help" id="new-configuration-help">"It is judged while you type. The rules run in this order."</p>
                </div>
                <div class="wrap-row">
                    <button type="button" class="button" on:click=move |_| clipboard::copy(desk.judged.get_untracked().text.clone(), copied)>
                        {move || if copied.get() { "Copied" } else { "Copy" }}
                    </button>
                    <button type="button" class="button" disabled=move || desk.edited.read().is_none() on:click=move |_| desk.edited.set(None)>"Back to the plan"</button>
                </div>
                <div role="status">
                    {move || {
                        let (class, icon, words) = verdict();
                        view! { <p class=class><Pictogram icon /><span>{words}</span></p> }
                    }}
                </div>
                {move || view! { <RefusalList problems=desk.judged.read().problems.clone() /> }}
            </section>
            <section class="part" aria-labelledby="diff-title">
                <h2 id="diff-title">"What saving it changes"</h2>
                {changes}
            </section>
        </div>
    }
}

/// The difference to the present entry point.
fn changes() -> AnyView {
    let desk = MigrationDesk::get();
    let judged = desk.judged.get();
    let Some(new) = judged.entry_point.clone() else {
        return view! { <p class="quiet">"Once the JSON can be read, the difference stands here."</p> }.into_any();
    };
    let present = desk.with(|one| one.config.entry_point.clone()).flatten();
    let changes = diff(present.as_ref(), &new);
    let none = changes.is_empty();
    let before: Vec<RulesetRule> = present.as_ref().map(|one| one.rules.clone()).unwrap_or_default();
    let names = titles(&new);
    let rows = changes.into_iter().map(|change| {
        let old = change.from.and_then(|from| before.get(from)).cloned();
        let rule = change.to.and_then(|to| new.rules.get(to)).cloned();
        let name = change.to.and_then(|to| names.get(to)).cloned().or_else(|| old.as_ref().map(rule_title));
        view! { <Changed change name=name.unwrap_or_default() old rule /> }
    });
    let rows = rows.collect_view();
    view! {
        <p class="quiet">{if present.is_some() { "Against the present entry point of the zone." } else { "The zone has no entry point yet: every rule is new." }}</p>
        <ul class="diff-list">{rows}</ul>
        <p class="quiet" hidden=!none>"Nothing: the entry point is as it would be."</p>
    }
    .into_any()
}

#[component]
fn Changed(change: Change, name: String, old: Option<RulesetRule>, rule: Option<RulesetRule>) -> impl IntoView {
    let (sign, words) = match change.kind {
        ChangeKind::Added => ("+", "Added"),
        ChangeKind::Removed => ("−", "Removed"),
        ChangeKind::Changed => ("~", "Changed"),
        ChangeKind::Moved => ("↕", "Moved"),
    };
    let members = change.members.join(", ");
    let lines = json_diff(old.as_ref(), rule.as_ref());
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
                <summary><span class="diff-sign" aria-hidden="true">{sign}</span> <strong>{words}</strong> " " {name} {(!members.is_empty()).then(|| format!(" ({members})"))}</summary>
                <pre class="code-block" tabindex="0"><code>{lines.collect_view()}</code></pre>
            </details>
        </li>
    }
}

/// Two rules line by line: what they begin and end with alike, and between it the old and the new lines.
fn json_diff(old: Option<&RulesetRule>, new: Option<&RulesetRule>) -> Vec<(char, String)> {
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
