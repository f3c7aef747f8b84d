//! Compiled regular expressions. They match bytes, without Unicode classes.

use regex_automata::{
    Input, Span,
    dfa::{Automaton, dense},
    meta,
    util::{prefilter::Prefilter, primitives::StateID},
};
use regex_syntax::hir::{Hir, HirKind, Look};

/// A compiled pattern. The variants are matching strategies.
pub(super) enum Pattern {
    /// One table lookup for each byte of the text.
    Dfa(Box<Dfa>),
    /// A DFA that runs only from the first position at which a prefilter finds the first bytes of a match. Most texts
    /// do not contain those bytes.
    PrefilteredDfa(Box<(Prefilter, Dfa)>),
    /// A DFA for a pattern that matches only at the start.
    Anchored(Box<AnchoredPattern>),
    /// The general engine of `regex-automata`, for a pattern whose dense DFA would be too large.
    Meta(Box<meta::Regex>),
}

impl Pattern {
    /// Returns whether the pattern matches anywhere in the text.
    #[inline]
    pub(super) fn matches(&self, text: &[u8]) -> bool {
        match self {
            Pattern::Dfa(dfa) => dfa_matches(dfa, Input::new(text)),
            Pattern::PrefilteredDfa(prefiltered) => {
                let (prefilter, dfa) = &**prefiltered;
                match prefilter.find(text, Span::from(0..text.len())) {
                    Some(candidate) => dfa_matches(dfa, Input::new(text).range(candidate.start..)),
                    None => false,
                }
            }
            Pattern::Anchored(anchored) => anchored.matches(text),
            Pattern::Meta(regex) => regex.is_match(text),
        }
    }
}

/// A dense DFA.
pub(super) type Dfa = dense::DFA<Vec<u32>>;

fn dfa_matches(dfa: &Dfa, input: Input<'_>) -> bool {
    // The search of a DFA without Unicode word boundaries never fails.
    dfa.try_search_fwd(&input.earliest(true)).is_ok_and(|end| end.is_some())
}

/// A pattern that matches only at the start.
pub(super) struct AnchoredPattern {
    dfa: Dfa,
    /// The literal prefix of every match, possibly empty.
    prefix: Box<[u8]>,
    /// The DFA state after the prefix.
    state: StateID,
}

impl AnchoredPattern {
    /// Prepares the search; returns `None` if the DFA has no start state.
    pub(super) fn new(dfa: Dfa, hir: &Hir) -> Option<Self> {
        let prefix = match hir.kind() {
            HirKind::Concat(parts) => match parts.as_slice() {
                [start, literal, ..] => match (start.kind(), literal.kind()) {
                    (HirKind::Look(Look::Start), HirKind::Literal(literal)) => &*literal.0,
                    _ => &[],
                },
                _ => &[],
            },
            _ => &[],
        };
        let start = dfa.start_state_forward(&Input::new("")).ok()?;
        let state = prefix.iter().fold(start, |state, byte| dfa.next_state(state, *byte));
        let (prefix, state) = if dfa.is_special_state(state) { (&[][..], start) } else { (prefix, state) };
        Some(AnchoredPattern { prefix: prefix.into(), state, dfa })
    }

    #[inline]
    fn matches(&self, text: &[u8]) -> bool {
        let Some(suffix) = text.strip_prefix(&*self.prefix) else { return false };
        let mut state = self.state;
        for byte in suffix {
            state = self.dfa.next_state(state, *byte);
            if self.dfa.is_special_state(state) {
                if self.dfa.is_match_state(state) {
                    return true;
                }
                if self.dfa.is_dead_state(state) {
                    return false;
                }
            }
        }
        // The DFA reports a match one step after its end.
        self.dfa.is_match_state(self.dfa.next_eoi_state(state))
    }
}
