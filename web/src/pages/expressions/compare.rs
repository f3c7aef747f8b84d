//! Proofs about all requests: equivalence, subsumption, satisfiability and rules that never fire.

use super::context::WorkbenchContext;
use super::rule_list::RuleList;
use crate::analysis::{AnalysisState, AnalyzedSource};
use crate::components::answer_view::AnswerView;
use crate::components::code_explanation::CodeExplanation;
use crate::components::editor::{Editor, EditorHandle};
use crate::components::icon::{Icon, IconView};
use crate::components::markdown::InlineCode;
use crate::components::problems::Problems;
use crate::components::segmented_control::SegmentedControl;
use crate::engine::{Answer, Channel, EngineError, Worker, follow};
use crate::language::Language;
use crate::part::PartResult;
use crate::state::expression::ExpressionContext;
use crate::state::expression_tools::{ExpressionToolsContext, ProofQuestion, ToolPanel};
use crate::timer::settle;
use leptos::prelude::*;
use serde::Deserialize;
use std::sync::Arc;
use std::time::Duration;
use wasm_bindgen::JsValue;
use wasm_split_helpers::wasm_split;

/// Delay between the last change and the start of a proof.
const PROOF_DELAY: Duration = Duration::from_millis(250);

/// The panel, which is a part of the app.
#[wasm_split(expression_tools, fallible)]
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
    let analyzed = AnalyzedSource::follow(other, options);
    let handle = EditorHandle::new(other);
    let question = tools.question;
    let needs_second_expression = move || matches!(question.get(), ProofQuestion::Equivalent | ProofQuestion::Subsumes);
    let questions = move || (workbench.analyzed.get(), analyzed.get(), question.get());
    let current_subject = move || {
        let (first, second, question) = questions();
        subject_of(&first, &second, question)
    };
    let settled = settle(PROOF_DELAY, questions);
    let input = move || {
        let (first, second, question) = settled.get();
        let is_analyzed = first.state != AnalysisState::Pending && second.state != AnalysisState::Pending;
        (is_analyzed && question != ProofQuestion::RuleList).then_some((first, second, question))
    };
    let answer = follow(Worker::Tools, input, async |channel, (first, second, question)| {
        let subject = subject_of(&first, &second, question);
        Ok((subject, compare(channel, first, second, question).await?))
    });
    let result = Signal::derive(move || match answer.get() {
        // A proof about another text or question says nothing about the current one.
        Answer::Ready(answer) if answer.0 != current_subject() => Answer::Pending,
        answer => answer,
    });
    let ready =
        move |answer: Arc<(Subject, ProofResult)>| view! { <ProofView result=answer.1.clone() tools /> }.into_any();
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
            <AnswerView answer=result ready />
        </div>
        {move || {
            (needs_second_expression() && !other.read().trim().is_empty()).then(|| view! {
                <Problems title="Problems in the other expression" analyzed handle source=other show_page=show_page />
            })
        }}
        <CodeExplanation code />
    }
}

/// A result, with its sample request.
#[component]
fn ProofView(
    /// The result.
    result: ProofResult,
    /// The tools, one of which can test the sample request.
    tools: ExpressionToolsContext,
) -> impl IntoView {
    let sample = result.sample.clone().map(|sample| {
        view! {
            <div class="code-views">
                <p class="quiet">{result.note}</p>
                <pre class="code-block" tabindex="0"><code>{sample.clone()}</code></pre>
                <button type="button" class="button" on:click=move |_| use_as_sample(tools, &sample)>"Test this request"</button>
            </div>
        }
    });
    view! {
        <div class=format!("verdict {}", result.class)>
            <IconView icon=result.icon />
            <p><InlineCode text=result.text.clone() /></p>
        </div>
        {sample}
    }
}

/// Makes a counterexample or a witness the sample request, without typed values, and shows the tool for it.
fn use_as_sample(tools: ExpressionToolsContext, sample: &str) {
    tools.sample_input.text.set(sample.to_owned());
    tools.sample_input.entry.set(0);
    tools.sample_input.fields.update(std::collections::BTreeMap::clear);
    tools.sample_input.missing_fields.set(zonewright_expression::MissingPolicy::Absent);
    tools.panel.set(ToolPanel::TestRequest);
}

/// The texts of both expressions, and the question.
type Subject = (String, String, ProofQuestion);

