//! The analysis of an ordered list of rules: which of them never fire.

use crate::components::answer_view::AnswerView;
use crate::components::icon::{Icon, IconView};
use crate::components::markdown::InlineCode;
use crate::engine::{Worker, follow};
use crate::state::expression_tools::ExpressionToolsContext;
use crate::text::capitalize;
use crate::timer::settle;
use crate::unreachable_rules::{ListReachability, RuleReachability, RuleStatus, analyze};
use leptos::prelude::*;
use std::sync::Arc;
use std::time::Duration;

/// Delay between the last change and the start of the analysis.
const ANALYSIS_DELAY: Duration = Duration::from_millis(250);

const EXAMPLE: &str = r#"starts_with(http.request.uri.path, "/admin")
http.host eq "shop.example.com" and not ssl
http.request.uri.path in {"/admin/users" "/admin/roles"}"#;

/// The list of rules with its analysis.
#[component]
pub(crate) fn RuleList() -> impl IntoView {
    let text = ExpressionToolsContext::get().rule_list;
    let settled = settle(ANALYSIS_DELAY, move || text.get());
    let input = move || Some(settled.get()).filter(|text| !text.trim().is_empty());
    let answer = follow(Worker::Tools, input, async |channel, text: String| {
        let list = analyze(channel, text.as_str().into()).await?;
        Ok((text, list))
    });
    let is_empty = Memo::new(move |_| text.read().trim().is_empty());
    let ready = move |answer: Arc<(String, ListReachability)>| {
        let (analyzed, list) = &*answer;
        if text.read() != *analyzed {
            return view! { <Verdict summary=("neutral", Icon::Hint, "Analyzing…".to_owned()) /> }.into_any();
        }
        let list = list.clone();
        view! {
            <div role="status"><Verdict summary=summarize(&list) /></div>
            <Findings list />
        }
        .into_any()
    };
    view! {
        <div class="tool-form">
            <div class="field">
                <label class="field-label" for="rule-list">"Rules in order"</label>
                <textarea
                    id="rule-list"
                    class="text-area tall"
                    spellcheck="false"
                    aria-describedby="rule-list-help"
                    prop:value=move || text.get()
                    on:input=move |event| text.set(event_target_value(&event))
                ></textarea>
                <p class="field-help" id="rule-list-help">
                    "Enter one expression per line, or separate expressions with blank lines. You can also paste JSON: a list of firewall rules from the API, or a ruleset. Rules that log, skip products, or are paused never prevent another rule from firing."
                </p>
            </div>
            <div>
                <button
                    type="button"
                    class="button"
                    hidden=move || !text.read().trim().is_empty()
                    on:click=move |_| text.set(EXAMPLE.to_owned())
                >
                    "Show example"
                </button>
            </div>
        </div>
        {move || {
            if is_empty.get() {
                view! { <Verdict summary=("neutral", Icon::Hint, "Enter or paste rules".to_owned()) /> }.into_any()
            } else {
                view! { <AnswerView answer ready /> }.into_any()
            }
        }}
    }
}

/// The result in one line.
#[component]
fn Verdict(
    /// The class, the icon, and the text.
    summary: (&'static str, Icon, String),
) -> impl IntoView {
    let (class, icon, text) = summary;
    view! { <div class=format!("verdict {class}")><IconView icon /><p><InlineCode text /></p></div> }
}

fn summarize(list: &ListReachability) -> (&'static str, Icon, String) {
    if !list.errors.is_empty() {
        let errors: Vec<&str> = list.errors.iter().take(3).map(String::as_str).collect();
        return ("error", Icon::Error, format!("This is not a list of rules: {}", errors.join("; ")));
    }
    let analyzed = &list.rules;
    let count = |is: fn(&RuleStatus) -> bool| analyzed.iter().filter(|rule| is(&rule.status)).count();
    let (unreachable, undecided) = (
        count(|status| matches!(status, RuleStatus::Unreachable(_))),
        count(|status| matches!(status, RuleStatus::Undecided(_))),
    );
    let invalid = count(|status| *status == RuleStatus::Invalid);
    let (class, icon, first) = match (unreachable, undecided, invalid) {
        (0, 0, 0) => ("success", Icon::Success, "Every rule can fire".to_owned()),
        (0, ..) => ("neutral", Icon::Hint, "No unreachable rules found".to_owned()),
        (unreachable, ..) => {
            ("warning", Icon::Warning, format!("{unreachable} of {} rules can never fire", analyzed.len()))
        }
    };
    let clause =
        |count: usize, adjective: &str| if count > 0 { format!(", {count} {adjective}") } else { String::new() };
    let (undecided, invalid) = (clause(undecided, "undecided"), clause(invalid, "with errors"));
    (class, icon, format!("{first}{undecided}{invalid}"))
}

/// Lists the notes and every rule that is unreachable, undecided or invalid.
#[component]
fn Findings(
    /// The rules with their reachability.
    list: ListReachability,
) -> impl IntoView {
    let finding = |rule: &RuleReachability| {
        let (icon, text) = match &rule.status {
            RuleStatus::Unreachable(reason) => (Icon::Warning, format!("never fires: {reason}")),
            RuleStatus::Undecided(reason) => (Icon::Hint, format!("is undecided: {reason}")),
            RuleStatus::Invalid => (Icon::Error, "has errors and was skipped".to_owned()),
            RuleStatus::Reachable | RuleStatus::Inactive => return None,
        };
        let text = format!("{} {text}", capitalize(&rule.name));
        Some(view! {
            <li class="rule-finding">
                <IconView icon />
                <div><p><InlineCode text /></p><code class="expression">{rule.expression.clone()}</code></div>
            </li>
        })
    };
    let findings: Vec<_> = list.rules.iter().filter_map(finding).collect();
    let notes: Vec<_> =
        list.notes.iter().cloned().map(|text| view! { <li class="quiet"><InlineCode text /></li> }).collect();
    let is_empty = findings.is_empty() && notes.is_empty();
    view! { <ul class="rule-findings" hidden=is_empty>{findings}{notes}</ul> }
}
