//! Proofs about all requests: equivalence, subsumption, satisfiability and rules that never fire.

use super::context::WorkbenchContext;
use super::rule_list::RuleList;
use crate::analysis::AnalyzedSource;
use crate::components::code_explanation::CodeExplanation;
use crate::components::editor::{Editor, EditorHandle};
use crate::components::icon::{Icon, IconView};
use crate::components::markdown::InlineCode;
use crate::components::problems::Problems;
use crate::components::segmented_control::SegmentedControl;
use crate::state::expression::ExpressionContext;
use crate::state::expression_tools::ExpressionToolsContext;
use crate::state::expression_tools::ToolPanel;
use leptos::prelude::*;
use std::sync::Arc;
use zonewright_equivalence::{Assumption, Budget, Satisfiability, Verdict, check_satisfiability, equivalent, subsumes};
use zonewright_expression::{Record, check};
use zonewright_request::json::{lists_to_json, record_to_json};

/// The question to prove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ProofQuery {
    /// Whether both expressions match the same requests.
    Same,
    /// Whether the other expression matches every request that the editor's expression matches.
    Covers,
    /// Whether the editor's expression matches any request.
    Possible,
    /// Which rules of a list never fire.
    Rules,
}

/// Delay between the last change and the start of a proof.
const DEBOUNCE: std::time::Duration = std::time::Duration::from_millis(250);

/// The panel "Compare".
#[component]
pub(crate) fn ComparePanel() -> impl IntoView {
    let expression = ExpressionContext::get();
    let tools = ExpressionToolsContext::get();
    let workbench = WorkbenchContext::get();
    let code = RwSignal::new(None);
    let show_page = Callback::new(move |page| code.set(Some(page)));
    let other = tools.compared_expression;
    let options = Signal::derive(move || expression.scope.get().options());
    let analyzed = AnalyzedSource::memo(other, options);
    let handle = EditorHandle::new(other);
    let question = RwSignal::new(ProofQuery::Same);
    let answer: RwSignal<Option<ProofResult>> = RwSignal::new(None);
    let is_of_two = move || matches!(question.get(), ProofQuery::Same | ProofQuery::Covers);
    let run = move || {
        let (first, second) = (workbench.analyzed.get_untracked(), analyzed.get_untracked());
        answer.try_set(Some(compare(&first, &second, question.get_untracked())));
    };
    Effect::new(move |last: Option<Option<TimeoutHandle>>| {
        workbench.analyzed.track();
        analyzed.track();
        question.track();
        if let Some(handle) = last.flatten() {
            handle.clear();
        }
        set_timeout_with_handle(run, DEBOUNCE).ok()
    });
    view! {
        <div class="tool-form">
            <SegmentedControl
                label="Question"
                choices=vec![(ProofQuery::Same, "Equivalent"), (ProofQuery::Covers, "Covers the editor's"), (ProofQuery::Possible, "Can match"), (ProofQuery::Rules, "Rule list")]
                value=question
                choose=move |choice| question.set(choice)
            />
            <div class="field" hidden=move || !is_of_two()>
                <span class="field-label">"Other expression"</span>
                <div class="small-editor">
                    <Editor label="Other expression" placeholder="An expression to compare with" handle analyzed />
                </div>
            </div>
        </div>
        <div hidden=move || question.get() != ProofQuery::Rules>
            {move || (question.get() == ProofQuery::Rules).then(|| view! { <RuleList /> })}
        </div>
        <div role="status" hidden=move || question.get() == ProofQuery::Rules>
            {move || answer.get().map(|verdict| view! {
                <div class=format!("verdict {}", verdict.class)>
                    <IconView icon=verdict.icon />
                    <p><InlineCode text=verdict.text /></p>
                </div>
                {verdict.sample.map(|sample| view! {
                    <div class="code-views">
                        <p class="quiet">{verdict.note}</p>
                        <pre class="code-block" tabindex="0"><code>{sample.clone()}</code></pre>
                        <button type="button" class="button" on:click=move |_| use_as_sample(tools, &sample)>"Test this request"</button>
                    </div>
                })}
            })}
        </div>
        {move || {
            (is_of_two() && !other.read().trim().is_empty()).then(|| view! {
                <Problems title="Problems in the other expression" analyzed handle source=other show_page=show_page />
            })
        }}
        <CodeExplanation code />
    }
}

