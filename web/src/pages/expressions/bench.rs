//! What the panels of the page share: the text, the piece of it that is chosen, the sample request.

use super::sample::Sample;
use crate::analyzed::Analyzed;
use crate::chosen::{self, Chosen};
use crate::components::editor::EditorHandle;
use crate::state::expression::ExpressionContext;
use crate::state::expression_tools::ExpressionToolsContext;
use crate::state::expression_tools::SampleInput;
use leptos::prelude::*;
use std::sync::Arc;
use zonewright_diagnostic::Span;

/// What the panels share.
#[derive(Clone, Copy)]
pub(crate) struct Bench {
    /// The text and what the engine says about it.
    pub(crate) analyzed: Memo<Arc<Analyzed>>,
    /// The editor.
    pub(crate) handle: EditorHandle,
    /// The piece of the text that is chosen in any panel.
    pub(crate) chosen: Chosen,
    /// The sample request as it was entered.
    pub(crate) input: SampleInput,
    /// What the expression makes of the sample request.
    pub(crate) sample: Memo<Arc<Sample>>,
}

impl Bench {
    /// For the panels below.
    pub(crate) fn provide(handle: EditorHandle, chosen: Chosen) -> Self {
        let expression = ExpressionContext::get();
        let tools = ExpressionToolsContext::get();
        let analyzed = expression.analyzed;
        let input = tools.sample_input;
        let bench = Bench { analyzed, handle, chosen, input, sample: Sample::follow(analyzed, input) };
        provide_context(bench);
        bench
    }

    /// The one of the page.
    pub(crate) fn get() -> Self {
        use_context().unwrap_or_else(|| {
            let handle = EditorHandle::new(ExpressionContext::get().source);
            Bench::provide(handle, RwSignal::new(None))
        })
    }

    /// Chooses a piece of the text, and selects it in the editor.
    pub(crate) fn choose(self, span: Span) {
        self.handle.mark(&self.analyzed.get_untracked(), span);
        self.chosen.set(Some(span));
    }

    /// Whether a piece of the text and what is chosen are one inside the other.
    pub(crate) fn touches(self, span: Span) -> bool {
        chosen::touches(self.chosen, span)
    }
}
