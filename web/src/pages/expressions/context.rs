//! What the panels of the page share: the text, the piece of it that is chosen, the sample request.

use super::sample_request::SampleEvaluation;
use crate::analysis::AnalyzedSource;
use crate::components::editor::EditorHandle;
use crate::selection::{self, SelectedSpan};
use crate::state::expression::ExpressionContext;
use crate::state::expression_tools::ExpressionToolsContext;
use crate::state::expression_tools::SampleInput;
use leptos::prelude::*;
use std::sync::Arc;
use zonewright_diagnostic::Span;

/// What the panels share.
#[derive(Clone, Copy)]
pub(crate) struct WorkbenchContext {
    /// The text and what the engine says about it.
    pub(crate) analyzed: Memo<Arc<AnalyzedSource>>,
    /// The editor.
    pub(crate) handle: EditorHandle,
    /// The piece of the text that is chosen in any panel.
    pub(crate) chosen: SelectedSpan,
    /// The sample request as it was entered.
    pub(crate) input: SampleInput,
    /// What the expression makes of the sample request.
    pub(crate) sample: Memo<Arc<SampleEvaluation>>,
}

impl WorkbenchContext {
    /// For the panels below.
    pub(crate) fn provide(handle: EditorHandle, chosen: SelectedSpan) -> Self {
        let expression = ExpressionContext::get();
        let tools = ExpressionToolsContext::get();
        let analyzed = expression.analyzed;
        let input = tools.sample_input;
        let workbench =
            WorkbenchContext { analyzed, handle, chosen, input, sample: SampleEvaluation::follow(analyzed, input) };
        provide_context(workbench);
        workbench
    }

    /// The one of the page.
    pub(crate) fn get() -> Self {
        use_context().unwrap_or_else(|| {
            let handle = EditorHandle::new(ExpressionContext::get().source);
            WorkbenchContext::provide(handle, RwSignal::new(None))
        })
    }

    /// Chooses a piece of the text, and selects it in the editor.
    pub(crate) fn choose(self, span: Span) {
        self.handle.mark(&self.analyzed.get_untracked(), span);
        self.chosen.set(Some(span));
    }

    /// Whether a piece of the text and what is chosen are one inside the other.
    pub(crate) fn touches(self, span: Span) -> bool {
        selection::touches(self.chosen, span)
    }
}
