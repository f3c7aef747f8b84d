//! Compiles regular expressions: each pattern of an expression once, and with limits on the memory of the results.

use super::{literal_regex, matcher::TextMatcher, regex::Pattern};
use regex_automata::{meta, nfa::thompson::WhichCaptures};
use regex_syntax::hir::Hir;
use std::{collections::HashMap, sync::Arc};

/// The maximum size of one compiled pattern, in bytes (observed in the open-source engine).
const MAX_PATTERN_BYTES: usize = 10 << 20;
/// The maximum size of all compiled patterns of an expression, in bytes. Further patterns cannot be evaluated.
const MAX_TOTAL_PATTERN_BYTES: usize = 64 << 20;

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
    /// Compiles a pattern to a matcher; returns `None` if the pattern exceeds a size limit.
    pub(super) fn compile_pattern(&mut self, pattern: &str) -> Option<TextMatcher> {
        if let Some(compiled) = self.compiled.get(pattern) {
            return compiled.clone().map(TextMatcher::Matches);
        }
        let hir = regex_syntax::ParserBuilder::new().unicode(false).utf8(false).build().parse(pattern).ok();
        if let Some(matcher) = hir.as_ref().and_then(literal_regex::literal_matcher) {
            return Some(matcher);
        }
        let compiled = hir.and_then(|hir| self.compile(&hir)).map(Arc::new);
        self.compiled.insert(pattern.to_owned(), compiled.clone());
        compiled.map(TextMatcher::Matches)
    }

    /// Compiles a matcher for texts that contain at least one of several needles; returns `None` if it exceeds a size
    /// limit.
    pub(super) fn compile_any_of<'t>(&mut self, texts: impl Iterator<Item = &'t [u8]>) -> Option<TextMatcher> {
        let hir = Hir::alternation(texts.map(Hir::literal).collect());
        self.compile(&hir).map(|pattern| TextMatcher::Matches(Arc::new(pattern)))
    }

    fn compile(&mut self, hir: &Hir) -> Option<Pattern> {
        #[cfg(not(target_family = "wasm"))]
        if let Some((pattern, bytes)) = Pattern::compile_dense(hir) {
            self.bytes_left = self.bytes_left.checked_sub(bytes)?;
            return Some(pattern);
        }
        let limit = MAX_PATTERN_BYTES.min(self.bytes_left);
        let config =
            meta::Config::new().utf8_empty(false).nfa_size_limit(Some(limit)).which_captures(WhichCaptures::None);
        let regex = meta::Builder::new().configure(config).build_from_hir(hir).ok();
        let bytes = regex.as_ref().map_or(limit, meta::Regex::memory_usage);
        self.bytes_left = self.bytes_left.saturating_sub(bytes);
        regex.map(|regex| Pattern::Meta(Box::new(regex)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matching_strategies_agree_with_unoptimized_search() {
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
            let unoptimized = meta::Regex::builder()
                .syntax(regex_automata::util::syntax::Config::new().unicode(false).utf8(false))
                .configure(meta::Config::new().utf8_empty(false))
                .build(pattern)
                .unwrap();
            let matcher = Patterns::default().compile_pattern(pattern).unwrap();
            for text in texts {
                assert_eq!(matcher.holds(text.as_bytes()), unoptimized.is_match(text), "{pattern} on {text:?}");
            }
        }
    }

    #[test]
    fn compiled_patterns_share_one_memory_limit() {
        let mut patterns = Patterns::default();
        let large = |n: usize| format!("[ab]{{{}}}c[ab]{{300}}", 20_000 + n);
        let compiled = (0..200).filter(|n| patterns.compile_pattern(&large(*n)).is_some()).count();
        assert!(compiled > 10 && compiled < 200, "{compiled}");
    }
}
