//! The state that the panels of the page share: text, selection and the sample request as entered.

use crate::analysis::AnalyzedSource;
use crate::components::editor::EditorHandle;
use crate::selection::{self, SelectedSpan};
use crate::state::expression::ExpressionContext;
use crate::state::expression_tools::ExpressionToolsContext;
use crate::state::expression_tools::SampleInput;
use leptos::prelude::*;
use std::sync::Arc;
use zonewright_diagnostic::Span;

/// The shared state of the page.
#[derive(Clone, Copy)]
pub(crate) struct WorkbenchContext {
    /// The analyzed expression, deferred.
    pub(crate) analyzed: Signal<Arc<AnalyzedSource>>,
    /// The editor.
    pub(crate) handle: EditorHandle,
    /// The selected span, shared by all panels.
    pub(crate) selected_span: SelectedSpan,
    /// The sample request as entered.
    pub(crate) input: SampleInput,
}

impl WorkbenchContext {
    /// Creates the context and provides it to the panels.
    pub(crate) fn provide(handle: EditorHandle, selected_span: SelectedSpan) -> Self {
        let expression = ExpressionContext::get();
        let tools = ExpressionToolsContext::get();
        let analyzed = AnalyzedSource::deferred(expression.analyzed);
        let input = tools.sample_input;
        let workbench = WorkbenchContext { analyzed, handle, selected_span, input };
        provide_context(workbench);
        workbench
    }

    /// Returns the context of the page, or provides one whose editor is not mounted.
    pub(crate) fn get() -> Self {
        use_context().unwrap_or_else(|| {
            let handle = EditorHandle::new(ExpressionContext::get().source);
            WorkbenchContext::provide(handle, RwSignal::new(None))
        })
    }

    /// Selects a span of a text, also in the editor, unless the expression has another text by now.
    pub(crate) fn select(self, text: &str, span: Span) {
        if self.handle.reveal(text, span) {
            self.selected_span.set(Some(span));
        }
    }

    /// Returns whether the selection contains a span, or the span contains the selection.
    pub(crate) fn overlaps_selection(self, span: Span) -> bool {
        selection::overlaps(self.selected_span, span)
    }
}
