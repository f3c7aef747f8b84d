//! Fixes: edits of a source that belong together.

use crate::Span;

/// The replacement of a span of the source by a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The replaced span; empty for an insertion.
    pub span: Span,
    /// The replacement; empty for a deletion.
    pub text: String,
}

impl Edit {
    /// Creates an edit that replaces `span` with `text`.
    pub fn replace(span: Span, text: impl Into<String>) -> Self {
        Edit { span, text: text.into() }
    }

    /// Creates an edit that inserts `text` before the byte at `offset`.
    pub fn insert(offset: usize, text: impl Into<String>) -> Self {
        Edit::replace(Span::empty(offset), text)
    }

    /// Creates an edit that deletes `span`.
    pub fn delete(span: Span) -> Self {
        Edit::replace(span, "")
    }
}

/// Whether a fix may be applied without a decision of the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applicability {
    /// The fix keeps the meaning, or is the only possible reading of the source.
    Safe,
    /// The fix guesses what the author meant; the user decides.
    Unsafe,
}

/// A proposed change. Its edits are applied together or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The action in the imperative: `use double quotes`.
    pub title: String,
    /// The edits, sorted by position and non-overlapping.
    pub edits: Vec<Edit>,
    /// Whether [`fix_all`](crate::fix_all) may apply the fix.
    pub applicability: Applicability,
}

impl Fix {
    /// Creates a fix that keeps the meaning or is the only possible reading.
    pub fn safe_edits(title: impl Into<String>, edits: Vec<Edit>) -> Self {
        Fix { title: title.into(), edits, applicability: Applicability::Safe }
    }

    /// Creates a fix that guesses what the author meant.
    pub fn unsafe_edits(title: impl Into<String>, edits: Vec<Edit>) -> Self {
        Fix { title: title.into(), edits, applicability: Applicability::Unsafe }
    }

    /// Returns the span from the first to the last edit; `None` without edits.
    pub(crate) fn span(&self) -> Option<Span> {
        let first = self.edits.first()?;
        let last = self.edits.last()?;
        Some(first.span.to(last.span))
    }
}
