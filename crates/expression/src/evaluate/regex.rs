//! Compiled regular expressions. They match bytes, without Unicode classes.

#[cfg(not(target_family = "wasm"))]
use super::dense_regex::{AnchoredPattern, Dfa, build_dfa, dfa_matches, is_anchored};
use regex_automata::meta;
#[cfg(not(target_family = "wasm"))]
use regex_automata::{Input, MatchKind, Span, util::prefilter::Prefilter};
#[cfg(not(target_family = "wasm"))]
use regex_syntax::hir::Hir;

/// A compiled pattern. The variants are matching strategies. WebAssembly has only the general engine, because the
/// others would take a tenth of its code.
pub(super) enum Pattern {
    /// One table lookup for each byte of the text.
    #[cfg(not(target_family = "wasm"))]
    Dfa(Box<Dfa>),
    /// A DFA that runs only from the first position at which a prefilter finds the first bytes of a match. Most texts
    /// do not contain those bytes.
    #[cfg(not(target_family = "wasm"))]
    PrefilteredDfa(Box<(Prefilter, Dfa)>),
    /// A DFA for a pattern that matches only at the start.
    #[cfg(not(target_family = "wasm"))]
    Anchored(Box<AnchoredPattern>),
    /// The general engine of `regex-automata`, for a pattern whose dense DFA would be too large.
    Meta(Box<meta::Regex>),
}

impl Pattern {
    /// Compiles a pattern to a dense DFA, and returns its size in bytes; returns `None` if the DFA would be too large.
    #[cfg(not(target_family = "wasm"))]
    pub(super) fn compile_dense(hir: &Hir) -> Option<(Pattern, usize)> {
        // A prefilter does not help a pattern that matches only at the start.
        let prefilter = if is_anchored(hir) { None } else { Prefilter::from_hir_prefix(MatchKind::LeftmostFirst, hir) };
        let dfa = build_dfa(hir, prefilter.clone())?;
        let bytes = dfa.memory_usage();
        let pattern = if is_anchored(hir) {
            Pattern::Anchored(Box::new(AnchoredPattern::new(dfa, hir)?))
        } else {
            match prefilter {
                Some(prefilter) => Pattern::PrefilteredDfa(Box::new((prefilter, dfa))),
                None => Pattern::Dfa(Box::new(dfa)),
            }
        };
        Some((pattern, bytes))
    }

    /// Returns whether the pattern matches anywhere in the text.
    #[inline]
    pub(super) fn matches(&self, text: &[u8]) -> bool {
        match self {
            #[cfg(not(target_family = "wasm"))]
            Pattern::Dfa(dfa) => dfa_matches(dfa, Input::new(text)),
            #[cfg(not(target_family = "wasm"))]
            Pattern::PrefilteredDfa(prefiltered) => {
                let (prefilter, dfa) = &**prefiltered;
                match prefilter.find(text, Span::from(0..text.len())) {
                    Some(candidate) => dfa_matches(dfa, Input::new(text).range(candidate.start..)),
                    None => false,
                }
            }
            #[cfg(not(target_family = "wasm"))]
            Pattern::Anchored(anchored) => anchored.matches(text),
            Pattern::Meta(regex) => regex.is_match(text),
        }
    }
}
