//! The languages of the editors: the Rules language and log push filters.
//!
//! [`Language`] is the interface between a language and the components that edit its texts.

use std::fmt::Debug;
use zonewright_diagnostic::{Diagnostic, Span};
use zonewright_expression::{Completions, Explanation, Hover, SignatureHelp};

/// A language. The implementing type holds the options of the analysis.
pub(crate) trait Language: Clone + Debug + Send + Sync + 'static {
    /// The result of an analysis.
    type Analysis: Clone + Debug + Send + Sync + 'static;

    /// Analyzes a text.
    fn analyze(&self, source: &str) -> Self::Analysis;
    /// Returns all diagnostics, in source order.
    fn diagnostics(analysis: &Self::Analysis) -> &[Diagnostic];
    /// Returns the semantic tokens with the names of their styles, in source order, without overlap.
    fn tokens(analysis: &Self::Analysis) -> Vec<(Span, &'static str)>;
    /// Returns the completions at a byte offset.
    fn complete(&self, source: &str, offset: usize) -> Completions;
    /// Returns the hover text at a byte offset.
    fn hover(&self, source: &str, offset: usize) -> Option<Hover>;
    /// Returns the signature of the call around a byte offset.
    fn signature(_source: &str, _offset: usize) -> Option<SignatureHelp> {
        None
    }
    /// Explains a text in English.
    fn explain(&self, source: &str) -> Explanation;
    /// Returns whether a diagnostic code has a page.
    fn has_page(code: &str) -> bool;
}

impl Language for zonewright_expression::Options {
    type Analysis = zonewright_expression::Analysis;

    fn analyze(&self, source: &str) -> Self::Analysis {
        zonewright_expression::analyze(source, self)
    }

    fn diagnostics(analysis: &Self::Analysis) -> &[Diagnostic] {
        &analysis.diagnostics
    }

    fn tokens(analysis: &Self::Analysis) -> Vec<(Span, &'static str)> {
        analysis.tokens.iter().map(|token| (token.span, token.kind.as_str())).collect()
    }

    fn complete(&self, source: &str, offset: usize) -> Completions {
        zonewright_expression::complete(source, offset, self)
    }

    fn hover(&self, source: &str, offset: usize) -> Option<Hover> {
        zonewright_expression::hover(source, offset, self)
    }

    fn signature(source: &str, offset: usize) -> Option<SignatureHelp> {
        zonewright_expression::signature(source, offset)
    }

    fn explain(&self, source: &str) -> Explanation {
        zonewright_expression::explain(source, self)
    }

    fn has_page(code: &str) -> bool {
        zonewright_expression::code::NAMES.contains(&code)
    }
}

impl Language for zonewright_logpush::Options {
    type Analysis = zonewright_logpush::Analysis;

    fn analyze(&self, source: &str) -> Self::Analysis {
        let mut analysis = zonewright_logpush::analyze(source, self);
        // An empty text is valid in the editor: without a filter, every line is sent.
        if source.trim().is_empty() {
            analysis.diagnostics.clear();
        }
        analysis
    }

    fn diagnostics(analysis: &Self::Analysis) -> &[Diagnostic] {
        &analysis.diagnostics
    }

    fn tokens(analysis: &Self::Analysis) -> Vec<(Span, &'static str)> {
        analysis.tokens.iter().map(|token| (token.span, token.kind.as_str())).collect()
    }

    fn complete(&self, source: &str, offset: usize) -> Completions {
        zonewright_logpush::complete(source, offset, self)
    }

    fn hover(&self, source: &str, offset: usize) -> Option<Hover> {
        zonewright_logpush::hover(source, offset, self)
    }

    fn explain(&self, source: &str) -> Explanation {
        zonewright_logpush::explain(source, self)
    }

    fn has_page(code: &str) -> bool {
        zonewright_logpush::code::NAMES.contains(&code)
    }
}
