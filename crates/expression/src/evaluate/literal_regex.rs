//! Translates regular expressions of a literal text, optionally anchored, to the equivalent [`TextMatcher`].

use super::matcher::TextMatcher;
use crate::search::Needle;
use regex_syntax::hir::{Class, Hir, HirKind, Look};

/// One element of a literal pattern: an anchor or a byte.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LiteralStep {
    Start,
    End,
    Byte(u8),
    /// A letter in both cases, as its lowercase byte.
    Letter(u8),
}

/// Returns the equivalent matcher if the pattern is a literal text, optionally anchored at either end.
pub(super) fn literal_matcher(hir: &Hir) -> Option<TextMatcher> {
    let mut steps = Vec::new();
    collect_steps(strip_optional_ends(hir), &mut steps)?;
    let is_start_anchored = steps.first() == Some(&LiteralStep::Start);
    let is_end_anchored = steps.len() > usize::from(is_start_anchored) && steps.last() == Some(&LiteralStep::End);
    let middle = steps.get(usize::from(is_start_anchored)..steps.len() - usize::from(is_end_anchored))?;
    let mut bytes = Vec::with_capacity(middle.len());
    let (mut has_folded_letter, mut has_exact_letter) = (false, false);
    for step in middle {
        match step {
            LiteralStep::Byte(byte) => {
                has_exact_letter |= byte.is_ascii_alphabetic();
                bytes.push(*byte);
            }
            LiteralStep::Letter(letter) => {
                has_folded_letter = true;
                bytes.push(*letter);
            }
            LiteralStep::Start | LiteralStep::End => return None,
        }
    }
    let text = || bytes.as_slice().into();
    Some(match (has_folded_letter, is_start_anchored, is_end_anchored) {
        (true, ..) if has_exact_letter => return None,
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
    let is_optional = |hir: &Hir| matches!(hir.kind(), HirKind::Repetition(repetition) if repetition.min == 0);
    while let Some((_, rest)) = parts.split_last().filter(|(last, _)| is_optional(last)) {
        parts = rest;
    }
    while let Some((_, rest)) = parts.split_first().filter(|(first, _)| is_optional(first)) {
        parts = rest;
    }
    parts
}

/// Appends the steps of the parts; returns `None` if a part is not literal.
fn collect_steps(parts: &[Hir], steps: &mut Vec<LiteralStep>) -> Option<()> {
    for part in parts {
        match part.kind() {
            HirKind::Empty => {}
            HirKind::Look(Look::Start) => steps.push(LiteralStep::Start),
            HirKind::Look(Look::End) => steps.push(LiteralStep::End),
            HirKind::Literal(literal) => steps.extend(literal.0.iter().map(|byte| LiteralStep::Byte(*byte))),
            HirKind::Class(Class::Bytes(class)) => steps.push(case_insensitive_letter(class.ranges())?),
            HirKind::Capture(capture) => collect_steps(std::slice::from_ref(&capture.sub), steps)?,
            HirKind::Concat(parts) => collect_steps(parts, steps)?,
            _ => return None,
        }
    }
    Some(())
}

/// Returns the letter of a class that consists of one letter in both cases.
fn case_insensitive_letter(ranges: &[regex_syntax::hir::ClassBytesRange]) -> Option<LiteralStep> {
    let [upper, lower] = ranges else { return None };
    let is_two_bytes = upper.start() == upper.end() && lower.start() == lower.end();
    let is_one_letter = upper.start().is_ascii_uppercase() && upper.start().to_ascii_lowercase() == lower.start();
    (is_two_bytes && is_one_letter).then(|| LiteralStep::Letter(lower.start()))
}
