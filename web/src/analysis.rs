//! A text with its analysis. The two are one value, so that offsets are never applied to another text.

use crate::language::Language;
use crate::timer::ComponentTimer;
use leptos::prelude::*;
use std::sync::Arc;
use std::time::Duration;
use zonewright_diagnostic::{Applicability, Diagnostic, Edit, Severity, Span, Utf16Offsets, fix_all};
use zonewright_expression::Options;

/// A text and its analysis.
#[derive(Clone, Debug)]
pub(crate) struct AnalyzedSource<L: Language = Options> {
    /// The text.
    pub(crate) source: String,
    /// The options of the analysis.
    pub(crate) options: L,
    /// The result of the analysis.
    pub(crate) analysis: L::Analysis,
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
    /// Analyzes a text.
    pub(crate) fn new(source: String, options: L) -> Self {
        let analysis = options.analyze(&source);
        AnalyzedSource { source, options, analysis }
    }

    /// Returns a memo that analyzes the text again whenever the text or the options change.
    pub(crate) fn memo(source: RwSignal<String>, options: Signal<L>) -> Memo<Arc<AnalyzedSource<L>>> {
        // A run almost always has a new text or new options, so comparing two analyses would be wasted work.
        Memo::new_with_compare(move |_| Arc::new(AnalyzedSource::new(source.get(), options.get())), |_, _| true)
    }

    /// Returns a signal that follows an analysis in a separate task. Views that need not react at once to a key press
    /// use it, so that the browser paints the editor and its problems first.
    pub(crate) fn deferred(analyzed: Memo<Arc<Self>>) -> Signal<Arc<Self>> {
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
        L::diagnostics(&self.analysis)
    }

    /// Counts the diagnostics of a severity.
    pub(crate) fn count(&self, severity: Severity) -> usize {
        self.diagnostics().iter().filter(|diagnostic| diagnostic.severity == severity).count()
    }

    /// Summarizes the diagnostics: `2 errors, 1 warning`, or `No problems`.
    pub(crate) fn summary(&self) -> String {
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
        self.diagnostics().iter().filter(safe).count()
    }

    /// Returns the text after all safe fixes, or `None` if they change nothing.
    pub(crate) fn with_safe_fixes(&self) -> Option<String> {
        let check = |text: &str| L::diagnostics(&self.options.analyze(text)).to_vec();
        let fixed = fix_all(&self.source, self.diagnostics().to_vec(), check).text;
        (fixed != self.source).then_some(fixed)
    }

    /// Formats the position of a diagnostic as `line:column`, both from 1.
    pub(crate) fn line_column(&self, diagnostic: &Diagnostic) -> String {
        let position = zonewright_diagnostic::position_at(&self.source, diagnostic.span.start);
        format!("{}:{}", position.line, position.column)
    }
}
