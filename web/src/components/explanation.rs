//! The explanation of a text, with a button for each sentence that selects its span.

use crate::analysis::{AnalysisState, AnalyzedSource};
use crate::components::answer_view::AnswerView;
use crate::components::markdown::InlineCode;
use crate::engine::answers::{ExplainResult, TextResult};
use crate::engine::{Answer, Channel, EngineError, Worker, follow};
use crate::language::Language;
use crate::selection::{SelectedSpan, smallest_enclosing_span};
use leptos::prelude::*;
use std::sync::Arc;
use zonewright_diagnostic::Span;
use zonewright_expression::Explanation;

/// Largest number of sentences that are shown; the others are only counted.
const MAX_SENTENCES: usize = 300;

/// The explanation of a text. If there is none, because the text has syntax errors, it explains the text after all safe
/// fixes.
pub(crate) struct SourceExplanation {
    pub(crate) explained: Explanation,
    /// The analyzed text, to which the spans apply.
    source: Arc<str>,
    /// Whether this explains the fixed text. Its spans do not apply to the text of the editor.
    is_fixed_text: bool,
}

impl SourceExplanation {
    /// Returns a signal that explains an analyzed text.
    pub(crate) fn follow<L: Language>(analyzed: Signal<Arc<AnalyzedSource<L>>>) -> Signal<Answer<SourceExplanation>> {
        let is_analyzed = move |analyzed: &Arc<AnalyzedSource<L>>| analyzed.state != AnalysisState::Pending;
        follow(Worker::Editor, move || Some(analyzed.get()).filter(is_analyzed), SourceExplanation::new)
    }

    async fn new<L: Language>(channel: Channel, analyzed: Arc<AnalyzedSource<L>>) -> Result<Self, EngineError> {
        if let AnalysisState::Failed(reason) = &analyzed.state {
            return Err(EngineError::Failed(reason.clone()));
        }
        let explain = async |source: &str| -> Result<Explanation, EngineError> {
            let verb = format!("{}explain", L::NAMESPACE);
            let result: ExplainResult = channel.call(&verb, vec![source.into(), analyzed.options.to_js()]).await?;
            Ok(result.into_explanation(source))
        };
        let explained = explain(&analyzed.source).await?;
        let source: Arc<str> = analyzed.source.as_str().into();
        if !explained.sentences.is_empty() || analyzed.safe_fix_count() == 0 {
            return Ok(SourceExplanation { explained, source, is_fixed_text: false });
        }
        let verb = format!("{}fix", L::NAMESPACE);
        let values = vec![analyzed.source.as_str().into(), analyzed.options.to_js()];
        let TextResult { text: fixed } = channel.call(&verb, values).await?;
        match fixed {
            Some(fixed) => Ok(SourceExplanation { explained: explain(&fixed).await?, source, is_fixed_text: true }),
            None => Ok(SourceExplanation { explained, source, is_fixed_text: false }),
        }
    }
}

/// The explanation as a list of sentences.
#[component]
pub(crate) fn ExplanationList(
    /// The explanation.
    explanation: Signal<Answer<SourceExplanation>>,
    /// The selected span.
    selected_span: SelectedSpan,
    /// Called with the explained text and the span of the sentence that the user selects.
    choose: Callback<(Arc<str>, Span)>,
    /// The text that is shown while there is no explanation.
    empty_text: &'static str,
) -> impl IntoView {
    let current = Memo::new(move |_| {
        let explanation = explanation.read();
        let sentences = explanation.ready().into_iter().flat_map(|explanation| &explanation.explained.sentences);
        smallest_enclosing_span(selected_span, sentences.map(|sentence| sentence.span))
    });
    let ready = move |explanation: Arc<SourceExplanation>| {
        let (explained, is_fixed_text) = (&explanation.explained, explanation.is_fixed_text);
        if explained.sentences.is_empty() {
            return view! { <p class="quiet pad">{empty_text}</p> }.into_any();
        }
        let hidden_count = explained.sentences.len().saturating_sub(MAX_SENTENCES);
        let rows = explained.sentences.iter().take(MAX_SENTENCES).map(|sentence| {
            let span = sentence.span;
            let source = explanation.source.clone();
            view! {
                <li class="sentence" style:--depth=sentence.depth.to_string()>
                    <button
                        type="button"
                        class="sentence-text"
                        aria-pressed=move || if current.get() == Some(span) { "true" } else { "false" }
                        disabled=is_fixed_text
                        on:click=move |_| choose.run((source.clone(), span))
                    >
                        <InlineCode text=sentence.text.clone() />
                    </button>
                </li>
            }
        });
        view! {
            {is_fixed_text.then(|| view! { <p class="quiet pad">"After the safe fixes, it means:"</p> })}
            <ol class="sentences">{rows.collect_view()}</ol>
            {(hidden_count > 0).then(|| view! { <p class="quiet pad">{format!("and {hidden_count} more")}</p> })}
        }
        .into_any()
    };
    view! { <AnswerView answer=explanation ready /> }
}
