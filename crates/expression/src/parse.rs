//! stub
use crate::ast::Expr;
use zonewright_diagnostic::Diagnostic;
/// Parsed.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The tree.
    pub ast: Option<Expr>,
    /// Problems.
    pub diagnostics: Vec<Diagnostic>,
}
/// Parses.
pub fn parse(_source: &str) -> Parsed { Parsed { ast: None, diagnostics: Vec::new() } }
