//! Contradictions: tests of one value that exclude each other under `and`, or cover every value under `or`.

use super::{
    Linter,
    atom::{Atom, Test},
    chain::{ChainAtom, constant_condition_warning},
    excerpt,
    interval_set::{IntervalSet, is_unsatisfiable},
    presence,
};
use crate::ast::LogicalOperator;
use std::{collections::BTreeSet, net::IpAddr};
use zonewright_diagnostic::Span;

/// The maximum product of candidate bytes and tests; longer chains are not checked.
const MAX_COMPARED_BYTES: usize = 1 << 20;
/// The maximum number of tests of one value whose texts are compared with each other.
const MAX_COMPARED_TESTS: usize = 256;
/// The maximum number of secondary spans in a diagnostic.
const MAX_RELATED_SPANS: usize = 4;

impl Linter<'_> {
    /// Reports tests of one value that contradict each other under `and`, or that cover every value under `or`. Returns
    /// whether there are such tests.
    pub(super) fn lint_contradiction(&mut self, operator: LogicalOperator, chain_atoms: &[ChainAtom<'_>]) -> bool {
        let [first, .., last] = chain_atoms else { return false };
        let subject = first.atom.subject;
        let is_or = operator == LogicalOperator::Or;
        if !self.can_judge(operator, subject.each) {
            return false;
        }
        // A missing value passes `not` and fails all other tests.
        let is_decided_by_missing = chain_atoms.iter().any(|chain_atom| chain_atom.atom.negated == is_or);
        if !is_decided_by_missing && !presence::is_usually_present(subject) {
            return false;
        }
        let tests: Vec<(bool, &Test<'_>)> = chain_atoms
            .iter()
            .map(|chain_atom| (chain_atom.atom.is_positive() != is_or, &chain_atom.atom.test))
            .collect();
        if !tests_are_unsatisfiable(&tests) {
            return false;
        }
        let quoted = excerpt::quote_excerpt(self.text(subject.span).as_bytes());
        let span = first.span.to(last.span);
        let mut diagnostic = match is_or {
            true => constant_condition_warning(
                operator,
                span,
                &format!("every value of {quoted} satisfies one of these conditions"),
            ),
            false => constant_condition_warning(
                operator,
                span,
                &format!("no value of {quoted} satisfies all of these conditions"),
            ),
        };
        if is_or && chain_atoms.iter().all(|chain_atom| !chain_atom.atom.is_positive()) {
            diagnostic = diagnostic.with_help("to exclude all of them, use `and` instead of `or`");
        } else if !is_or && chain_atoms.iter().all(|chain_atom| chain_atom.atom.is_positive()) {
            diagnostic = diagnostic.with_help("if one of them is enough, use `or` instead of `and`");
        }
        for chain_atom in chain_atoms.iter().take(MAX_RELATED_SPANS) {
            diagnostic = diagnostic.with_related(chain_atom.span, "one of the conditions");
        }
        self.report(diagnostic);
        true
    }
}

/// Returns whether no value satisfies all tests. A test marked `false` must fail.
fn tests_are_unsatisfiable(tests: &[(bool, &Test<'_>)]) -> bool {
    match tests.first() {
        Some((_, Test::Integers(_))) => {
            is_unsatisfiable(&interval_sets(tests, passing_integer_ranges), u64::MAX.into())
        }
        Some((_, Test::Addresses(_))) => {
            is_unsatisfiable(&interval_sets(tests, |test| passing_address_ranges(test, true)), u32::MAX.into())
                && is_unsatisfiable(&interval_sets(tests, |test| passing_address_ranges(test, false)), u128::MAX)
        }
        Some(_) => texts_are_unsatisfiable(tests),
        None => false,
    }
}

/// Returns the ranges of integers that pass a test, as unsigned integers in the same order.
fn passing_integer_ranges(test: &Test<'_>) -> Option<Vec<(u128, u128)>> {
    let Test::Integers(ranges) = test else { return None };
    Some(ranges.iter().map(|(low, high)| (to_unsigned(*low), to_unsigned(*high))).collect())
}

/// Returns the ranges of addresses of one family that pass a test, as integers.
fn passing_address_ranges(test: &Test<'_>, v4: bool) -> Option<Vec<(u128, u128)>> {
    let Test::Addresses(ranges) = test else { return None };
    Some(ranges.iter().filter_map(|range| to_unsigned_range(*range, v4)).collect())
}

fn interval_sets(
    tests: &[(bool, &Test<'_>)],
    ranges: impl Fn(&Test<'_>) -> Option<Vec<(u128, u128)>>,
) -> Vec<(bool, IntervalSet)> {
    tests.iter().filter_map(|(positive, test)| Some((*positive, IntervalSet::new(ranges(test)?)))).collect()
}

fn to_unsigned(integer: i64) -> u128 {
    // The order is preserved: the lowest integer becomes 0.
    u128::from(integer.wrapping_sub(i64::MIN) as u64)
}

fn to_unsigned_range((first, last): (IpAddr, IpAddr), v4: bool) -> Option<(u128, u128)> {
    match (first, last) {
        (IpAddr::V4(first), IpAddr::V4(last)) if v4 => Some((first.to_bits().into(), last.to_bits().into())),
        (IpAddr::V6(first), IpAddr::V6(last)) if !v4 => Some((first.to_bits(), last.to_bits())),
        _ => None,
    }
}

fn texts_are_unsatisfiable(tests: &[(bool, &Test<'_>)]) -> bool {
    let candidates = tests.iter().filter_map(|(positive, test)| match test {
        Test::Texts(texts) if *positive => Some(texts),
        _ => None,
    });
    if let Some(candidates) = candidates.min_by_key(|texts| texts.len()) {
        return no_candidate_passes(candidates.iter().map(|(text, _)| *text), tests);
    }
    affixes_conflict(tests)
}

/// Returns the texts as a set. Insertion instead of `collect` takes less code in WebAssembly.
fn text_set<'t>(texts: &[(&'t [u8], Span)]) -> BTreeSet<&'t [u8]> {
    let mut set = BTreeSet::new();
    set.extend(texts.iter().map(|(text, _)| *text));
    set
}

/// Returns whether every candidate violates some test.
fn no_candidate_passes<'t>(
    candidates: impl ExactSizeIterator<Item = &'t [u8]> + Clone,
    tests: &[(bool, &Test<'_>)],
) -> bool {
    let size: usize = candidates.clone().map(<[u8]>::len).sum::<usize>() + candidates.len();
    if size.saturating_mul(tests.len()) > MAX_COMPARED_BYTES {
        return false;
    }
    let sets: Vec<BTreeSet<&[u8]>> = tests
        .iter()
        .map(|(_, test)| match test {
            Test::Texts(texts) => text_set(texts),
            _ => BTreeSet::new(),
        })
        .collect();
    let passes = |text: &[u8]| {
        tests.iter().zip(&sets).all(|((positive, test), set)| {
            let passed = match test {
                Test::Texts(_) => set.contains(text),
                Test::Contains(part, _) => contains(text, part),
                Test::Prefix(part, _) => text.starts_with(part),
                Test::Suffix(part, _) => text.ends_with(part),
                Test::Integers(_) | Test::Addresses(_) => return true,
            };
            passed == *positive
        })
    };
    !candidates.into_iter().any(passes)
}

/// Returns whether required prefixes or suffixes exclude each other, or a required text contains an excluded one.
fn affixes_conflict(tests: &[(bool, &Test<'_>)]) -> bool {
    let (mut prefix, mut suffix): (&[u8], &[u8]) = (b"", b"");
    for (_, test) in tests.iter().filter(|(positive, _)| *positive) {
        match test {
            Test::Prefix(part, _) if part.starts_with(prefix) => prefix = part,
            Test::Prefix(part, _) if !prefix.starts_with(part) => return true,
            Test::Suffix(part, _) if part.ends_with(suffix) => suffix = part,
            Test::Suffix(part, _) if !suffix.ends_with(part) => return true,
            _ => {}
        }
    }
    if tests.len() > MAX_COMPARED_TESTS {
        return false;
    }
    tests.iter().filter(|(positive, _)| !positive).any(|(_, excluded)| match excluded {
        Test::Prefix(part, _) => prefix.starts_with(part),
        Test::Suffix(part, _) => suffix.ends_with(part),
        Test::Contains(part, _) => {
            contains(prefix, part)
                || contains(suffix, part)
                || tests.iter().any(|(positive, test)| {
                    *positive && matches!(test, Test::Contains(text, _) if contains(text, part))
                })
        }
        _ => false,
    })
}

pub(super) fn contains(text: &[u8], part: &[u8]) -> bool {
    memchr::memmem::find(text, part).is_some()
}

/// Returns whether every value that passes `narrow` also passes `wide`.
pub(super) fn implies(narrow: &Atom<'_>, wide: &Atom<'_>) -> bool {
    let all_texts_pass = |passes: &dyn Fn(&[u8]) -> bool| match &narrow.test {
        Test::Texts(texts) => !texts.is_empty() && texts.iter().all(|(text, _)| passes(text)),
        _ => false,
    };
    match (&wide.test, &narrow.test) {
        (Test::Contains(part, _), Test::Prefix(text, _) | Test::Suffix(text, _) | Test::Contains(text, _)) => {
            contains(text, part)
        }
        (Test::Contains(part, _), _) => all_texts_pass(&|text| contains(text, part)),
        (Test::Prefix(part, _), Test::Prefix(text, _)) => text.starts_with(part),
        (Test::Prefix(part, _), _) => all_texts_pass(&|text| text.starts_with(part)),
        (Test::Suffix(part, _), Test::Suffix(text, _)) => text.ends_with(part),
        (Test::Suffix(part, _), _) => all_texts_pass(&|text| text.ends_with(part)),
        (Test::Texts(wide), Test::Texts(narrow)) => {
            let wide = text_set(wide);
            !narrow.is_empty() && narrow.iter().all(|(text, _)| wide.contains(text))
        }
        (Test::Integers(_), Test::Integers(_)) => {
            covers(passing_integer_ranges(&wide.test), passing_integer_ranges(&narrow.test))
        }
        (Test::Addresses(_), Test::Addresses(_)) => [true, false]
            .into_iter()
            .all(|v4| covers(passing_address_ranges(&wide.test, v4), passing_address_ranges(&narrow.test, v4))),
        _ => false,
    }
}

fn covers(wide: Option<Vec<(u128, u128)>>, narrow: Option<Vec<(u128, u128)>>) -> bool {
    wide.zip(narrow).is_some_and(|(wide, narrow)| IntervalSet::new(wide).covers(&IntervalSet::new(narrow)))
}
