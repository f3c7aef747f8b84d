//! Applies fixes to a source: one fix, or the safe fixes of all diagnostics in rounds.

use crate::{Applicability, Diagnostic, Edit, Fix, Span, sort_by_key};

/// Applies one fix. Returns the source unchanged if an edit is out of range or splits a character.
pub fn apply_fix(source: &str, fix: &Fix) -> String {
    apply(source, fix.edits.iter())
}

/// Applies the first safe fix of every diagnostic. A fix that overlaps an earlier fix, or inserts at the end of an
/// earlier fix, is left for the next round. Returns `None` if no diagnostic has a safe fix.
pub fn apply_safe_fixes(source: &str, diagnostics: &[Diagnostic]) -> Option<String> {
    let mut candidates: Vec<(Span, &Fix)> = diagnostics
        .iter()
        .filter_map(|diagnostic| {
            let fix = diagnostic.fixes.iter().find(|fix| fix.applicability == Applicability::Safe)?;
            Some((fix.span()?, fix))
        })
        .collect();
    sort_by_key(&mut candidates, |(span, _)| *span);
    let mut end = 0;
    let mut is_first = true;
    candidates.retain(|(span, _)| {
        let is_free = is_first || span.start > end || (span.start == end && span.end > span.start);
        if is_free {
            end = span.end;
            is_first = false;
        }
        is_free
    });
    if candidates.is_empty() {
        return None;
    }
    Some(apply(source, candidates.iter().flat_map(|(_, fix)| fix.edits.iter())))
}

/// The maximum number of rounds of fixes. One fix may enable another in the next round.
const MAX_ROUNDS: usize = 20;
/// The maximum total size of the checked texts, in bytes: the source and the text after each round. A source of 1 MiB
/// gets three rounds of fixes.
const MAX_CHECKED_BYTES: usize = 4 << 20;

/// The result of [`fix_all`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixedText {
    /// The text after the fixes.
    pub text: String,
    /// The problems of that text.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether no remaining safe fix would change the text. If false, [`fix_all`] stopped at one of its limits.
    pub finished: bool,
}

/// Applies safe fixes in rounds until none changes the text, or until the number of rounds or checked bytes reaches its
/// limit.
/// `diagnostics` are the problems of `source`; `check` finds the problems of a text.
pub fn fix_all(source: &str, diagnostics: Vec<Diagnostic>, check: impl Fn(&str) -> Vec<Diagnostic>) -> FixedText {
    let mut fixed = FixedText { text: source.to_owned(), diagnostics, finished: true };
    let mut checked_bytes = source.len();
    for round in 0.. {
        let next = apply_safe_fixes(&fixed.text, &fixed.diagnostics).filter(|next| *next != fixed.text);
        let Some(next) = next else { break };
        checked_bytes += next.len();
        if round == MAX_ROUNDS || checked_bytes > MAX_CHECKED_BYTES {
            fixed.finished = false;
            break;
        }
        fixed = FixedText { diagnostics: check(&next), text: next, finished: true };
    }
    fixed
}

fn apply<'a>(source: &str, edits: impl Iterator<Item = &'a Edit>) -> String {
    let mut result = String::with_capacity(source.len());
    let mut position = 0;
    for edit in edits {
        let Some(unchanged) = source.get(position..edit.span.start) else {
            return source.to_owned();
        };
        result.push_str(unchanged);
        result.push_str(&edit.text);
        position = edit.span.end;
    }
    match source.get(position..) {
        Some(suffix) => result + suffix,
        None => source.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(fixes: Vec<Fix>) -> Diagnostic {
        Diagnostic::error("some-code", Span::empty(0), "message").with_fixes(fixes)
    }

    #[test]
    fn apply_fix_applies_all_edits() {
        let fix =
            Fix::safe_edits("quote", vec![Edit::replace(Span::new(0, 1), "\""), Edit::replace(Span::new(2, 3), "\"")]);
        assert_eq!(apply_fix("'a' x", &fix), "\"a\" x");
    }

    #[test]
    fn apply_fix_ignores_invalid_edits() {
        let fix = Fix::safe_edits("delete", vec![Edit::delete(Span::new(3, 9))]);
        assert_eq!(apply_fix("ab", &fix), "ab");
        let inside_character = Fix::safe_edits("insert", vec![Edit::insert(1, "x")]);
        assert_eq!(apply_fix("é", &inside_character), "é");
    }

    /// Reports the first `x` of a text, with a fix, and adds the length of the text to `bytes`.
    fn check_first_x(text: &str, bytes: &std::cell::Cell<usize>) -> Vec<Diagnostic> {
        bytes.set(bytes.get() + text.len());
        let fix = |at| problem(vec![Fix::safe_edits("use y", vec![Edit::replace(Span::new(at, at + 1), "y")])]);
        text.find('x').map(fix).into_iter().collect()
    }

    #[test]
    fn fix_all_finishes_when_no_safe_fix_remains() {
        let bytes = std::cell::Cell::new(0);
        let text = "x".repeat(MAX_ROUNDS);
        let fixed = fix_all(&text, check_first_x(&text, &bytes), |text| check_first_x(text, &bytes));
        assert_eq!((fixed.text, fixed.diagnostics, fixed.finished), ("y".repeat(MAX_ROUNDS), Vec::new(), true));
    }

    #[test]
    fn fix_all_stops_at_the_limits_of_rounds_and_bytes() {
        // Short texts reach the limit of rounds; long texts reach the limit of bytes.
        for (length, rounds) in [(MAX_ROUNDS + 1, MAX_ROUNDS), (1 << 20, 3), (1 << 21, 1)] {
            let bytes = std::cell::Cell::new(0);
            let text = "x".repeat(length);
            let fixed = fix_all(&text, check_first_x(&text, &bytes), |text| check_first_x(text, &bytes));
            assert_eq!(fixed.text.find('x'), Some(rounds), "{length}");
            assert!(!fixed.finished && fixed.diagnostics.len() == 1, "{length}");
            assert!(bytes.get() <= MAX_CHECKED_BYTES, "{length}: {}", bytes.get());
        }
    }

    #[test]
    fn apply_safe_fixes_skips_unsafe_and_overlapping_fixes() {
        let diagnostics = [
            problem(vec![Fix::unsafe_edits("guess", vec![Edit::insert(0, "?")])]),
            problem(vec![Fix::safe_edits("b", vec![Edit::replace(Span::new(1, 3), "B")])]),
            problem(vec![Fix::safe_edits("c", vec![Edit::replace(Span::new(2, 4), "C")])]),
        ];
        assert_eq!(apply_safe_fixes("abcd", &diagnostics).unwrap(), "aBd");
        assert_eq!(apply_safe_fixes("abcd", &diagnostics[..1]), None);
    }
}
