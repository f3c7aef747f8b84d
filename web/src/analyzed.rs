//! A text together with what the engine says about it, so that offsets never meet another text.

use leptos::prelude::*;
use std::sync::Arc;
use zonewright_diagnostic::{Diagnostic, Edit, Safety, Severity, Span, Utf16Offsets, apply_safe_fixes};
use zonewright_expression::{Analysis, Options, analyze};

/// How often "Fix all" starts again: a mended text may show what was hidden before.
const ROUNDS: usize = 8;

/// A text and its analysis.
#[derive(Clone, Debug)]
pub(crate) struct Analyzed {
    /// The text.
    pub(crate) source: String,
    /// What it was checked against.
    pub(crate) options: Options,
    /// What the engine says.
    pub(crate) analysis: Analysis,
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

impl Analyzed {
    /// Analyzes a text.
    pub(crate) fn new(source: String, options: Options) -> Self {
        let analysis = analyze(&source, &options);
        Analyzed { source, options, analysis }
    }

    /// Follows a text and what it is checked against.
    pub(crate) fn follow(source: RwSignal<String>, options: Signal<Options>) -> Memo<Arc<Analyzed>> {
        // Every run has a new text or new options: comparing two analyses would be wasted work.
        Memo::new_with_compare(move |_| Arc::new(Analyzed::new(source.get(), options.get())), |_, _| true)
    }

    /// How many problems of a severity there are.
    pub(crate) fn count(&self, severity: Severity) -> usize {
        self.analysis.diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count()
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
        self.analysis.diagnostics.iter().filter(safe).count()
    }

    /// The text after every safe fix; `None` when there is none to apply.
    pub(crate) fn with_safe_fixes(&self) -> Option<String> {
        let mut fixed = apply_safe_fixes(&self.source, &self.analysis.diagnostics)?;
        for _ in 1..ROUNDS {
            let again = analyze(&fixed, &self.options);
            match apply_safe_fixes(&fixed, &again.diagnostics) {
                Some(next) if next != fixed => fixed = next,
                _ => break,
            }
        }
        Some(fixed)
    }

    /// The line and column of a diagnostic, as people count.
    pub(crate) fn place(&self, diagnostic: &Diagnostic) -> String {
        let at = zonewright_diagnostic::position(&self.source, diagnostic.span.start);
        format!("{}:{}", at.line, at.column)
    }
}
