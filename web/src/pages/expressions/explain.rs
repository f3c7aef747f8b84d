//! The expression in plain words.

use super::bench::Bench;
use crate::components::code_view::CodeView;
use crate::components::sentences::{Sentences, Words};
use leptos::prelude::*;

/// The panel "Explain": every sentence leads to what it is about.
#[component]
pub(crate) fn Explain() -> impl IntoView {
    let bench = Bench::get();
    let words = Words::follow(bench.analyzed);
    let text = Signal::derive(move || words.read().explained.text.clone());
    view! {
        <Sentences
            words
            chosen=bench.chosen
            choose=Callback::new(move |span| bench.choose(span))
            nothing="There is nothing to explain while the expression cannot be read."
        />
        <div class="code-views" hidden=move || text.read().is_empty()>
            <CodeView title="As text" note="For a change request or a review." text />
        </div>
    }
}
