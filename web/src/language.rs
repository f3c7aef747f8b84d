//! The languages that texts are written in, as the editor and the list of problems see them.

use std::fmt::Debug;
use zonewright_diagnostic::{Diagnostic, Span};
use zonewright_expression::{Completions, Explained, Hover, SignatureHelp};

/// What a text is checked against, which also says what language it is in.
pub(crate) trait Language: Clone + Debug + Send + Sync + 'static {
    /// What the engine says about a text.
    type Analysis: Clone + Debug + Send + Sync + 'static;

    /// Analyzes a text.
    fn analyze(&self, source: &str) -> Self::Analysis;
    /// Every problem, in the order of the source.
    fn diagnostics(analysis: &Self::Analysis) -> &[Diagnostic];
    /// Coloured pieces with the name of their style, in the order of the source, without overlap.
    fn tokens(analysis: &Self::Analysis) -> Vec<(Span, &'static str)>;
    /// What may stand at a byte of a text.
    fn complete(&self, source: &str, offset: usize) -> Completions;
    /// What stands there.
    fn hover(&self, source: &str, offset: usize) -> Option<Hover>;
    /// The call around it.
    fn signature(_source: &str, _offset: usize) -> Option<SignatureHelp> {
        None
    }
    /// A text in plain words.
    fn explain(&self, source: &str) -> Explained;
    /// The page of a diagnostic's code.
    fn page(code: &str) -> Option<&'static str>;
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

    fn explain(&self, source: &str) -> Explained {
        zonewright_expression::explain(source, self)
    }

    fn page(code: &str) -> Option<&'static str> {
        zonewright_expression::code::page(code)
    }
}

impl Language for zonewright_logpush::Options {
    type Analysis = zonewright_logpush::Analysis;

    fn analyze(&self, source: &str) -> Self::Analysis {
        let mut analysis = zonewright_logpush::analyze(source, self);
        // No text is no filter, which is right where one is written: every line is sent.
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

    fn explain(&self, source: &str) -> Explained {
        zonewright_logpush::explain(source, self)
    }

    fn page(code: &str) -> Option<&'static str> {
        zonewright_logpush::code::page(code)
    }
}
