//! Which URLs are left to a page rule by those above it.

use super::pattern::{are_apart, comparison, covers};
use super::read::{Read, is_active};
use crate::limits::MAX_EXPRESSION_BYTES;

/// After so many questions about two patterns, the rest is answered the careful way: they overlap, and none
/// covers the other. That is right, only longer. It is 20 times what the 125 page rules of the largest plan ask.
const MAX_COMPARISONS: usize = 1_000_000;

/// Page rules in their order, with what is left to each.
pub(super) struct Coverage<'a> {
    order: &'a [Read<'a>],
    /// For each page rule, the texts of its pattern that no active one above it covers whole.
    left: Vec<Vec<Whole<'a>>>,
    questions: usize,
}

/// A text of a pattern.
#[derive(Clone, Copy)]
pub(super) struct Whole<'a> {
    text: &'a str,
    /// Which letters are in it, a bit for each of ASCII.
    letters: u128,
}

impl<'a> Whole<'a> {
    fn new(text: &'a str) -> Self {
        let letters = text.bytes().filter(|byte| *byte != b'*').map(|byte| 1 << (byte.to_ascii_lowercase() & 127));
        Whole { text, letters: letters.fold(0, |all, letter: u128| all | letter) }
    }

    /// Whether every URL of the other is one of this. What has a letter that the other lacks is looked at no further.
    fn covers(&self, other: &Whole<'_>) -> bool {
        self.letters & !other.letters == 0 && covers(self.text, other.text)
    }

    fn is_apart(&self, other: &Whole<'_>) -> bool {
        are_apart(self.text, other.text)
    }
}

impl<'a> Coverage<'a> {
    pub(super) fn new(order: &'a [Read<'a>]) -> Self {
        let mut made = Coverage { order, left: Vec::with_capacity(order.len()), questions: MAX_COMPARISONS };
        for read in order {
            let wholes = read.pattern.iter().flat_map(|pattern| pattern.wholes());
            let left = wholes.map(|whole| Whole::new(whole)).filter(|whole| !made.is_taken(whole)).collect();
            made.left.push(left);
        }
        made.questions = MAX_COMPARISONS;
        made
    }

    /// Whether an active page rule above those that are not known yet covers all of it.
    fn is_taken(&mut self, whole: &Whole<'_>) -> bool {
        let Coverage { order, left, questions } = self;
        if *questions == 0 {
            return false;
        }
        let above = order.iter().zip(left.iter()).filter(|(read, _)| is_active(read.rule));
        above.flat_map(|(_, left)| left).any(|above| ask(questions, false, || above.covers(whole)))
    }

    /// What is left to a page rule; nothing when it never counts.
    pub(super) fn left(&self, place: usize) -> &[Whole<'a>] {
        self.left.get(place).map_or(&[], Vec::as_slice)
    }

    /// The comparisons for what is left to a page rule.
    pub(super) fn own(&self, place: usize) -> Vec<String> {
        self.left(place).iter().map(|whole| comparison(whole.text)).collect()
    }

    /// Comparisons for what active page rules from `from` on, of those that `keep`, keep from the one at
    /// `place`. Nothing when they are longer than an expression can be.
    pub(super) fn shields(
        &mut self,
        from: usize,
        place: usize,
        keep: impl Fn(&Read<'_>) -> bool,
    ) -> Option<Vec<String>> {
        let Coverage { order, left, questions } = self;
        let own = left.get(place)?;
        let mut kept: Vec<&Whole<'_>> = Vec::new();
        let mut length = 0;
        // From the nearest: a lower one that covers a higher one stands for both.
        for (read, left) in order.iter().zip(left.iter()).take(place).skip(from).rev() {
            if !is_active(read.rule) || !keep(read) {
                continue;
            }
            for whole in left.iter().rev() {
                if own.iter().all(|own| ask(questions, false, || own.is_apart(whole)))
                    || kept.iter().any(|kept| ask(questions, false, || kept.covers(whole)))
                {
                    continue;
                }
                length += whole.text.len();
                if length > MAX_EXPRESSION_BYTES {
                    return None;
                }
                kept.push(whole);
            }
        }
        Some(kept.into_iter().rev().map(|whole| comparison(whole.text)).collect())
    }

    /// Whether a URL may fit one of the page rules and another one of the others.
    pub(super) fn may_meet(&mut self, some: &[usize], others: &[usize]) -> bool {
        let Coverage { left, questions, .. } = self;
        let wholes = |places: &[usize]| {
            places.iter().filter_map(|place| left.get(*place)).flatten().copied().collect::<Vec<_>>()
        };
        let others = wholes(others);
        let apart = |one: Whole<'_>| others.iter().all(|other| ask(questions, false, || one.is_apart(other)));
        !wholes(some).into_iter().all(apart)
    }
}

/// The answer, as long as questions are left.
fn ask(questions: &mut usize, otherwise: bool, answer: impl FnOnce() -> bool) -> bool {
    *questions = questions.saturating_sub(1);
    if *questions == 0 { otherwise } else { answer() }
}
