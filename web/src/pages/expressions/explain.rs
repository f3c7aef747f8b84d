//! The expression in plain words.

use super::bench::Bench;
use crate::analyzed::Analyzed;
use crate::components::code_view::CodeView;
use crate::components::page_text::Inline;
use leptos::prelude::*;
use std::sync::Arc;
use zonewright_expression::{Explained, explain};

/// More sentences than this are counted, not shown.
const MOST_SENTENCES: usize = 300;

/// The words for a text that can be read, or for the text that its safe fixes lead to.
struct Explanation {
    explained: Explained,
    /// Whether it is about the mended text, whose places are not those of the editor.
    mended: bool,
}

impl Explanation {
    fn of(analyzed: &Analyzed) -> Self {
        let explained = explain(&analyzed.source, &analyzed.options);
        if !explained.sentences.is_empty() {
            return Explanation { explained, mended: false };
        }
        match analyzed.with_safe_fixes() {
            Some(fixed) => Explanation { explained: explain(&fixed, &analyzed.options), mended: true },
            None => Explanation { explained, mended: false },
        }
    }
}

/// The panel "Explain": every sentence leads to what it is about.
#[component]
pub(crate) fn Explain() -> impl IntoView {
    let bench = Bench::get();
    let explained = Memo::new_with_compare(move |_| Arc::new(Explanation::of(&bench.analyzed.get())), |_, _| true);
    let chosen =
        Memo::new(move |_| bench.smallest(explained.read().explained.sentences.iter().map(|sentence| sentence.span)));
    let sentences = move || {
        let explanation = explained.get();
        let (explained, mended) = (&explanation.explained, explanation.mended);
        if explained.sentences.is_empty() {
            return view! { <p class="quiet pad">"There is nothing to explain while the expression cannot be read."</p> }
                .into_any();
        }
        let more = explained.sentences.len().saturating_sub(MOST_SENTENCES);
        let rows = explained.sentences.iter().take(MOST_SENTENCES).map(|sentence| {
            let span = sentence.span;
            view! {
                <li class="sentence" style:--depth=sentence.depth.to_string()>
                    <button
                        type="button"
                        class="sentence-text"
                        aria-pressed=move || if chosen.get() == Some(span) { "true" } else { "false" }
                        disabled=mended
                        on:click=move |_| bench.choose(span)
                    >
                        <Inline text=sentence.text.clone() />
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
    };
    let text = Signal::derive(move || explained.read().explained.text.clone());
    view! {
        {sentences}
        <div class="code-views" hidden=move || text.read().is_empty()>
            <CodeView title="As text" note="For a change request or a review." text />
        </div>
    }
}
