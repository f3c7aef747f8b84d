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
    pub(super) fn literal_star(
        &mut self,
        subject: &Operand,
        test: &Test<'_>,
        differs: bool,
        span: Span,
    ) -> Option<Vec<Span>> {
        let (part, texts) = match test {
            Test::Texts(texts) => (ComparedPart::Whole, texts.as_slice()),
            Test::Prefix(text, text_span) => (ComparedPart::Prefix, &[(*text, *text_span)][..]),
            Test::Suffix(text, text_span) => (ComparedPart::Suffix, &[(*text, *text_span)][..]),
            Test::Contains(text, text_span) => (ComparedPart::Anywhere, &[(*text, *text_span)][..]),
            Test::Integers(_) | Test::Addresses(_) => return None,
        };
        let patterns = texts.iter().filter(|(text, _)| text.contains(&b'*') && is_pattern(subject, part, text));
        let spans: Vec<Span> = patterns.clone().map(|(_, text_span)| *text_span).collect();
        for (text, text_span) in patterns {
            let diagnostic = Diagnostic::warning(
                code::LITERAL_STAR,
                *text_span,
                "`*` is literal here; only `wildcard` treats it as a placeholder",
            );
            let diagnostic = match texts.len() {
                1 => {
                    let not = if differs { "not " } else { "" };
                    let plain = format!("{not}{} wildcard {}", self.text(subject.span), pattern(part, text));
                    let diagnostic =
                        diagnostic.with_help("`wildcard` compares the whole value and is case-insensitive");
                    self.with_fix(diagnostic, "use `wildcard`", vec![Edit::replace(span, plain)], Applicability::Unsafe)
                }
                _ => diagnostic.with_help("set items are compared literally; add `or … wildcard …` to the condition"),
            };
            self.report(diagnostic);
        }
        (!spans.is_empty()).then_some(spans)
    }
}

/// Returns the wildcard pattern that tests the same part of a value.
fn pattern(part: ComparedPart, text: &[u8]) -> String {
    let star = |expected: bool, is_present: bool| if expected && !is_present { &b"*"[..] } else { b"" };
    let before = star(matches!(part, ComparedPart::Suffix | ComparedPart::Anywhere), text.starts_with(b"*"));
    let after = star(matches!(part, ComparedPart::Prefix | ComparedPart::Anywhere), text.ends_with(b"*"));
    excerpt::quoted(&[before, text, after].concat())
}

/// Returns whether a text is certainly meant as a pattern. Paths, query strings and headers may contain a literal star
/// (`*/*`, `/**/`), so the star must be where patterns have it, next to a name.
fn is_pattern(subject: &Operand, part: ComparedPart, text: &[u8]) -> bool {
    let letters = text.iter().filter(|byte| byte.is_ascii_alphanumeric()).count();
    let named = letters > usize::from(part != ComparedPart::Whole);
    let apart = !text.windows(2).any(|pair| pair == b"**");
    let only = |more: &[u8]| text.iter().all(|byte| byte.is_ascii_alphanumeric() || more.contains(byte));
    match form_of(subject).map(|(form, _)| form) {
        Some(ValueForm::UserAgent) => {
            let inner = text.strip_prefix(b"*").and_then(|rest| rest.strip_suffix(b"*"));
            apart
                && letters > 1
                && matches!(part, ComparedPart::Whole | ComparedPart::Anywhere)
                && only(b"-_. ;*")
                && inner.is_some_and(|inner| !inner.contains(&b'*'))
        }
        Some(ValueForm::Referer) => apart && named && only(b"-._~*:/") && is_address(part, text),
        // No host name contains a star.
        Some(ValueForm::Host) => apart && only(b"-._*:") && (named || part == ComparedPart::Whole),
        Some(ValueForm::Path) => {
            let all = part == ComparedPart::Whole && text == b"/*";
            all || (apart && named && only(b"-._~*/%") && is_address(part, text))
        }
        Some(ValueForm::Uri | ValueForm::FullUri) => apart && named && only(b"-._~*/%:?=&") && is_address(part, text),
        _ => false,
    }
}

/// Returns whether every star in a URL or path is a placeholder: at an end, or as the name of a directory, file or
/// host.
fn is_address(part: ComparedPart, text: &[u8]) -> bool {
    let bytes = |index: usize| text.get(index).copied();
    let is_sign = |index: usize| {
        let before = index.checked_sub(1).and_then(bytes);
        match (before, bytes(index + 1)) {
            (None, _) | (_, None) => true,
            (Some(before), Some(after)) => before == b'/' && matches!(after, b'/' | b'.') || after == b':',
        }
    };
    let stars = (0..text.len()).filter(|index| bytes(*index) == Some(b'*'));
    // `/*` and `*/` delimit comments of other languages, which occur in attacks.
    let named = |rest: &[u8]| rest.first().is_some_and(u8::is_ascii_alphanumeric);
    let begins = text.strip_prefix(b"/").is_some_and(named)
        || text.starts_with(b"http")
        || text.strip_prefix(b"*.").is_some_and(named)
        || text.strip_prefix(b"*").and_then(|rest| rest.strip_suffix(b"*")).is_some_and(named);
    stars.into_iter().all(is_sign) && (begins || part != ComparedPart::Anywhere)
}
