//! Fixes: edits of a source that belong together.

use crate::Span;

/// One replacement of a piece of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The text that goes away; empty for an insertion.
    pub span: Span,
    /// The text that comes.
    pub text: String,
}

impl Edit {
    /// Replaces `span` by `text`.
    pub fn replace(span: Span, text: impl Into<String>) -> Self {
        Edit { span, text: text.into() }
    }

    /// Puts `text` before the byte at `offset`.
    pub fn insert(offset: usize, text: impl Into<String>) -> Self {
        Edit::replace(Span::at(offset), text)
    }

    /// Takes `span` away.
    pub fn delete(span: Span) -> Self {
        Edit::replace(span, "")
    }
}

/// Whether a fix may be applied without asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Safety {
    /// Keeps the meaning, or is the only possible reading of what was written.
    Safe,
    /// A guess at what was meant; a person decides.
    Unsafe,
}

/// A proposed change: all its edits belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What the fix does, as a command: `use double quotes`.
    pub title: String,
    /// Non-overlapping edits, in order of their position.
    pub edits: Vec<Edit>,
    /// Whether "fix all" may apply it.
    pub safety: Safety,
}

impl Fix {
    /// A fix that keeps the meaning or is the only reading.
    pub fn safe(title: impl Into<String>, edits: Vec<Edit>) -> Self {
        Fix { title: title.into(), edits, safety: Safety::Safe }
    }

    /// A fix that guesses.
    pub fn unsafe_(title: impl Into<String>, edits: Vec<Edit>) -> Self {
        Fix { title: title.into(), edits, safety: Safety::Unsafe }
    }

    /// From the first to the last byte that it touches; `None` without edits.
    pub(crate) fn span(&self) -> Option<Span> {
        let first = self.edits.first()?;
        let last = self.edits.last()?;
        Some(first.span.to(last.span))
    }
}