/// Uses a counterexample as the sample request.
fn use_as_sample(tools: ExpressionToolsContext, sample: &str) {
    tools.sample_input.text.set(sample.to_owned());
    tools.sample_input.fields.update(std::collections::BTreeMap::clear);
    tools.sample_input.missing_fields.set(zonewright_expression::MissingPolicy::Absent);
    tools.panel.set(ToolPanel::TestRequest);
}

#[derive(Clone)]
struct ProofResult {
    class: &'static str,
    icon: Icon,
    text: String,
    /// A sentence about the sample.
    note: &'static str,
    /// A counterexample or witness, as JSON.
    sample: Option<String>,
}

impl ProofResult {
    fn with_sample(self, record: &Record) -> Self {
        ProofResult { sample: serde_json::to_string_pretty(&record_to_json(record)).ok(), ..self }
    }

    fn new(class: &'static str, icon: Icon, text: impl Into<String>) -> Self {
        ProofResult { class, icon, text: text.into(), note: "", sample: None }
    }
}

fn compare(first: &Arc<AnalyzedSource>, second: &Arc<AnalyzedSource>, question: ProofQuery) -> ProofResult {
    match question {
        ProofQuery::Same | ProofQuery::Covers => {}
        ProofQuery::Possible => return check_satisfiable(first),
        // `RuleList` answers this query.
        ProofQuery::Rules => return ProofResult::new("false", Icon::Hint, String::new()),
    }
    if second.source.trim().is_empty() {
        return ProofResult::new("false", Icon::Hint, "Enter or paste an expression to compare");
    }
    let programs = (check(&first.source, &first.options).program, check(&second.source, &second.options).program);
    let (Some(first), Some(second)) = programs else {
        return ProofResult::new("error", Icon::Error, "Fix the errors in both expressions first");
    };
    let answer = match question {
        ProofQuery::Covers => subsumes(&second, &first, &Budget::default()),
        _ => equivalent(&first, &second, &Budget::default()),
    };
    match (answer, question) {
        (Verdict::Yes { assumptions }, _) => {
            let proved = match question {
                ProofQuery::Covers => "Proved: the other expression matches every request that the editor's matches",
                _ => "Proved: both expressions match the same requests",
            };
            ProofResult::new("true", Icon::Success, format!("{proved}{}", assumptions_suffix(&assumptions)))
        }
        (Verdict::No(found), _) => ProofResult {
            note: "A request for which they differ. Fields that are not listed are absent:",
            ..ProofResult::new("unknown", Icon::Warning, format!("They differ{}", lists_suffix(&found.record)))
                .with_sample(&found.record)
        },
        (Verdict::Undecided(reason), _) => ProofResult::new("false", Icon::Hint, format!("Undecided: {reason}")),
    }
}

/// Reports whether the editor's expression matches any request.
fn check_satisfiable(first: &Arc<AnalyzedSource>) -> ProofResult {
    let Some(program) = check(&first.source, &first.options).program else {
        return ProofResult::new("error", Icon::Error, "Fix the errors in the expression first");
    };
    match check_satisfiability(&program, &Budget::default()) {
        Satisfiability::Satisfiable(record) => ProofResult {
            note: "A request that it matches. Fields that are not listed do not matter:",
            ..ProofResult::new("true", Icon::Success, format!("It can match{}", lists_suffix(&record)))
                .with_sample(&record)
        },
        Satisfiability::Unsatisfiable { assumptions } => {
            let text = format!("Proved: it never matches{}", assumptions_suffix(&assumptions));
            ProofResult::new("unknown", Icon::Warning, text)
        }
        Satisfiability::Undecided(reason) => ProofResult::new("false", Icon::Hint, format!("Undecided: {reason}")),
    }
}

/// Formats the assumptions of a proof as the end of its sentence.
fn assumptions_suffix(assumptions: &[Assumption]) -> String {
    let assumed: Vec<String> = assumptions.iter().map(ToString::to_string).collect();
    if assumed.is_empty() { String::new() } else { format!(", if {}", assumed.join(" and ")) }
}

/// Formats the list items that a request requires, as the end of a sentence. They are not part of a sample request.
fn lists_suffix(record: &Record) -> String {
    let list = |(name, items): (&String, &serde_json::Value)| match items.as_array().map_or(0, Vec::len) {
        0 => format!("`${name}` empty"),
        _ => format!("`{items}` in `${name}`"),
    };
    let lists: Vec<String> = lists_to_json(record).iter().map(list).collect();
    if lists.is_empty() { String::new() } else { format!(", with {}", lists.join(" and ")) }
}
