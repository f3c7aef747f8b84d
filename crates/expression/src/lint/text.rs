//! Lints on `contains` where a prefix is meant, and on wildcard patterns.

use super::{
    Linter,
    atom::Test,
    mismatch::Mismatch,
    presence,
    subject::{Case, case_of, form_of},
    value_form,
};
use crate::{
    ast::ComparisonOperator as Op,
    code,
    resolved::{Comparison, Operand},
    schema::ValueForm,
};
use zonewright_diagnostic::{Applicability, Diagnostic, Edit, Span};

impl Linter<'_> {
    /// Reports `full_uri contains "https://example.com/"`, because a URL with a scheme is a prefix of the value.
    pub(super) fn lint_loose_contains(&mut self, subject: &Operand, test: &Test<'_>) {
        let Test::Contains(text, text_span) = test else { return };
        let is_url = matches!(form_of(subject), Some((ValueForm::FullUri | ValueForm::Referer, _)));
        let has_scheme = [&b"http://"[..], b"https://"]
            .iter()
            .any(|scheme| text.strip_prefix(*scheme).is_some_and(|rest| !rest.is_empty()));
        if !is_url || !has_scheme || subject.each {
            return;
        }
        let diagnostic = Diagnostic::hint(
            code::UNANCHORED_CONTAINS,
            subject.span.to(*text_span),
            "a URL with a scheme is the start of a value, but `contains` finds it anywhere",
        )
        .with_help("it also matches in a query string, as in `https://example.com/?next=https://example.org/`");
        let call = format!("starts_with({}, {})", self.text(subject.span), self.text(*text_span));
        let edits = vec![Edit::replace(subject.span.to(*text_span), call)];
        let diagnostic = match self.can_nest {
            true => self.with_fix(diagnostic, "use `starts_with`", edits, Applicability::Unsafe),
            false => diagnostic,
        };
        self.report(diagnostic);
    }

    /// Lints a wildcard pattern against the form of the field's values.
    pub(super) fn lint_wildcard(&mut self, comparison: &Comparison, pattern: &[u8], span: Span) {
        let left = &comparison.left;
        let segments = literal_segments(pattern);
        if segments.len() == 2 && segments.iter().all(Vec::is_empty) {
            if presence::is_certainly_present(left) {
                let reason = "`*` matches any text";
                self.report(Diagnostic::warning(code::ALWAYS_MATCHES, span, format!("this is always true: {reason}")));
            }
            return;
        }
        let is_strict = comparison.operator == Op::StrictWildcard;
        let wrong_case =
            segments.iter().find_map(|segment| self.find_case_mismatch(left, segment).filter(|_| is_strict));
        let mismatch = wrong_case.or_else(|| find_mismatched_segment(left, &segments, is_strict));
        let Some(mismatch) = mismatch.filter(|mismatch| mismatch.code == code::NEVER_MATCHES) else { return };
        let diagnostic = Diagnostic::warning(
            code::NEVER_MATCHES,
            comparison.right_span,
            format!("this never matches: {}", mismatch.reason),
        );
        let is_path = matches!(form_of(left), Some((ValueForm::Path, _)));
        self.report(match segments.iter().any(|segment| segment.contains(&b'?')) && is_path {
            true => diagnostic.with_help("in a wildcard pattern, `?` is literal"),
            false => diagnostic,
        });
    }
}

fn find_mismatched_segment(left: &Operand, segments: &[Vec<u8>], is_strict: bool) -> Option<Mismatch> {
    let (form, _) = form_of(left)?;
    // The mismatches of these forms do not depend on letter case.
    let is_case_independent = matches!(form, ValueForm::Host | ValueForm::Path | ValueForm::Uri | ValueForm::FullUri);
    if !is_case_independent && !is_strict {
        return None;
    }
    let [first, rest @ ..] = segments else { return None };
    if rest.is_empty() {
        return value_form::check_whole(left, first);
    }
    let first = Some(first).filter(|first| !first.is_empty()).and_then(|first| value_form::check_prefix(left, first));
    first.or_else(|| rest.iter().find_map(|segment| value_form::check_substring(left, segment)))
}

/// Returns the literal segments between the stars of a pattern.
fn literal_segments(pattern: &[u8]) -> Vec<Vec<u8>> {
    let mut segments = vec![Vec::new()];
    let mut bytes = pattern.iter().copied();
    while let Some(byte) = bytes.next() {
        let literal = match byte {
            b'*' => {
                segments.push(Vec::new());
                continue;
            }
            b'\\' => bytes.next().unwrap_or(byte),
            other => other,
        };
        if let Some(segment) = segments.last_mut() {
            segment.push(literal);
        }
    }
    segments
}

/// Returns whether the value is the result of `lower`.
pub(super) fn is_lowercased(operand: &Operand) -> bool {
    case_of(operand) == Case::Lower && operand.indexes.is_empty()
}
