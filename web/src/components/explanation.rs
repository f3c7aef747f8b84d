//! A text in plain words: every sentence leads to what it is about.

use crate::analysis::AnalyzedSource;
use crate::components::markdown::InlineCode;
use crate::language::Language;
use crate::selection::{SelectedSpan, smallest};
use leptos::prelude::*;
use std::sync::Arc;
use zonewright_diagnostic::Span;
use zonewright_expression::Explained;

/// More sentences than this are counted, not shown.
const MOST_SENTENCES: usize = 300;

/// The words for a text that can be read, or for the text that its safe fixes lead to.
pub(crate) struct Explanation {
    pub(crate) explained: Explained,
    /// Whether it is about the mended text, whose places are not those of the editor.
    mended: bool,
}

impl Explanation {
    /// Follows a text.
    pub(crate) fn follow<L: Language>(analyzed: Memo<Arc<AnalyzedSource<L>>>) -> Memo<Arc<Explanation>> {
        Memo::new_with_compare(move |_| Arc::new(Explanation::of(&analyzed.get())), |_, _| true)
    }

    fn of<L: Language>(analyzed: &AnalyzedSource<L>) -> Self {
        let explained = analyzed.options.explain(&analyzed.source);
        if !explained.sentences.is_empty() {
            return Explanation { explained, mended: false };
        }
        match analyzed.with_safe_fixes() {
            Some(fixed) => Explanation { explained: analyzed.options.explain(&fixed), mended: true },
            None => Explanation { explained, mended: false },
        }
    }
}

/// The sentences as a list.
#[component]
pub(crate) fn ExplanationList(
    /// The words.
    words: Memo<Arc<Explanation>>,
    /// The piece of the text that is chosen.
    chosen: SelectedSpan,
    /// Called with the piece that a sentence is about.
    choose: Callback<Span>,
    /// What is said while there are no words.
    nothing: &'static str,
) -> impl IntoView {
    let current =
        Memo::new(move |_| smallest(chosen, words.read().explained.sentences.iter().map(|sentence| sentence.span)));
    move || {
        let words = words.get();
        let (explained, mended) = (&words.explained, words.mended);
        if explained.sentences.is_empty() {
            return view! { <p class="quiet pad">{nothing}</p> }.into_any();
        }
        let more = explained.sentences.len().saturating_sub(MOST_SENTENCES);
        let rows = explained.sentences.iter().take(MOST_SENTENCES).map(|sentence| {
            let span = sentence.span;
            view! {
                <li class="sentence" style:--depth=sentence.depth.to_string()>
                    <button
                        type="button"
                        class="sentence-text"
                        aria-pressed=move || if current.get() == Some(span) { "true" } else { "false" }
                        disabled=mended
                        on:click=move |_| choose.run(span)
                    >
                        <InlineCode text=sentence.text.clone() />
                    </button>
                </li>
            }
        });
        view! {
            {mended.then(|| view! { <p class="quiet pad">"So it reads once the safe fixes are applied:"</p> })}
            <ol class="sentences">{rows.collect_view()}</ol>
            {(more > 0).then(|| view! { <p class="quiet pad">{format!("and {more} more sentences")}</p> })}
        }
        .into_any()
    }
}
