//! The steps of an expression, each with its result for the sample request.

use super::sample_request::{self, SampleContext, SampleEvaluation, Truth};
use crate::analysis::{AnalysisState, AnalyzedSource};
use crate::decision_diagram::{self, Step};
use crate::engine::answers::ExplainResult;
use crate::engine::{Answer, Worker, follow};
use crate::language::Language;
use leptos::prelude::*;
use std::sync::Arc;

/// The result of a step for the sample request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StepResult {
    /// There is no sample request.
    NoSample,
    True,
    False,
    Unknown,
    NotReached,
}

impl StepResult {
    pub(super) fn class(self) -> &'static str {
        match self {
            StepResult::NoSample => "",
            StepResult::True => "true",
            StepResult::False => "false",
            StepResult::Unknown => "unknown",
            StepResult::NotReached => "skipped",
        }
    }

    pub(super) fn label(self) -> &'static str {
        match self {
            StepResult::NoSample => "–",
            StepResult::True => "true",
            StepResult::False => "false",
            StepResult::Unknown => "unknown",
            StepResult::NotReached => "not evaluated",
        }
    }

    pub(super) fn mark(self) -> &'static str {
        match self {
            StepResult::NoSample => "",
            StepResult::True => "✓",
            StepResult::False => "✕",
            StepResult::Unknown => "?",
            StepResult::NotReached => "·",
        }
    }
}

/// The steps of an expression.
#[derive(Debug)]
pub(super) struct Flow {
    /// The expression, to which the spans apply.
    pub(super) source: String,
    /// The steps; there are none if the expression has syntax errors.
    pub(super) steps: Vec<Step>,
}

/// Returns a signal with the steps of the expression.
pub(super) fn follow_steps(analyzed: Signal<Arc<AnalyzedSource>>) -> Signal<Answer<Flow>> {
    let is_analyzed = |analyzed: &Arc<AnalyzedSource>| analyzed.state != AnalysisState::Pending;
    follow(
        Worker::Tools,
        move || Some(analyzed.get()).filter(is_analyzed),
        async |channel, analyzed| {
            let values = vec![analyzed.source.as_str().into(), analyzed.options.to_js()];
            let explained: ExplainResult = channel.call("explain", values).await?;
            let tree = explained.into_explanation(&analyzed.source).tree;
            let steps = tree.as_ref().map(decision_diagram::build_steps).unwrap_or_default();
            Ok(Flow { source: analyzed.source.clone(), steps })
        },
    )
}

impl Flow {
    /// Returns the result of a step for the sample request.
    pub(super) fn result(&self, step: &Step, sample: SampleContext) -> StepResult {
        let truth = |steps: &Vec<sample_request::Step>| {
            steps.iter().find(|traced| traced.span == step.span).map(|traced| traced.truth)
        };
        // The sample may be evaluated on an earlier or a later text.
        let is_same_text = |sample: &SampleEvaluation| sample.source == self.source;
        let steps = |sample: &SampleEvaluation| sample.steps.as_ref().filter(|_| is_same_text(sample)).map(truth);
        match sample.read(steps).flatten() {
            None => StepResult::NoSample,
            Some(Some(Truth::True)) => StepResult::True,
            Some(Some(Truth::False | Truth::Absent)) => StepResult::False,
            Some(Some(Truth::Unknown)) => StepResult::Unknown,
            Some(Some(Truth::NotReached) | None) => StepResult::NotReached,
        }
    }
}