fn subject_of(first: &AnalyzedSource, second: &AnalyzedSource, question: ProofQuestion) -> Subject {
    (first.source.clone(), second.source.clone(), question)
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
    fn new(class: &'static str, icon: Icon, text: impl Into<String>) -> Self {
        ProofResult { class, icon, text: text.into(), note: "", sample: None }
    }

    fn with_sample(self, record: &SampleRecord, note: &'static str) -> Self {
        let text = format!("{}{}", self.text, lists_suffix(record));
        ProofResult { text, note, sample: serde_json::to_string_pretty(&record.fields).ok(), ..self }
    }
}

/// Result of `equivalent`, `subsumes` and `satisfiable`.
#[derive(Deserialize)]
struct ProofAnswer {
    answer: Option<String>,
    assumptions: Option<Vec<String>>,
    record: Option<SampleRecord>,
    reason: Option<String>,
}

/// A request that proves or refutes a relation.
#[derive(Deserialize)]
struct SampleRecord {
    fields: serde_json::Map<String, serde_json::Value>,
    lists: serde_json::Map<String, serde_json::Value>,
}

async fn compare(
    channel: Channel,
    first: Arc<AnalyzedSource>,
    second: Arc<AnalyzedSource>,
    question: ProofQuestion,
) -> Result<ProofResult, EngineError> {
    let (verb, sources, proved, refuted) = match question {
        ProofQuestion::Subsumes => (
            "subsumes",
            vec![&second, &first],
            "Proved: the other expression matches every request that the expression in the editor matches",
            "The other expression does not cover the expression in the editor",
        ),
        ProofQuestion::Equivalent | ProofQuestion::RuleList => (
            "equivalent",
            vec![&first, &second],
            "Proved: both expressions match the same requests",
            "The expressions differ",
        ),
        ProofQuestion::Satisfiable => return check_satisfiable(channel, &first).await,
    };
    if second.source.trim().is_empty() {
        return Ok(ProofResult::new("neutral", Icon::Hint, "Enter or paste an expression to compare"));
    }
    let mut values: Vec<JsValue> = sources.into_iter().map(|analyzed| analyzed.source.as_str().into()).collect();
    values.push(first.options.to_js());
    let answer: ProofAnswer = channel.call(verb, values).await?;
    Ok(match (answer.answer.as_deref(), answer.record) {
        (Some("yes"), _) => {
            ProofResult::new("success", Icon::Success, format!("{proved}{}", assumptions_suffix(answer.assumptions)))
        }
        (Some("no"), Some(record)) => ProofResult::new("warning", Icon::Warning, refuted).with_sample(
            &record,
            "The expressions give different results for this request. Fields not listed are absent:",
        ),
        (Some(_), _) => undecided(answer.reason),
        (None, _) => ProofResult::new("error", Icon::Error, "Fix the errors in both expressions first"),
    })
}

/// Checks whether the expression in the editor matches any request.
async fn check_satisfiable(channel: Channel, first: &AnalyzedSource) -> Result<ProofResult, EngineError> {
    let values = vec![first.source.as_str().into(), first.options.to_js()];
    let answer: ProofAnswer = channel.call("satisfiable", values).await?;
    Ok(match (answer.answer.as_deref(), answer.record) {
        (Some("yes"), Some(record)) => ProofResult::new("success", Icon::Success, "The expression can match")
            .with_sample(&record, "The expression matches this request. Fields not listed can have any value:"),
        (Some("no"), _) => {
            let text = format!("Proved: the expression never matches{}", assumptions_suffix(answer.assumptions));
            ProofResult::new("warning", Icon::Warning, text)
        }
        (Some(_), _) => undecided(answer.reason),
        (None, _) => ProofResult::new("error", Icon::Error, "Fix the errors in the expression first"),
    })
}

fn undecided(reason: Option<String>) -> ProofResult {
    ProofResult::new("neutral", Icon::Hint, format!("Undecided: {}", reason.unwrap_or_default()))
}

/// Formats the assumptions of a proof as the end of its sentence.
fn assumptions_suffix(assumptions: Option<Vec<String>>) -> String {
    let conditions = assumptions.unwrap_or_default();
    if conditions.is_empty() { String::new() } else { format!(", if {}", conditions.join(" and ")) }
}

/// Formats the list items that a request requires, as the end of a sentence. They are not part of a sample request.
fn lists_suffix(record: &SampleRecord) -> String {
    let list = |(name, items): (&String, &serde_json::Value)| match items.as_array().map_or(0, Vec::len) {
        0 => format!("`${name}` empty"),
        _ => format!("`{items}` in `${name}`"),
    };
    let lists: Vec<String> = record.lists.iter().map(list).collect();
    if lists.is_empty() { String::new() } else { format!(", with {}", lists.join(" and ")) }
}
