//! Compiled regular expressions, on bytes and without Unicode.

use regex_automata::{
    Input, Span,
    dfa::{Automaton, dense},
    meta,
    util::{prefilter::Prefilter, primitives::StateID},
};
use regex_syntax::hir::{Hir, HirKind, Look};

/// A compiled pattern. The variants are matching strategies.
pub(super) enum Pattern {
    /// A dense DFA: one table lookup for each byte of the text.
    Table(Box<Table>),
    /// A dense DFA after a prefilter, a search for the first bytes of a match, which most texts lack.
    PrefilteredDfa(Box<(Prefilter, Table)>),
    /// A dense DFA for a pattern that matches only at the start.
    Anchored(Box<AnchoredPattern>),
    Search(Box<meta::Regex>),
}

impl Pattern {
    /// Returns whether the pattern matches anywhere in the text.
    #[inline]
    pub(super) fn matches(&self, text: &[u8]) -> bool {
        match self {
            // A DFA without Unicode word boundaries never fails.
            Pattern::Table(table) => dfa_matches(table, Input::new(text)),
            Pattern::PrefilteredDfa(parts) => match parts.0.find(text, Span::from(0..text.len())) {
                Some(begin) => dfa_matches(&parts.1, Input::new(text).range(begin.start..)),
                None => false,
            },
            Pattern::Anchored(anchored) => anchored.matches(text),
            Pattern::Search(regex) => regex.is_match(text),
        }
    }
}

pub(super) type Table = dense::DFA<Vec<u32>>;

fn dfa_matches(table: &Table, input: Input<'_>) -> bool {
    table.try_search_fwd(&input.earliest(true)).is_ok_and(|found| found.is_some())
}

/// A pattern that matches only at the start.
pub(super) struct AnchoredPattern {
    table: Table,
    /// The literal prefix of every match, possibly empty.
    prefix: Box<[u8]>,
    /// The DFA state after the prefix.
    state: StateID,
}

impl AnchoredPattern {
    pub(super) fn new(table: Table, hir: &Hir) -> Option<Self> {
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
        let start = table.start_state_forward(&Input::new("")).ok()?;
        let state = prefix.iter().fold(start, |state, byte| table.next_state(state, *byte));
        let (prefix, state) = if table.is_special_state(state) { (&[][..], start) } else { (prefix, state) };
        Some(AnchoredPattern { prefix: prefix.into(), state, table })
    }

    #[inline]
    fn matches(&self, text: &[u8]) -> bool {
        let Some(rest) = text.strip_prefix(&*self.prefix) else { return false };
        let mut state = self.state;
        for byte in rest {
            state = self.table.next_state(state, *byte);
            if self.table.is_special_state(state) {
                if self.table.is_match_state(state) {
                    return true;
                }
                if self.table.is_dead_state(state) {
                    return false;
                }
            }
        }
        // The DFA reports a match one step after its end.
        self.table.is_match_state(self.table.next_eoi_state(state))
    }
}
