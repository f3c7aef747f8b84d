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
use crate::part::PartResult;
use crate::state::expression::ExpressionContext;
use crate::state::expression_tools::{ExpressionToolsContext, ProofQuestion, ToolPanel};
use crate::timer::ComponentTimer;
use leptos::prelude::*;
use std::sync::Arc;
use wasm_split_helpers::wasm_split;
use zonewright_equivalence::{Assumption, Budget, Satisfiability, Verdict, check_satisfiability, equivalent, subsumes};
use zonewright_expression::{Record, check};
use zonewright_request::json::{lists_to_json, record_to_json};

/// Delay between the last change and the start of a proof.
const DEBOUNCE: std::time::Duration = std::time::Duration::from_millis(250);

/// The panel, which is a part of the app.
#[wasm_split(proofs, fallible)]
pub(crate) fn compare_panel() -> PartResult<AnyView> {
    Ok(view! { <ComparePanel /> }.into_any())
}

/// Answers a question about the expression in the editor with a proof or a sample request.
#[component]
fn ComparePanel() -> impl IntoView {
    let expression = ExpressionContext::get();
    let tools = ExpressionToolsContext::get();
    let workbench = WorkbenchContext::get();
    let code = RwSignal::new(None);
    let show_page = Callback::new(move |page| code.set(Some(page)));
    let other = tools.compared_expression;
    let options = Signal::derive(move || expression.scope.get().options());
    let analyzed = AnalyzedSource::memo(other, options);
    let handle = EditorHandle::new(other);
    let question = tools.question;
    let result: RwSignal<Option<ProofResult>> = RwSignal::new(None);
    let needs_second_expression = move || matches!(question.get(), ProofQuestion::Equivalent | ProofQuestion::Subsumes);
    let run = move || {
        let sources = (workbench.analyzed.try_get_untracked(), analyzed.try_get_untracked());
        let ((Some(first), Some(second)), Some(question)) = (sources, question.try_get_untracked()) else { return };
        drop(result.try_set(Some(compare(&first, &second, question))));
    };
    let debounce = ComponentTimer::new();
    Effect::new(move || {
        workbench.analyzed.track();
        analyzed.track();
        question.track();
        debounce.start(DEBOUNCE, run);
    });
    view! {
        <div class="tool-form">
            <SegmentedControl
                label="Question"
                choices=ProofQuestion::ALL.to_vec()
                value=question
                choose=move |choice| question.set(choice)
            />
            <div class="field" hidden=move || !needs_second_expression()>
                <span class="field-label">"Other expression"</span>
                <div class="small-editor">
                    <Editor label="Other expression" placeholder="An expression to compare with" handle analyzed />
                </div>
            </div>
        </div>
        <div hidden=move || question.get() != ProofQuestion::RuleList>
            {move || (question.get() == ProofQuestion::RuleList).then(|| view! { <RuleList /> })}
        </div>
        <div role="status" hidden=move || question.get() == ProofQuestion::RuleList>
            {move || result.get().map(|result| view! {
                <div class=format!("verdict {}", result.class)>
                    <IconView icon=result.icon />
                    <p><InlineCode text=result.text /></p>
                </div>
                {result.sample.map(|sample| view! {
                    <div class="code-views">
                        <p class="quiet">{result.note}</p>
                        <pre class="code-block" tabindex="0"><code>{sample.clone()}</code></pre>
                        <button type="button" class="button" on:click=move |_| use_as_sample(tools, &sample)>"Test this request"</button>
                    </div>
                })}
            })}
        </div>
        {move || {
            (needs_second_expression() && !other.read().trim().is_empty()).then(|| view! {
                <Problems title="Problems in the other expression" analyzed handle source=other show_page=show_page />
            })
        }}
        <CodeExplanation code />
    }
}

/// Makes a counterexample or a witness the sample request, without typed values, and shows the tool for it.
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

fn compare(first: &Arc<AnalyzedSource>, second: &Arc<AnalyzedSource>, question: ProofQuestion) -> ProofResult {
    match question {
        ProofQuestion::Equivalent | ProofQuestion::Subsumes => {}
        ProofQuestion::Satisfiable => return check_satisfiable(first),
        // `RuleList` shows its own result.
        ProofQuestion::RuleList => return ProofResult::new("neutral", Icon::Hint, String::new()),
    }
    if second.source.trim().is_empty() {
        return ProofResult::new("neutral", Icon::Hint, "Enter or paste an expression to compare");
    }
    let programs = (check(&first.source, &first.options).program, check(&second.source, &second.options).program);
    let (Some(first), Some(second)) = programs else {
        return ProofResult::new("error", Icon::Error, "Fix the errors in both expressions first");
    };
    let (verdict, proved, refuted) = match question {
        ProofQuestion::Subsumes => (
            subsumes(&second, &first, &Budget::default()),
            "Proved: the other expression matches every request that the expression in the editor matches",
            "The other expression does not cover the expression in the editor",
        ),
        _ => (
            equivalent(&first, &second, &Budget::default()),
            "Proved: both expressions match the same requests",
            "The expressions differ",
        ),
    };
    match verdict {
        Verdict::Yes { assumptions } => {
            ProofResult::new("success", Icon::Success, format!("{proved}{}", assumptions_suffix(&assumptions)))
        }
        Verdict::No(counterexample) => ProofResult {
            note: "The expressions give different results for this request. Fields not listed are absent:",
            ..ProofResult::new("warning", Icon::Warning, format!("{refuted}{}", lists_suffix(&counterexample.record)))
                .with_sample(&counterexample.record)
        },
        Verdict::Undecided(reason) => ProofResult::new("neutral", Icon::Hint, format!("Undecided: {reason}")),
    }
}

/// Checks whether the expression in the editor matches any request.
fn check_satisfiable(first: &Arc<AnalyzedSource>) -> ProofResult {
    let Some(program) = check(&first.source, &first.options).program else {
        return ProofResult::new("error", Icon::Error, "Fix the errors in the expression first");
    };
    match check_satisfiability(&program, &Budget::default()) {
        Satisfiability::Satisfiable(record) => ProofResult {
            note: "The expression matches this request. Fields not listed can have any value:",
            ..ProofResult::new("success", Icon::Success, format!("The expression can match{}", lists_suffix(&record)))
                .with_sample(&record)
        },
        Satisfiability::Unsatisfiable { assumptions } => {
            let text = format!("Proved: the expression never matches{}", assumptions_suffix(&assumptions));
            ProofResult::new("warning", Icon::Warning, text)
        }
        Satisfiability::Undecided(reason) => ProofResult::new("neutral", Icon::Hint, format!("Undecided: {reason}")),
    }
}

/// Formats the assumptions of a proof as the end of its sentence.
fn assumptions_suffix(assumptions: &[Assumption]) -> String {
    let conditions: Vec<String> = assumptions.iter().map(ToString::to_string).collect();
    if conditions.is_empty() { String::new() } else { format!(", if {}", conditions.join(" and ")) }
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
