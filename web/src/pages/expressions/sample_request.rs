//! The evaluation of the expression on the sample request.

use crate::analysis::{AnalysisState, AnalyzedSource};
use crate::engine::answers::Spans;
use crate::engine::{Answer, Channel, EngineError, Worker, follow, to_js};
use crate::language::Language;
use crate::state::expression_tools::SampleInput;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use zonewright_diagnostic::Span;

/// The evaluation of the expression on the sample request.
#[derive(Debug)]
pub(crate) struct SampleEvaluation {
    /// The expression, to which the spans apply.
    pub(crate) source: String,
    /// The result of the engine.
    pub(crate) result: SampleResult,
    /// The truth value of each condition; `None` while the expression has errors.
    pub(crate) steps: Option<Vec<Step>>,
}

/// A condition with its truth value.
#[derive(Debug)]
pub(crate) struct Step {
    /// The span of the condition.
    pub(crate) span: Span,
    /// The truth value.
    pub(crate) truth: Truth,
    /// The left operand, if it is known.
    pub(crate) value: Option<serde_json::Value>,
}

/// The truth value of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Truth {
    True,
    False,
    Unknown,
    /// False, because a value is missing.
    Absent,
    NotReached,
}

/// The outcome of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Outcome {
    Match,
    NoMatch,
    Unknown,
    Value,
    Absent,
    Error,
}

/// Result of `sample`.
#[derive(Debug, Deserialize)]
pub(crate) struct SampleResult {
    /// The outcome.
    pub(crate) outcome: Outcome,
    /// The value of a value expression.
    pub(crate) result: serde_json::Value,
    /// The fields that would decide an unknown outcome.
    pub(crate) unknown: Vec<String>,
    /// The notes about what was assumed or ignored.
    pub(crate) notes: Vec<String>,
    /// The detected format of the text.
    pub(crate) format: Option<String>,
    /// The requests of a HAR file.
    pub(crate) entries: Vec<String>,
    /// The error if the text could not be parsed.
    pub(crate) error: Option<RequestError>,
    /// The fields and lists that the expression reads.
    pub(crate) inputs: Vec<Input>,
    trace: Option<Vec<TraceStep>>,
}

/// An error in the text of a request.
#[derive(Debug, Deserialize)]
pub(crate) struct RequestError {
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

/// A field or list that the expression reads.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Input {
    /// The name; a list has the prefix `$`.
    pub(crate) name: String,
    /// The type of a field.
    #[serde(rename = "type")]
    ty: Option<String>,
    /// The value in the request.
    value: Option<serde_json::Value>,
    /// The error of the typed value.
    pub(crate) error: Option<String>,
}

#[derive(Debug, Deserialize)]
struct TraceStep {
    start: usize,
    end: usize,
    truth: Truth,
    value: Option<serde_json::Value>,
}

/// The form of a sample request, as the engine reads it.
#[derive(Serialize)]
struct SampleForm {
    request: String,
    entry: usize,
    values: BTreeMap<String, String>,
    missing: &'static str,
}

/// The evaluation of the expression, which the components of a panel share.
#[derive(Clone, Copy)]
pub(crate) struct SampleContext(pub(crate) Signal<Answer<SampleEvaluation>>);

impl SampleContext {
    /// Provides the evaluation to the components of a panel.
    pub(crate) fn provide(analyzed: Signal<Arc<AnalyzedSource>>, input: SampleInput) -> Self {
        let form = move || SampleForm {
            request: input.text.get(),
            entry: input.entry.get(),
            values: input.fields.get(),
            missing: input.missing_fields.get().name(),
        };
        let arguments = move || {
            let analyzed = analyzed.get();
            (analyzed.state != AnalysisState::Pending).then(|| (analyzed, form()))
        };
        let sample = SampleContext(follow(Worker::Tools, arguments, |channel, (analyzed, form)| {
            SampleEvaluation::new(channel, analyzed, form)
        }));
        provide_context(sample);
        sample
    }

    /// Returns the context of the panel.
    pub(crate) fn get() -> Self {
        expect_context()
    }

    /// Reads a part of the latest result; `None` without a result.
    pub(crate) fn read<T>(self, part: impl FnOnce(&SampleEvaluation) -> T) -> Option<T> {
        self.0.read().ready().map(|sample| part(sample))
    }
}

impl SampleEvaluation {
    async fn new(channel: Channel, analyzed: Arc<AnalyzedSource>, form: SampleForm) -> Result<Self, EngineError> {
        let source = analyzed.source.clone();
        let values = vec![source.as_str().into(), to_js(&form), analyzed.options.to_js()];
        let mut result: SampleResult = channel.call("sample", values).await?;
        let spans = Spans::new(&source);
        let step =
            |step: TraceStep| Step { span: spans.span(step.start, step.end), truth: step.truth, value: step.value };
        let steps = result.trace.take().map(|steps| steps.into_iter().map(step).collect());
        Ok(SampleEvaluation { source, result, steps })
    }
}

impl Input {
    /// Returns the placeholder of an empty field: the value in the request, or the expected kind of value.
    pub(crate) fn hint(&self) -> String {
        if let Some(value) = &self.value {
            return display_value(value);
        }
        match self.ty.as_deref() {
            None => "items, separated by spaces".to_owned(),
            Some("String" | "Bytes") => "text".to_owned(),
            Some("Integer") => "an integer".to_owned(),
            Some("IP") => "an IP address such as 192.0.2.1".to_owned(),
            Some("Boolean") => "true or false".to_owned(),
            Some(ty) => format!("{ty} as JSON"),
        }
    }
}

/// Formats a value for display.
pub(crate) fn display_value(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
