//! Lints on letter case: uppercase letters that never occur, and spellings that do not match.

use super::{
    Linter, excerpt,
    mismatch::Mismatch,
    subject::{Case, case_of, form_of},
};
use crate::{
    Scalar, code,
    resolved::{Argument, Call, Index, Literal, Operand, OperandSource},
    schema::{FunctionId, ValueForm},
};
use zonewright_diagnostic::{Applicability, Diagnostic, Edit, Span};

/// Names in User-Agent headers of clients that use exactly one spelling.
const AGENT_NAMES: [&str; 15] = [
    "AhrefsBot",
    "Baiduspider",
    "Bytespider",
    "CCBot",
    "Go-http-client",
    "Googlebot",
    "HeadlessChrome",
    "LinkedInBot",
    "SemrushBot",
    "Twitterbot",
    "Wget",
    "YandexBot",
    "bingbot",
    "facebookexternalhit",
    "python-requests",
];

/// Words that occur in client names with and without an uppercase initial: `Googlebot`, `GPTBot`.
const AGENT_SUFFIXES: [&str; 4] = ["bot", "crawler", "scraper", "spider"];

impl Linter<'_> {
    /// Reports `headers["User-Agent"]`.
    pub(super) fn lint_header_key(&mut self, operand: &Operand) {
        let OperandSource::Field(field) = operand.source else { return };
        let Some(Index::Key(key)) = operand.indexes.first().filter(|_| field.has_lower_case_keys()) else { return };
        if !key.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return;
        }
        // The key is the first quoted text.
        let text = self.text(operand.span);
        let Some(start) = text.find('"') else { return };
        let end = text.get(start + 1..).and_then(|text| text.find("\"]")).map(|end| start + end + 2);
        let span = match end {
            Some(end) => Span::new(operand.span.start + start, operand.span.start + end),
            None => operand.span,
        };
        self.report_header_case(key, span, end.is_some());
    }

    /// Reports `has_key(headers, "User-Agent")`.
    pub(super) fn lint_header_argument(&mut self, call: &Call) {
        let [Argument::Value(map), Argument::Literal(Literal::Text(key), span)] = call.arguments.as_slice() else {
            return;
        };
        let is_header_map = matches!(map.source, OperandSource::Field(field) if field.has_lower_case_keys());
        let key = String::from_utf8_lossy(key);
        if call.function.id == FunctionId::HasKey && is_header_map && key.bytes().any(|byte| byte.is_ascii_uppercase())
        {
            self.report_header_case(&key, *span, true);
        }
    }

    fn report_header_case(&mut self, key: &str, span: Span, can_fix: bool) {
        let quoted = excerpt::quote_excerpt(key.as_bytes());
        let diagnostic = Diagnostic::warning(
            code::HEADER_CASE,
            span,
            format!("header names are stored in lowercase, so {quoted} finds nothing"),
        );
        let lowercase_key = excerpt::quote(key.to_ascii_lowercase().as_bytes());
        let diagnostic = match can_fix {
            true => self.with_fix(
                diagnostic,
                format!("use `{lowercase_key}`"),
                vec![Edit::replace(span, lowercase_key)],
                Applicability::Unsafe,
            ),
            false => diagnostic,
        };
        self.report(diagnostic);
    }

    /// Returns the mismatch of uppercase letters with `lower`, or of lowercase letters with `upper`.
    pub(super) fn find_case_mismatch(&self, subject: &Operand, text: &[u8]) -> Option<Mismatch> {
        match case_of(subject) {
            Case::Lower if text.iter().any(u8::is_ascii_uppercase) => Some(
                Mismatch::never_matches("the result of `lower` has no uppercase letters")
                    .with_replacement(text.to_ascii_lowercase()),
            ),
            Case::Upper if text.iter().any(u8::is_ascii_lowercase) => Some(
                Mismatch::never_matches("the result of `upper` has no lowercase letters")
                    .with_replacement(text.to_ascii_uppercase()),
            ),
            _ => None,
        }
    }

    /// Reports uppercase letters in a hostname, and client names in another spelling.
    pub(super) fn lint_text_case(&mut self, subject: &Operand, text: &[u8], span: Span) {
        if subject.ty.scalar != Scalar::String {
            return;
        }
        if form_of(subject) == Some((ValueForm::Host, Case::Unchanged)) && text.iter().any(u8::is_ascii_uppercase) {
            let diagnostic = Diagnostic::warning(
                code::HOST_CASE,
                span,
                "clients send hostnames in lowercase, and this comparison is case-sensitive",
            );
            let lowercase_text = excerpt::quote(&text.to_ascii_lowercase());
            let diagnostic = self.with_fix(
                diagnostic,
                format!("use `{lowercase_text}`"),
                vec![Edit::replace(span, lowercase_text)],
                Applicability::Unsafe,
            );
            self.report(diagnostic);
        }
        if form_of(subject) == Some((ValueForm::UserAgent, Case::Unchanged)) {
            self.lint_agent_case(subject, text, span);
        }
    }

    fn lint_agent_case(&mut self, subject: &Operand, text: &[u8], span: Span) {
        let Ok(text) = std::str::from_utf8(text) else { return };
        // An expression that lists several spellings already handles letter case.
        if self.usage.has_other_spelling(text) {
            return;
        }
        let known_name = AGENT_NAMES.iter().find(|name| name.eq_ignore_ascii_case(text) && **name != text);
        let message = match known_name {
            Some(name) => format!("the client identifies itself as `{name}`, and this comparison is case-sensitive"),
            None if AGENT_SUFFIXES.contains(&text) => {
                let capitalized = capitalize(text);
                format!("this misses names with `{capitalized}`, because the comparison is case-sensitive")
            }
            None => return,
        };
        let diagnostic = Diagnostic::hint(code::USER_AGENT_CASE, span, message);
        let field = self.text(subject.span);
        let edits = vec![
            Edit::replace(subject.span, format!("lower({field})")),
            Edit::replace(span, excerpt::quote(text.to_ascii_lowercase().as_bytes())),
        ];
        let edits = edits.into_iter().filter(|edit| edit.text != self.text(edit.span)).collect();
        let diagnostic = match self.can_nest && subject.span.end <= span.start {
            true => self.with_fix(diagnostic, "compare in lowercase", edits, Applicability::Unsafe),
            false => diagnostic,
        };
        self.report(diagnostic);
    }
}

fn capitalize(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}
