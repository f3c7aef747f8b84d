//! The diagnostic: a problem with its span, help and fixes.

use crate::{fix::Fix, span::Span};

/// The severity of a problem, worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The source is rejected.
    Error,
    /// The source is valid, but probably does not do what its author meant.
    Warning,
    /// The source is valid, and something about it is worth knowing.
    Hint,
}

impl Severity {
    /// Returns the name in interfaces and in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "hint",
        }
    }
}

/// A second span that explains a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelatedInformation {
    /// The explaining part of the source.
    pub span: Span,
    /// Describes that part, in the style of [`Diagnostic::message`].
    pub message: String,
}

/// One problem of a source.
///
/// Texts are lowercase, on one line, without a final period, and quote the user's text in backticks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// A stable kebab-case name, such as `unknown-field`; each has a page.
    pub code: &'static str,
    /// Whether the source is rejected.
    pub severity: Severity,
    /// Describes what was expected and what was found.
    pub message: String,
    /// The part of the source with the problem.
    pub span: Span,
    /// A few words at the underlined span; empty if the message is enough.
    pub label: String,
    /// Says how to resolve the problem.
    pub help: Option<String>,
    /// Fixes, best first.
    pub fixes: Vec<Fix>,
    /// Other parts of the source that explain the problem.
    pub related: Vec<RelatedInformation>,
}

impl Diagnostic {
    /// Creates an error: the source is rejected.
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

    /// Creates a warning.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, message) }
    }

    /// Creates a hint.
    pub fn hint(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Hint, ..Diagnostic::error(code, span, message) }
    }

    /// Sets the label at the span.
    #[must_use]
    pub fn with_label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Sets the help.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds a fix after the others.
    #[must_use]
    pub fn with_fix(mut self, fix: Fix) -> Self {
        self.fixes.push(fix);
        self
    }

    /// Replaces the fixes.
    #[must_use]
    pub fn with_fixes(mut self, fixes: Vec<Fix>) -> Self {
        self.fixes = fixes;
        self
    }

    /// Adds a related span.
    #[must_use]
    pub fn with_related(mut self, span: Span, message: impl Into<String>) -> Self {
        self.related.push(RelatedInformation { span, message: message.into() });
        self
    }

    /// Returns whether the source is rejected.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
