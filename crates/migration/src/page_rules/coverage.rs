//! Computes which URLs remain for a page rule after those of higher priority.
//!
//! [`Coverage`] compares patterns. Its results are conservative: it may miss that two patterns are disjoint or that one
//! covers the other, which makes expressions longer but never wrong.

use super::pattern::{are_disjoint, comparison, is_subset};
use super::read::{ParsedPageRule, is_active};
use crate::limits::MAX_EXPRESSION_BYTES;

/// The maximum number of comparisons of patterns: 20 times as many as the 125 page rules of the largest plan need.
/// After that, all patterns are assumed to overlap and none to cover another, which only makes expressions longer.
const MAX_COMPARISONS: usize = 1_000_000;

/// Page rules in order of priority, with the URLs that remain for each.
pub(super) struct Coverage<'a> {
    order: &'a [ParsedPageRule<'a>],
    /// For each page rule, the globs of its pattern that no active page rule of higher priority covers completely.
    remaining: Vec<Vec<UrlGlob<'a>>>,
    comparisons_left: usize,
}

/// One of the globs that a pattern consists of: a text in which `*` matches any characters.
#[derive(Clone, Copy)]
pub(super) struct UrlGlob<'a> {
    text: &'a str,
    /// The set of its characters except `*`, one bit for each ASCII character.
    byte_mask: u128,
}

impl<'a> UrlGlob<'a> {
    fn new(text: &'a str) -> Self {
        let letters = text.bytes().filter(|byte| *byte != b'*').map(|byte| 1 << (byte.to_ascii_lowercase() & 127));
        UrlGlob { text, byte_mask: letters.fold(0, |all, letter: u128| all | letter) }
    }

    /// Returns whether every URL that matches the other glob also matches this one. A character that only this glob has
    /// is enough to refute it.
    fn covers(&self, other: &UrlGlob<'_>) -> bool {
        self.byte_mask & !other.byte_mask == 0 && is_subset(self.text, other.text)
    }

    fn is_disjoint(&self, other: &UrlGlob<'_>) -> bool {
        are_disjoint(self.text, other.text)
    }
}

impl<'a> Coverage<'a> {
    pub(super) fn new(order: &'a [ParsedPageRule<'a>]) -> Self {
        let mut coverage =
            Coverage { order, remaining: Vec::with_capacity(order.len()), comparisons_left: MAX_COMPARISONS };
        for page_rule in order {
            let globs = page_rule.pattern.iter().flat_map(|pattern| pattern.url_globs());
            let remaining = globs.map(|glob| UrlGlob::new(glob)).filter(|glob| !coverage.is_covered(glob)).collect();
            coverage.remaining.push(remaining);
        }
        coverage.comparisons_left = MAX_COMPARISONS;
        coverage
    }

    /// Returns whether an active page rule that was already added covers the glob completely. Uses up the budget of
    /// comparisons.
    fn is_covered(&mut self, glob: &UrlGlob<'_>) -> bool {
        let Coverage { order, remaining, comparisons_left } = self;
        if *comparisons_left == 0 {
            return false;
        }
        let above = order.iter().zip(remaining.iter()).filter(|(page_rule, _)| is_active(page_rule.rule));
        above
            .flat_map(|(_, globs)| globs)
            .any(|above| compare_within_budget(comparisons_left, false, || above.covers(glob)))
    }

    /// Returns the globs that remain for a page rule; none if it never takes effect.
    pub(super) fn remaining(&self, position: usize) -> &[UrlGlob<'a>] {
        self.remaining.get(position).map_or(&[], Vec::as_slice)
    }

    /// Returns the comparisons for the globs that remain for a page rule.
    pub(super) fn match_comparisons(&self, position: usize) -> Vec<String> {
        self.remaining(position).iter().map(|glob| comparison(glob.text)).collect()
    }

    /// Returns comparisons for the exclusions of the page rule at `position`. They are the remaining globs of the
    /// active page rules from index `from` to `position` for which `needs_exclusion` is true. Returns `None` if they
    /// are longer than an expression can be.
    pub(super) fn exclusions(
        &mut self,
        from: usize,
        position: usize,
        needs_exclusion: impl Fn(&ParsedPageRule<'_>) -> bool,
    ) -> Option<Vec<String>> {
        let Coverage { order, remaining, comparisons_left } = self;
        let own = remaining.get(position)?;
        let mut retained: Vec<&UrlGlob<'_>> = Vec::new();
        let mut length = 0;
        // The lowest priority comes first, because a glob that covers one of higher priority makes that one
        // unnecessary.
        for (page_rule, globs) in order.iter().zip(remaining.iter()).take(position).skip(from).rev() {
            if !is_active(page_rule.rule) || !needs_exclusion(page_rule) {
                continue;
            }
            for glob in globs.iter().rev() {
                if own.iter().all(|own| compare_within_budget(comparisons_left, false, || own.is_disjoint(glob)))
                    || retained
                        .iter()
                        .any(|retained| compare_within_budget(comparisons_left, false, || retained.covers(glob)))
                {
                    continue;
                }
                length += glob.text.len();
                if length > MAX_EXPRESSION_BYTES {
                    return None;
                }
                retained.push(glob);
            }
        }
        Some(retained.into_iter().rev().map(|glob| comparison(glob.text)).collect())
    }

    /// Returns whether a URL may match page rules of both sets.
    pub(super) fn may_overlap(&mut self, some: &[usize], others: &[usize]) -> bool {
        let Coverage { remaining, comparisons_left, .. } = self;
        let globs = |positions: &[usize]| {
            positions.iter().filter_map(|position| remaining.get(*position)).flatten().copied().collect::<Vec<_>>()
        };
        let others = globs(others);
        let are_disjoint = |glob: UrlGlob<'_>| {
            others.iter().all(|other| compare_within_budget(comparisons_left, false, || glob.is_disjoint(other)))
        };
        !globs(some).into_iter().all(are_disjoint)
    }
}

/// Evaluates a comparison while the budget lasts, and returns `otherwise` after that.
fn compare_within_budget(comparisons_left: &mut usize, otherwise: bool, compare: impl FnOnce() -> bool) -> bool {
    *comparisons_left = comparisons_left.saturating_sub(1);
    if *comparisons_left == 0 { otherwise } else { compare() }
}
