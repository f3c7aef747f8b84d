//! Lints on stars in literal texts where a wildcard pattern is probably meant.

use super::{Linter, atom::Test, excerpt, subject::form_of};
use crate::{code, resolved::Operand, schema::ValueForm};
use zonewright_diagnostic::{Applicability, Diagnostic, Edit, Span};

/// The part of a value that a test compares.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ComparedPart {
    Whole,
    Prefix,
    Suffix,
    Anywhere,
}

impl Linter<'_> {
    /// Reports `uri.path eq "/admin/*"`, because only `wildcard` interprets the star. Returns the spans of the reported
    /// texts.
    pub(super) fn lint_literal_star(
        &mut self,
        subject: &Operand,
        test: &Test<'_>,
        is_not_equal: bool,
        span: Span,
    ) -> Option<Vec<Span>> {
        let (part, texts) = match test {
            Test::Texts(texts) => (ComparedPart::Whole, texts.as_slice()),
            Test::Prefix(text, text_span) => (ComparedPart::Prefix, &[(*text, *text_span)][..]),
            Test::Suffix(text, text_span) => (ComparedPart::Suffix, &[(*text, *text_span)][..]),
            Test::Contains(text, text_span) => (ComparedPart::Anywhere, &[(*text, *text_span)][..]),
            Test::Integers(_) | Test::Addresses(_) => return None,
        };
        let patterns =
            texts.iter().filter(|(text, _)| text.contains(&b'*') && is_intended_pattern(subject, part, text));
        let spans: Vec<Span> = patterns.clone().map(|(_, text_span)| *text_span).collect();
        for (text, text_span) in patterns {
            let diagnostic = Diagnostic::warning(
                code::LITERAL_STAR,
                *text_span,
                "`*` is literal here; only `wildcard` treats it as a placeholder",
            );
            let diagnostic = match texts.len() {
                1 => {
                    let not = if is_not_equal { "not " } else { "" };
                    let comparison =
                        format!("{not}{} wildcard {}", self.text(subject.span), wildcard_pattern(part, text));
                    let diagnostic =
                        diagnostic.with_help("`wildcard` compares the whole value and is case-insensitive");
                    self.with_fix(
                        diagnostic,
                        "use `wildcard`",
                        vec![Edit::replace(span, comparison)],
                        Applicability::Unsafe,
                    )
                }
                _ => diagnostic.with_help("set items are compared literally; add `or … wildcard …` to the condition"),
            };
            self.report(diagnostic);
        }
        (!spans.is_empty()).then_some(spans)
    }
}

/// Returns the wildcard pattern that tests the same part of a value.
fn wildcard_pattern(part: ComparedPart, text: &[u8]) -> String {
    let star = |expected: bool, is_present: bool| if expected && !is_present { &b"*"[..] } else { b"" };
    let leading_star = star(matches!(part, ComparedPart::Suffix | ComparedPart::Anywhere), text.starts_with(b"*"));
    let trailing_star = star(matches!(part, ComparedPart::Prefix | ComparedPart::Anywhere), text.ends_with(b"*"));
    excerpt::quote(&[leading_star, text, trailing_star].concat())
}

/// Returns whether a text is certainly meant as a pattern. Paths, query strings and headers may contain a literal star
/// (`*/*`, `/**/`), so the star must be in a typical position of a pattern, next to a name.
fn is_intended_pattern(subject: &Operand, part: ComparedPart, text: &[u8]) -> bool {
    let letters = text.iter().filter(|byte| byte.is_ascii_alphanumeric()).count();
    let has_name = letters > usize::from(part != ComparedPart::Whole);
    let has_single_stars = !text.windows(2).any(|pair| pair == b"**");
    let consists_of = |signs: &[u8]| text.iter().all(|byte| byte.is_ascii_alphanumeric() || signs.contains(byte));
    match form_of(subject).map(|(form, _)| form) {
        Some(ValueForm::UserAgent) => {
            let inner = text.strip_prefix(b"*").and_then(|rest| rest.strip_suffix(b"*"));
            has_single_stars
                && letters > 1
                && matches!(part, ComparedPart::Whole | ComparedPart::Anywhere)
                && consists_of(b"-_. ;*")
                && inner.is_some_and(|inner| !inner.contains(&b'*'))
        }
        Some(ValueForm::Referer) => {
            has_single_stars && has_name && consists_of(b"-._~*:/") && has_only_placeholder_stars(part, text)
        }
        // No hostname contains a star.
        Some(ValueForm::Host) => has_single_stars && consists_of(b"-._*:") && (has_name || part == ComparedPart::Whole),
        Some(ValueForm::Path) => {
            let matches_all = part == ComparedPart::Whole && text == b"/*";
            matches_all
                || (has_single_stars && has_name && consists_of(b"-._~*/%") && has_only_placeholder_stars(part, text))
        }
        Some(ValueForm::Uri | ValueForm::FullUri) => {
            has_single_stars && has_name && consists_of(b"-._~*/%:?=&") && has_only_placeholder_stars(part, text)
        }
        _ => false,
    }
}

/// Returns whether every star in a URL or path is a placeholder: at an end, or as the name of a directory, file or
/// host. A text that may be anywhere in a value must also begin as a URL, a path or a domain does.
fn has_only_placeholder_stars(part: ComparedPart, text: &[u8]) -> bool {
    let byte_at = |index: usize| text.get(index).copied();
    let is_placeholder = |index: usize| {
        let previous = index.checked_sub(1).and_then(byte_at);
        match (previous, byte_at(index + 1)) {
            (None, _) | (_, None) => true,
            (Some(previous), Some(next)) => previous == b'/' && matches!(next, b'/' | b'.') || next == b':',
        }
    };
    let stars = (0..text.len()).filter(|index| byte_at(*index) == Some(b'*'));
    // `/*` and `*/` delimit comments of other languages, which occur in attacks.
    let starts_with_name = |suffix: &[u8]| suffix.first().is_some_and(u8::is_ascii_alphanumeric);
    let is_url_start = text.strip_prefix(b"/").is_some_and(starts_with_name)
        || text.starts_with(b"http")
        || text.strip_prefix(b"*.").is_some_and(starts_with_name)
        || text.strip_prefix(b"*").and_then(|rest| rest.strip_suffix(b"*")).is_some_and(starts_with_name);
    stars.into_iter().all(is_placeholder) && (is_url_start || part != ComparedPart::Anywhere)
}
