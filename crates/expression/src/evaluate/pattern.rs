//! Regular expressions: bytes, without Unicode, of bounded size.

use super::{literal, test::TextTest};
use regex_automata::{
    Input, MatchKind,
    dfa::{Automaton, StartKind, dense},
    meta,
    nfa::thompson::{self, WhichCaptures},
    util::prefilter::Prefilter,
};
use regex_syntax::hir::{Hir, Look};
use std::{collections::HashMap, sync::Arc};

/// Most bytes of one compiled pattern (observed in the open engine).
const MOST_BYTES: usize = 10 << 20;
/// Most bytes of all compiled patterns of an expression. What does not fit cannot be evaluated.
const MOST_BYTES_IN_ALL: usize = 64 << 20;
/// Most bytes of a table with all states; larger patterns are searched by building states as needed.
const MOST_TABLE: usize = 128 << 10;

/// A compiled pattern.
pub(super) enum Pattern {
    /// One table look-up for each byte of the text.
    Table(Box<dense::DFA<Vec<u32>>>),
    Search(Box<meta::Regex>),
}

impl Pattern {
    /// Whether it matches anywhere in a text.
    #[inline]
    pub(super) fn matches(&self, text: &[u8]) -> bool {
        match self {
            // A table without Unicode word boundaries never gives up.
            Pattern::Table(table) => {
                table.try_search_fwd(&Input::new(text).earliest(true)).is_ok_and(|found| found.is_some())
            }
            Pattern::Search(regex) => regex.is_match(text),
        }
    }
}

/// The patterns of an expression, each compiled once.
pub(super) struct Patterns {
    known: HashMap<String, Option<Arc<Pattern>>>,
    bytes_left: usize,
}

impl Default for Patterns {
    fn default() -> Self {
        Patterns { known: HashMap::new(), bytes_left: MOST_BYTES_IN_ALL }
    }
}

impl Patterns {
    /// The test for a pattern; nothing when it cannot be compiled here.
    pub(super) fn test(&mut self, pattern: &str) -> Option<TextTest> {
        if let Some(known) = self.known.get(pattern) {
            return known.clone().map(TextTest::Matches);
        }
        let hir = regex_syntax::ParserBuilder::new().unicode(false).utf8(false).build().parse(pattern).ok();
        if let Some(test) = hir.as_ref().and_then(literal::test) {
            return Some(test);
        }
        let compiled = hir.and_then(|hir| self.compile(&hir)).map(Arc::new);
        self.known.insert(pattern.to_owned(), compiled.clone());
        compiled.map(TextTest::Matches)
    }

    /// The test whether one of several texts is contained.
    pub(super) fn any_of<'t>(&mut self, texts: impl Iterator<Item = &'t [u8]>) -> Option<TextTest> {
        let hir = Hir::alternation(texts.map(Hir::literal).collect());
        self.compile(&hir).map(|pattern| TextTest::Matches(Arc::new(pattern)))
    }

    fn compile(&mut self, hir: &Hir) -> Option<Pattern> {
        if let Some(table) = table(hir) {
            self.bytes_left = self.bytes_left.checked_sub(table.memory_usage())?;
            return Some(Pattern::Table(Box::new(table)));
        }
        let limit = MOST_BYTES.min(self.bytes_left);
        let config =
            meta::Config::new().utf8_empty(false).nfa_size_limit(Some(limit)).which_captures(WhichCaptures::None);
        let regex = meta::Builder::new().configure(config).build_from_hir(hir).ok();
        let bytes = regex.as_ref().map_or(limit, meta::Regex::memory_usage);
        self.bytes_left = self.bytes_left.saturating_sub(bytes);
        regex.map(|regex| Pattern::Search(Box::new(regex)))
    }
}

/// The whole table of a pattern, when it is small.
fn table(hir: &Hir) -> Option<dense::DFA<Vec<u32>>> {
    let nfa_config =
        thompson::Config::new().utf8(false).which_captures(WhichCaptures::None).nfa_size_limit(Some(MOST_TABLE));
    let nfa = thompson::Compiler::new().configure(nfa_config).build_from_hir(hir).ok()?;
    // Searching for its first bytes is of no use to a pattern that matches at the start only.
    let anchored = hir.properties().look_set_prefix().contains(Look::Start);
    let prefilter = if anchored { None } else { Prefilter::from_hir_prefix(MatchKind::LeftmostFirst, hir) };
    let config = dense::Config::new()
        .start_kind(StartKind::Unanchored)
        .specialize_start_states(prefilter.is_some())
        .prefilter(prefilter)
        .dfa_size_limit(Some(MOST_TABLE))
        .determinize_size_limit(Some(MOST_TABLE));
    dense::Builder::new().configure(config).build_from_nfa(&nfa).ok()
}
