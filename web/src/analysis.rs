//! A text with its analysis. The two are one value, so that offsets are never applied to another text.
//!
//! The engine analyzes a text in its worker. Until it answers, a signal keeps the earlier text with its analysis.

use crate::engine::{Channel, EngineContext, EngineError, Worker, answers, from_js};
use crate::language::Language;
use crate::timer::ComponentTimer;
use js_sys::{Array, Reflect};
use leptos::prelude::*;
use leptos::task::spawn_local;
use send_wrapper::SendWrapper;
use serde::Deserialize;
use std::sync::Arc;
use std::time::Duration;
use wasm_bindgen::JsValue;
use zonewright_diagnostic::{Applicability, Diagnostic, Edit, Severity, Span, Utf16Offsets};
use zonewright_expression::Options;

/// Whether a text was analyzed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AnalysisState {
    /// No text has been analyzed yet.
    Pending,
    /// The text was analyzed.
    Done,
    /// The engine failed, for this reason.
    Failed(String),
}

/// A text and its analysis.
#[derive(Clone, Debug)]
pub(crate) struct AnalyzedSource<L: Language = Options> {
    /// The text.
    pub(crate) source: String,
    /// The options of the analysis.
    pub(crate) options: L,
    /// Whether the text was analyzed. Otherwise, there are no diagnostics and no facts.
    pub(crate) state: AnalysisState,
    /// The result of the analysis, except the diagnostics and the tokens.
    pub(crate) facts: Option<L::Facts>,
    /// The JavaScript result, for the editor.
    pub(crate) result: Option<SendWrapper<JsValue>>,
    diagnostics: Vec<Diagnostic>,
}

/// The diagnostics in the results of `analyze` and `check`.
#[derive(Deserialize)]
struct DiagnosticsResult {
    diagnostics: Vec<answers::Diagnostic>,
}

/// An edit with UTF-16 offsets.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub(crate) struct Utf16Edit {
    /// The start of the replaced range.
    pub(crate) from: usize,
    /// The end of the replaced range.
    pub(crate) to: usize,
    /// The new text.
    pub(crate) insert: String,
}

impl<L: Language> AnalyzedSource<L> {
    /// Returns a signal that follows a text and its options. It stops when its reactive owner is disposed.
    pub(crate) fn follow(source: RwSignal<String>, options: Signal<L>) -> Signal<Arc<Self>> {
        let engine = EngineContext::get();
        let channel = Channel::new(Worker::Editor);
        let pending = Self::without_result(String::new(), options.get_untracked(), AnalysisState::Pending);
        let analyzed = RwSignal::new(Arc::new(pending));
        Effect::new(move || {
            engine.track_attempts();
            let (source, options) = (source.get(), options.get());
            spawn_local(async move {
                let next = match Self::analyze(channel, &source, &options).await {
                    Ok(next) => next,
                    Err(EngineError::Superseded) => return,
                    Err(EngineError::Failed(reason)) => {
                        Self::without_result(source, options, AnalysisState::Failed(reason))
                    }
                };
                analyzed.try_set(Arc::new(next));
            });
        });
        analyzed.into()
    }

    fn without_result(source: String, options: L, state: AnalysisState) -> Self {
        AnalyzedSource { source, options, state, facts: None, result: None, diagnostics: Vec::new() }
    }

    async fn analyze(channel: Channel, source: &str, options: &L) -> Result<Self, EngineError> {
        let verb = format!("{}analyze", L::NAMESPACE);
        let result = channel.call_js(&verb, vec![source.into(), options.to_js()]).await?;
        if L::ACCEPTS_EMPTY && source.trim().is_empty() {
            // The result is a plain object, so setting a member cannot fail.
            drop(Reflect::set(&result, &"diagnostics".into(), &Array::new()));
        }
        let DiagnosticsResult { diagnostics } = from_js(result.clone())?;
        Ok(AnalyzedSource {
            source: source.to_owned(),
            options: options.clone(),
            state: AnalysisState::Done,
            facts: Some(from_js(result.clone())?),
            result: Some(SendWrapper::new(result)),
            diagnostics: answers::to_diagnostics(source, diagnostics, L::code_name),
        })
    }

    /// Returns a signal that follows an analysis in a separate task. Views that need not react at once to a key press
    /// use it, so that the browser paints the editor and its problems first.
    pub(crate) fn deferred(analyzed: Signal<Arc<Self>>) -> Signal<Arc<Self>> {
        let deferred = RwSignal::new(analyzed.get_untracked());
        let timer = ComponentTimer::new();
        Effect::new(move || {
            if !Arc::ptr_eq(&analyzed.get(), &deferred.get_untracked()) {
                timer.start(Duration::ZERO, move || drop(deferred.try_set(analyzed.get_untracked())));
            }
        });
        deferred.into()
    }

    /// Returns all diagnostics, in source order.
    pub(crate) fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Counts the diagnostics of a severity.
    pub(crate) fn count(&self, severity: Severity) -> usize {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count()
    }

    /// Summarizes the diagnostics: `2 errors, 1 warning`, or `No problems`.
    pub(crate) fn summary(&self) -> String {
        match self.state {
            AnalysisState::Pending => return "Checking…".to_owned(),
            AnalysisState::Failed(_) => return "Not checked".to_owned(),
            AnalysisState::Done => {}
        }
        let parts: Vec<String> = [Severity::Error, Severity::Warning, Severity::Hint]
            .into_iter()
            .map(|severity| (severity, self.count(severity)))
            .filter(|(_, count)| *count > 0)
            .map(|(severity, count)| format!("{count} {}{}", severity.as_str(), if count == 1 { "" } else { "s" }))
            .collect();
        if parts.is_empty() { "No problems".to_owned() } else { parts.join(", ") }
    }

    /// Converts a span to UTF-16 offsets.
    pub(crate) fn utf16(&self, span: Span) -> (usize, usize) {
        let offsets = Utf16Offsets::new(&self.source);
        (offsets.byte_to_utf16(span.start), offsets.byte_to_utf16(span.end))
    }

    /// Converts edits to UTF-16 offsets.
    pub(crate) fn utf16_edits(&self, edits: &[Edit]) -> Vec<Utf16Edit> {
        let offsets = Utf16Offsets::new(&self.source);
        let convert = |edit: &Edit| Utf16Edit {
            from: offsets.byte_to_utf16(edit.span.start),
            to: offsets.byte_to_utf16(edit.span.end),
            insert: edit.text.clone(),
        };
        edits.iter().map(convert).collect()
    }

    /// Counts the diagnostics that have a safe fix.
    pub(crate) fn safe_fix_count(&self) -> usize {
        let safe =
            |diagnostic: &&Diagnostic| diagnostic.fixes.iter().any(|fix| fix.applicability == Applicability::Safe);
        self.diagnostics.iter().filter(safe).count()
    }

    /// Formats the position of a diagnostic as `line:column`, both from 1.
    pub(crate) fn line_column(&self, diagnostic: &Diagnostic) -> String {
        let position = zonewright_diagnostic::position_at(&self.source, diagnostic.span.start);
        format!("{}:{}", position.line, position.column)
    }
}

/// Returns the messages of all errors in a text.
pub(crate) async fn find_errors<L: Language>(source: &str, options: &L) -> Result<Vec<String>, EngineError> {
    let verb = format!("{}check", L::NAMESPACE);
    let values = vec![source.into(), options.to_js()];
    let DiagnosticsResult { diagnostics } = Channel::new(Worker::Editor).call(&verb, values).await?;
    Ok(diagnostics.into_iter().filter_map(answers::Diagnostic::into_error).collect())
}
