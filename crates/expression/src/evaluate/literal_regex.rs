//! Recognizes regular expressions that are equivalent to a plain text test.

use super::matcher::TextMatcher;
use crate::search::Needle;
use regex_syntax::hir::{Class, Hir, HirKind, Look};

/// A step of such a pattern.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LiteralStep {
    Start,
    End,
    Byte(u8),
    /// A letter in both cases, as its lowercase byte.
    Letter(u8),
}

/// Returns the equivalent test if the pattern is a literal text, optionally anchored at either end.
pub(super) fn literal_matcher(hir: &Hir) -> Option<TextMatcher> {
    let mut steps = Vec::new();
    collect(strip_optional_ends(hir), &mut steps)?;
    let start = steps.first() == Some(&LiteralStep::Start);
    let end = steps.len() > usize::from(start) && steps.last() == Some(&LiteralStep::End);
    let middle = steps.get(usize::from(start)..steps.len() - usize::from(end))?;
    let mut bytes = Vec::with_capacity(middle.len());
    let (mut letters, mut exact) = (false, false);
    for step in middle {
        match step {
            LiteralStep::Byte(byte) => {
                exact |= byte.is_ascii_alphabetic();
                bytes.push(*byte);
            }
            LiteralStep::Letter(letter) => {
                letters = true;
                bytes.push(*letter);
            }
            LiteralStep::Start | LiteralStep::End => return None,
        }
    }
    let text = || bytes.as_slice().into();
    Some(match (letters, start, end) {
        (true, ..) if exact => return None,
        (false, true, true) => TextMatcher::Equal(text()),
        (false, true, false) => TextMatcher::Prefix(text()),
        (false, false, true) => TextMatcher::Suffix(text()),
        (false, false, false) => TextMatcher::Contains(Box::new(Needle::new(&bytes, false))),
        (true, true, true) => TextMatcher::EqualIgnoreCase(text()),
        (true, true, false) => TextMatcher::PrefixIgnoreCase(text()),
        (true, false, true) => TextMatcher::SuffixIgnoreCase(text()),
        (true, false, false) => TextMatcher::Contains(Box::new(Needle::new(&bytes, true))),
    })
}

/// Removes optional parts at both ends, because they do not affect whether there is a match.
fn strip_optional_ends(hir: &Hir) -> &[Hir] {
    let mut parts = match hir.kind() {
        HirKind::Concat(parts) => parts.as_slice(),
        _ => std::slice::from_ref(hir),
    };
    let optional = |hir: &Hir| matches!(hir.kind(), HirKind::Repetition(repetition) if repetition.min == 0);
    while let Some((last, rest)) = parts.split_last().filter(|(last, _)| optional(last)) {
        let _ = last;
        parts = rest;
    }
    while let Some((first, rest)) = parts.split_first().filter(|(first, _)| optional(first)) {
        let _ = first;
        parts = rest;
    }
    parts
}

fn collect(parts: &[Hir], steps: &mut Vec<LiteralStep>) -> Option<()> {
    for part in parts {
        match part.kind() {
            HirKind::Empty => {}
            HirKind::Look(Look::Start) => steps.push(LiteralStep::Start),
            HirKind::Look(Look::End) => steps.push(LiteralStep::End),
            HirKind::Literal(literal) => steps.extend(literal.0.iter().map(|byte| LiteralStep::Byte(*byte))),
            HirKind::Class(Class::Bytes(class)) => steps.push(case_insensitive_letter(class.ranges())?),
            HirKind::Capture(capture) => collect(std::slice::from_ref(&capture.sub), steps)?,
            HirKind::Concat(parts) => collect(parts, steps)?,
            _ => return None,
        }
    }
    Some(())
}

/// Returns the letter of a class that consists of its two cases.
fn case_insensitive_letter(ranges: &[regex_syntax::hir::ClassBytesRange]) -> Option<LiteralStep> {
    let [capital, small] = ranges else { return None };
    let single = capital.start() == capital.end() && small.start() == small.end();
    let pair = capital.start().is_ascii_uppercase() && capital.start().to_ascii_lowercase() == small.start();
    (single && pair).then(|| LiteralStep::Letter(small.start()))
}
