//! Dense DFAs of small patterns. WebAssembly builds omit this module because of its size.

use regex_automata::{
    Anchored, Input,
    dfa::{Automaton, StartKind, dense},
    nfa::thompson::{self, WhichCaptures},
    util::{prefilter::Prefilter, primitives::StateID},
};
use regex_syntax::hir::{Hir, HirKind, Look};

/// The maximum size of a dense DFA, in bytes; larger patterns use the general engine, which builds its DFA lazily.
const MAX_DENSE_DFA_BYTES: usize = 128 << 10;

pub(super) fn is_anchored(hir: &Hir) -> bool {
    hir.properties().look_set_prefix().contains(Look::Start)
}

/// Builds the dense DFA of a pattern; returns `None` if it exceeds [`MAX_DENSE_DFA_BYTES`]. The DFA of an anchored pattern
/// searches only at the start, so that it stops at the first byte that no match has.
pub(super) fn build_dfa(hir: &Hir, prefilter: Option<Prefilter>) -> Option<Dfa> {
    let nfa_config = thompson::Config::new()
        .utf8(false)
        .which_captures(WhichCaptures::None)
        .nfa_size_limit(Some(MAX_DENSE_DFA_BYTES));
    let nfa = thompson::Compiler::new().configure(nfa_config).build_from_hir(hir).ok()?;
    let config = dense::Config::new()
        .start_kind(if is_anchored(hir) { StartKind::Anchored } else { StartKind::Unanchored })
        .specialize_start_states(prefilter.is_some())
        .prefilter(prefilter)
        .dfa_size_limit(Some(MAX_DENSE_DFA_BYTES))
        .determinize_size_limit(Some(MAX_DENSE_DFA_BYTES));
    dense::Builder::new().configure(config).build_from_nfa(&nfa).ok()
}

/// A dense DFA.
pub(super) type Dfa = dense::DFA<Vec<u32>>;

pub(super) fn dfa_matches(dfa: &Dfa, input: Input<'_>) -> bool {
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
        let start = dfa.start_state_forward(&Input::new("").anchored(Anchored::Yes)).ok()?;
        let state = prefix.iter().fold(start, |state, byte| dfa.next_state(state, *byte));
        let is_final = dfa.is_match_state(state) || dfa.is_dead_state(state);
        let (prefix, state) = if is_final { (&[][..], start) } else { (prefix, state) };
        Some(AnchoredPattern { prefix: prefix.into(), state, dfa })
    }

    #[inline]
    pub(super) fn matches(&self, text: &[u8]) -> bool {
        // Without the first test, the comparison of an empty prefix would take ten times as long as the rest: its pointer
        // is dangling, which slows down vector instructions that suppress faults.
        let suffix = if self.prefix.is_empty() { Some(text) } else { text.strip_prefix(&*self.prefix) };
        let Some(suffix) = suffix else { return false };
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
