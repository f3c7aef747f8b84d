//! Compiles regular expressions, with a size limit and each pattern once.

use super::{
    literal_regex,
    matcher::TextMatcher,
    regex::{AnchoredPattern, Pattern, Table},
};
use regex_automata::{
    MatchKind,
    dfa::{StartKind, dense},
    meta,
    nfa::thompson::{self, WhichCaptures},
    util::prefilter::Prefilter,
};
use regex_syntax::hir::{Hir, Look};
use std::{collections::HashMap, sync::Arc};

/// The maximum size of one compiled pattern, in bytes (observed in the open engine).
const MAX_PATTERN_BYTES: usize = 10 << 20;
/// The maximum size of all compiled patterns of an expression, in bytes. Further patterns cannot be evaluated.
const MAX_TOTAL_PATTERN_BYTES: usize = 64 << 20;
/// The maximum size of a dense DFA, in bytes; larger patterns use a lazily built one.
const MAX_DENSE_DFA_BYTES: usize = 128 << 10;

/// The patterns of an expression, each compiled once.
pub(super) struct Patterns {
    compiled: HashMap<String, Option<Arc<Pattern>>>,
    bytes_left: usize,
}

impl Default for Patterns {
    fn default() -> Self {
        Patterns { compiled: HashMap::new(), bytes_left: MAX_TOTAL_PATTERN_BYTES }
    }
}

impl Patterns {
    /// Returns the test for a pattern, or `None` if the pattern cannot be compiled here.
    pub(super) fn test(&mut self, pattern: &str) -> Option<TextMatcher> {
        if let Some(compiled) = self.compiled.get(pattern) {
            return compiled.clone().map(TextMatcher::Matches);
        }
        let hir = regex_syntax::ParserBuilder::new().unicode(false).utf8(false).build().parse(pattern).ok();
        if let Some(test) = hir.as_ref().and_then(literal_regex::literal_matcher) {
            return Some(test);
        }
        let compiled = hir.and_then(|hir| self.compile(&hir)).map(Arc::new);
        self.compiled.insert(pattern.to_owned(), compiled.clone());
        compiled.map(TextMatcher::Matches)
    }

    /// Returns the test whether a text contains one of several needles.
    pub(super) fn any_of<'t>(&mut self, texts: impl Iterator<Item = &'t [u8]>) -> Option<TextMatcher> {
        let hir = Hir::alternation(texts.map(Hir::literal).collect());
        self.compile(&hir).map(|pattern| TextMatcher::Matches(Arc::new(pattern)))
    }

    fn compile(&mut self, hir: &Hir) -> Option<Pattern> {
        // A prefilter does not help a pattern that matches only at the start.
        let begin = if is_anchored(hir) { None } else { Prefilter::from_hir_prefix(MatchKind::LeftmostFirst, hir) };
        if let Some(table) = table(hir, begin.clone()) {
            self.bytes_left = self.bytes_left.checked_sub(table.memory_usage())?;
            if is_anchored(hir) {
                return AnchoredPattern::new(table, hir).map(|anchored| Pattern::Anchored(Box::new(anchored)));
            }
            return Some(match begin {
                Some(begin) => Pattern::PrefilteredDfa(Box::new((begin, table))),
                None => Pattern::Table(Box::new(table)),
            });
        }
        let limit = MAX_PATTERN_BYTES.min(self.bytes_left);
        let config =
            meta::Config::new().utf8_empty(false).nfa_size_limit(Some(limit)).which_captures(WhichCaptures::None);
        let regex = meta::Builder::new().configure(config).build_from_hir(hir).ok();
        let bytes = regex.as_ref().map_or(limit, meta::Regex::memory_usage);
        self.bytes_left = self.bytes_left.saturating_sub(bytes);
        regex.map(|regex| Pattern::Search(Box::new(regex)))
    }
}

fn is_anchored(hir: &Hir) -> bool {
    hir.properties().look_set_prefix().contains(Look::Start)
}

/// Returns the dense DFA of a pattern, or `None` if it exceeds [`MAX_DENSE_DFA_BYTES`].
fn table(hir: &Hir, prefilter: Option<Prefilter>) -> Option<Table> {
    let nfa_config = thompson::Config::new()
        .utf8(false)
        .which_captures(WhichCaptures::None)
        .nfa_size_limit(Some(MAX_DENSE_DFA_BYTES));
    let nfa = thompson::Compiler::new().configure(nfa_config).build_from_hir(hir).ok()?;
    let config = dense::Config::new()
        .start_kind(StartKind::Unanchored)
        .specialize_start_states(prefilter.is_some())
        .prefilter(prefilter)
        .dfa_size_limit(Some(MAX_DENSE_DFA_BYTES))
        .determinize_size_limit(Some(MAX_DENSE_DFA_BYTES));
    dense::Builder::new().configure(config).build_from_nfa(&nfa).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every matching strategy agrees with an unoptimized search.
    #[test]
    fn all_matchers_agree() {
        let texts =
            ["", "a", "ab", "abc", "/api/v1/x", "/api/v/x", "x/api/v1/", "A\nb", "bot", "BOT", "aaaa", "\u{e9}"];
        for pattern in [
            "",
            "^",
            "$",
            "^$",
            "a",
            "^a",
            "a$",
            "^a$",
            "(?i)bot",
            "(?i)^BOT$",
            "a.*",
            ".*b",
            "^.*b",
            "^a?b?",
            "^ab*",
            "^ab*$",
            "^(a|b)",
            "^/api/v[0-9]+/",
            "/v[0-9]",
            "(?m)^b",
            r"\bbot\b",
            r"(?-u)\xE9|\xC3",
            "a{3}",
            "[^a]",
            "(a)(b)",
            "a|b",
            "^a|b$",
            r"^\x00",
            "(?s).",
            "(?x) a b # c",
            "a{0}",
            "^a{2,}$",
        ] {
            let plain = meta::Regex::builder()
                .syntax(regex_automata::util::syntax::Config::new().unicode(false).utf8(false))
                .configure(meta::Config::new().utf8_empty(false))
                .build(pattern)
                .unwrap();
            let test = Patterns::default().test(pattern).unwrap();
            for text in texts {
                assert_eq!(test.holds(text.as_bytes()), plain.is_match(text), "{pattern} on {text:?}");
            }
        }
    }

    #[test]
    fn compiled_patterns_share_one_memory_limit() {
        let mut patterns = Patterns::default();
        let large = |n: usize| format!("[ab]{{{}}}c[ab]{{300}}", 20_000 + n);
        let compiled = (0..200).filter(|n| patterns.test(&large(*n)).is_some()).count();
        assert!(compiled > 10 && compiled < 200, "{compiled}");
    }
}
