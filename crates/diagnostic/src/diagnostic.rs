//! A problem with its place and its remedy.

use crate::{fix::Fix, span::Span};

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The source is refused.
    Error,
    /// The source is accepted, but probably does not do what was meant.
    Warning,
    /// The source is fine; something is worth knowing.
    Hint,
}

impl Severity {
    /// The word shown to people and written to JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "hint",
        }
    }
}

/// A second place that explains the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// Where.
    pub span: Span,
    /// What is there, in the style of [`Diagnostic::message`].
    pub message: String,
}

/// One problem of a source: what, where, and what to do.
///
/// Wording: lower case, one line, no final period, the user's own text in backticks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// A stable kebab-case name, such as `unknown-field`; each has a page.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong: what was expected and what was found.
    pub message: String,
    /// Where it is wrong.
    pub span: Span,
    /// A few words drawn right at the span; empty when the message says it all.
    pub label: String,
    /// What to do about it.
    pub help: Option<String>,
    /// Changes that would mend it, the best first.
    pub fixes: Vec<Fix>,
    /// Other places that belong to the problem.
    pub related: Vec<Related>,
}

impl Diagnostic {
    /// A problem for which the source is refused.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            severity: Severity::Error,
            message: message.into(),
            span,
            label: String::new(),
            help: None,
            fixes: Vec::new(),
            related: Vec::new(),
        }
    }

    /// A problem that does not keep the source from being used.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, message) }
    }

    /// Something worth knowing.
    pub fn hint(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Hint, ..Diagnostic::error(code, span, message) }
    }

    /// With the words drawn at the span.
    #[must_use]
    pub fn with_label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// With what to do.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// With one more fix.
    #[must_use]
    pub fn with_fix(mut self, fix: Fix) -> Self {
        self.fixes.push(fix);
        self
    }

    /// With these fixes instead of those it had.
    #[must_use]
    pub fn with_fixes(mut self, fixes: Vec<Fix>) -> Self {
        self.fixes = fixes;
        self
    }

    /// With one more related place.
    #[must_use]
    pub fn with_related(mut self, span: Span, message: impl Into<String>) -> Self {
        self.related.push(Related { span, message: message.into() });
        self
    }

    /// Whether the source is refused for it.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
