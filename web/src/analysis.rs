//! A text together with what the engine says about it, so that offsets never meet another text.

use crate::language::Language;
use leptos::prelude::*;
use std::sync::Arc;
use zonewright_diagnostic::{Diagnostic, Edit, Safety, Severity, Span, Utf16Offsets, fix_all};
use zonewright_expression::Options;

/// A text and its analysis.
#[derive(Clone, Debug)]
pub(crate) struct AnalyzedSource<L: Language = Options> {
    /// The text.
    pub(crate) source: String,
    /// What it was checked against.
    pub(crate) options: L,
    /// What the engine says.
    pub(crate) analysis: L::Analysis,
}

/// An edit with offsets as the browser counts them.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub(crate) struct Utf16Edit {
    /// Where the old text starts.
    pub(crate) from: usize,
    /// Where it ends.
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

    /// Follows a text and what it is checked against.
    pub(crate) fn follow(source: RwSignal<String>, options: Signal<L>) -> Memo<Arc<AnalyzedSource<L>>> {
        // Every run has a new text or new options: comparing two analyses would be wasted work.
        Memo::new_with_compare(move |_| Arc::new(AnalyzedSource::new(source.get(), options.get())), |_, _| true)
    }

    /// Every problem, in the order of the source.
    pub(crate) fn diagnostics(&self) -> &[Diagnostic] {
        L::diagnostics(&self.analysis)
    }

    /// How many problems of a severity there are.
    pub(crate) fn count(&self, severity: Severity) -> usize {
        self.diagnostics().iter().filter(|diagnostic| diagnostic.severity == severity).count()
    }

    /// The problems in a few words: `2 errors, 1 warning`.
    pub(crate) fn summary(&self) -> String {
        let words: Vec<String> = [Severity::Error, Severity::Warning, Severity::Hint]
            .into_iter()
            .map(|severity| (severity, self.count(severity)))
            .filter(|(_, count)| *count > 0)
            .map(|(severity, count)| format!("{count} {}{}", severity.as_str(), if count == 1 { "" } else { "s" }))
            .collect();
        if words.is_empty() { "No problems".to_owned() } else { words.join(", ") }
    }

    /// A span as the browser counts it.
    pub(crate) fn utf16(&self, span: Span) -> (usize, usize) {
        let offsets = Utf16Offsets::new(&self.source);
        (offsets.from_byte(span.start), offsets.from_byte(span.end))
    }

    /// Edits as the browser counts them.
    pub(crate) fn utf16_edits(&self, edits: &[Edit]) -> Vec<Utf16Edit> {
        let offsets = Utf16Offsets::new(&self.source);
        let convert = |edit: &Edit| Utf16Edit {
            from: offsets.from_byte(edit.span.start),
            to: offsets.from_byte(edit.span.end),
            insert: edit.text.clone(),
        };
        edits.iter().map(convert).collect()
    }

    /// How many problems have a safe fix.
    pub(crate) fn safe(&self) -> usize {
        let safe = |diagnostic: &&Diagnostic| diagnostic.fixes.iter().any(|fix| fix.safety == Safety::Safe);
        self.diagnostics().iter().filter(safe).count()
    }

    /// The text after every safe fix; `None` when there is none to apply.
    pub(crate) fn with_safe_fixes(&self) -> Option<String> {
        let check = |text: &str| L::diagnostics(&self.options.analyze(text)).to_vec();
        let fixed = fix_all(&self.source, self.diagnostics().to_vec(), check).text;
        (fixed != self.source).then_some(fixed)
    }

    /// The line and column of a diagnostic, as people count.
    pub(crate) fn place(&self, diagnostic: &Diagnostic) -> String {
        let at = zonewright_diagnostic::position(&self.source, diagnostic.span.start);
        format!("{}:{}", at.line, at.column)
    }
}
