//! Lints on texts that were copied from another format and still contain its syntax.

use super::Linter;
use crate::{
    code,
    resolved::{Comparison, Literal, RightOperand},
};
use zonewright_diagnostic::{Diagnostic, Span};

/// The prefixes of the names that a Terraform configuration uses in `${…}`.
const TERRAFORM_PREFIXES: [&str; 8] = ["var.", "local.", "data.", "module.", "each.", "self.", "path.", "terraform."];

impl Linter<'_> {
    pub(super) fn lint_pasted_literals(&mut self, comparison: &Comparison) {
        let span = comparison.right_span;
        match &comparison.right {
            RightOperand::Literal(Literal::Text(text)) | RightOperand::Wildcard(text) => {
                self.lint_pasted_text(text, span)
            }
            RightOperand::Texts(items) => items.iter().for_each(|item| self.lint_pasted_text(&item.value, item.span)),
            _ => {}
        }
    }

    pub(super) fn lint_pasted_text(&mut self, text: &[u8], span: Span) {
        let text = String::from_utf8_lossy(text);
        if let Some(name) = find_interpolation(&text) {
            self.report(
                Diagnostic::warning(
                    code::PASTED_TEXT,
                    span,
                    format!("`{name}` is literal text here; nothing replaces it with a value"),
                )
                .with_help("Terraform and similar tools replace it; write the value before you check the expression"),
            );
        } else if text.len() > 12 && text.starts_with("&quot;") && text.ends_with("&quot;") {
            self.report(
                Diagnostic::warning(code::PASTED_TEXT, span, "`&quot;` is literal text here, not a quote")
                    .with_help("it comes from HTML source; remove it"),
            );
        }
    }
}

/// Returns the first `${…}` that begins with a name of a Terraform configuration.
fn find_interpolation(text: &str) -> Option<&str> {
    let mut remaining = text;
    while let Some(start) = remaining.find("${") {
        let reference = remaining.get(start..)?;
        let length = reference.find('}')? + 1;
        let inner = reference.get(2..length - 1)?;
        if length < 80 && TERRAFORM_PREFIXES.iter().any(|name| inner.trim_start().starts_with(name)) {
            return reference.get(..length);
        }
        remaining = reference.get(length..)?;
    }
    None
}
