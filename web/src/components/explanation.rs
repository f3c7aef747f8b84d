//! The explanation of a text, with a button for each sentence that selects its span.

use crate::analysis::AnalyzedSource;
use crate::components::markdown::InlineCode;
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
    /// Whether this explains the fixed text. Its spans do not apply to the text of the editor.
    is_fixed_text: bool,
}

impl SourceExplanation {
    /// Returns a memo that explains the analyzed text.
    pub(crate) fn memo<L: Language>(
        analyzed: impl Into<Signal<Arc<AnalyzedSource<L>>>>,
    ) -> Memo<Arc<SourceExplanation>> {
        let analyzed = analyzed.into();
        Memo::new_with_compare(move |_| Arc::new(SourceExplanation::new(&analyzed.get())), |_, _| true)
    }

    fn new<L: Language>(analyzed: &AnalyzedSource<L>) -> Self {
        let explained = analyzed.options.explain(&analyzed.source);
        if !explained.sentences.is_empty() {
            return SourceExplanation { explained, is_fixed_text: false };
        }
        match analyzed.with_safe_fixes() {
            Some(fixed) => SourceExplanation { explained: analyzed.options.explain(&fixed), is_fixed_text: true },
            None => SourceExplanation { explained, is_fixed_text: false },
        }
    }
}

/// The explanation as a list of sentences.
#[component]
pub(crate) fn ExplanationList(
    /// The explanation.
    explanation: Memo<Arc<SourceExplanation>>,
    /// The selected span.
    selected_span: SelectedSpan,
    /// Called with the span of the sentence that the user selects.
    choose: Callback<Span>,
    /// The text that is shown while there is no explanation.
    empty_text: &'static str,
) -> impl IntoView {
    let current = Memo::new(move |_| {
        smallest_enclosing_span(
            selected_span,
            explanation.read().explained.sentences.iter().map(|sentence| sentence.span),
        )
    });
    move || {
        let explanation = explanation.get();
        let (explained, is_fixed_text) = (&explanation.explained, explanation.is_fixed_text);
        if explained.sentences.is_empty() {
            return view! { <p class="quiet pad">{empty_text}</p> }.into_any();
        }
        let hidden_count = explained.sentences.len().saturating_sub(MAX_SENTENCES);
        let rows = explained.sentences.iter().take(MAX_SENTENCES).map(|sentence| {
            let span = sentence.span;
            view! {
                <li class="sentence" style:--depth=sentence.depth.to_string()>
                    <button
                        type="button"
                        class="sentence-text"
                        aria-pressed=move || if current.get() == Some(span) { "true" } else { "false" }
                        disabled=is_fixed_text
                        on:click=move |_| choose.run(span)
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
    }
}
