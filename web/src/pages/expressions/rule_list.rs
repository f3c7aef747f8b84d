//! The analysis of an ordered list of rules: which of them never fire.

use crate::components::icon::{Icon, IconView};
use crate::components::markdown::InlineCode;
use crate::state::expression_tools::ExpressionToolsContext;
use crate::text::capitalize;
use crate::timer::ComponentTimer;
use crate::unreachable_rules::{RuleReachability, RuleStatus, analyze};
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::time::Duration;
use zonewright_firewall::read_list;

/// Delay between the last change and the start of the analysis.
const ANALYSIS_DELAY: Duration = Duration::from_millis(250);

const EXAMPLE: &str = r#"starts_with(http.request.uri.path, "/admin")
http.host eq "shop.example.com" and not ssl
http.request.uri.path in {"/admin/users" "/admin/roles"}"#;

/// The state of the analysis.
#[derive(Clone, Debug, PartialEq)]
enum RuleListState {
    Empty,
    /// The analysis is running.
    Running,
    /// The text is not a list of rules, for this reason.
    Invalid(String),
    /// The reachability of each rule, and the notes about the list.
    Analyzed(Vec<RuleReachability>, Vec<String>),
}

/// The list of rules with its analysis.
#[component]
pub(crate) fn RuleList() -> impl IntoView {
    let tools = ExpressionToolsContext::get();
    let text = tools.rule_list;
    let state = RwSignal::new(RuleListState::Empty);
    // The number of the latest analysis. The results of an earlier one are discarded.
    let analysis_number = StoredValue::new(0_u32);
    let next_number = move || {
        analysis_number.try_update_value(|number| {
            *number = number.wrapping_add(1);
            *number
        })
    };
    on_cleanup(move || {
        next_number();
    });
    let run = move || {
        let Some(number) = next_number() else { return };
        let text = text.get_untracked();
        if text.trim().is_empty() {
            state.set(RuleListState::Empty);
            return;
        }
        match read_list(&text) {
            Err(errors) => {
                let reasons = errors.into_iter().map(|error| match error.pointer.as_str() {
                    "" => error.message,
                    pointer => format!("`{pointer}`: {}", error.message),
                });
                state.set(RuleListState::Invalid(reasons.take(3).collect::<Vec<_>>().join("; ")));
            }
            Ok(list) => {
                state.set(RuleListState::Running);
                spawn_local(async move {
                    let is_current = move || analysis_number.try_get_value() == Some(number);
                    if let Some(analyzed) = analyze(list.rules, is_current).await {
                        drop(state.try_set(RuleListState::Analyzed(analyzed, list.notes)));
                    }
                });
            }
        }
    };
    let debounce = ComponentTimer::new();
    Effect::new(move || {
        text.track();
        debounce.start(ANALYSIS_DELAY, run);
    });
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
        <div role="status">{move || summary_view(&state.read())}</div>
        {move || match state.get() {
            RuleListState::Analyzed(analyzed, notes) => view! { <Findings analyzed notes /> }.into_any(),
            _ => ().into_any(),
        }}
    }
}

/// Summarizes the result in one line.
fn summary_view(state: &RuleListState) -> impl IntoView + use<> {
    let (class, icon, text) = match state {
        RuleListState::Empty => ("neutral", Icon::Hint, "Enter or paste rules".to_owned()),
        RuleListState::Running => ("neutral", Icon::Hint, "Analyzing…".to_owned()),
        RuleListState::Invalid(reason) => ("error", Icon::Error, format!("This is not a list of rules: {reason}")),
        RuleListState::Analyzed(analyzed, _) => summarize(analyzed),
    };
    view! { <div class=format!("verdict {class}")><IconView icon /><p><InlineCode text /></p></div> }
}

fn summarize(analyzed: &[RuleReachability]) -> (&'static str, Icon, String) {
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
    /// The reachability of each rule.
    analyzed: Vec<RuleReachability>,
    /// The notes about the list.
    notes: Vec<String>,
) -> impl IntoView {
    let finding = |rule: RuleReachability| {
        let (icon, text) = match rule.status {
            RuleStatus::Unreachable(reason) => (Icon::Warning, format!("never fires: {reason}")),
            RuleStatus::Undecided(reason) => (Icon::Hint, format!("is undecided: {reason}")),
            RuleStatus::Invalid => (Icon::Error, "has errors and was skipped".to_owned()),
            RuleStatus::Reachable | RuleStatus::Inactive => return None,
        };
        let text = format!("{} {text}", capitalize(&rule.name));
        Some(view! {
            <li class="rule-finding">
                <IconView icon />
                <div><p><InlineCode text /></p><code class="expression">{rule.expression}</code></div>
            </li>
        })
    };
    let findings: Vec<_> = analyzed.into_iter().filter_map(finding).collect();
    let notes: Vec<_> = notes.into_iter().map(|text| view! { <li class="quiet"><InlineCode text /></li> }).collect();
    let is_empty = findings.is_empty() && notes.is_empty();
    view! { <ul class="rule-findings" hidden=is_empty>{findings}{notes}</ul> }
}
