//! Suggests names that are similar to an unknown one.

use crate::sort_by;

/// The minimum Jaro-Winkler similarity of a suggestion. Less similar names are more noise than help.
const MIN_SIMILARITY: f64 = 0.84;
/// The maximum difference in similarity between the best suggestion and another suggestion.
const MAX_SIMILARITY_GAP: f64 = 0.06;
/// The maximum number of suggestions.
const MAX_SUGGESTIONS: usize = 3;

/// Returns the candidates that are similar to `name`, most similar first: at most three, and none if no candidate is
/// close or the name is very long. The comparison is case-insensitive and treats `-` as `_`.
pub fn find_similar<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let normalized = normalize_name(name);
    // The comparison takes quadratic time, and no candidate is this long.
    if normalized.len() > 128 {
        return Vec::new();
    }
    let mut scored: Vec<(f64, &str)> = candidates
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(&normalized, &normalize_name(candidate)), candidate))
        .filter(|(score, _)| *score >= MIN_SIMILARITY)
        .collect();
    sort_by(&mut scored, |(a, left), (b, right)| b.total_cmp(a).then(left.cmp(right)));
    // A suggestion that is much less similar than the best one only distracts.
    let best = scored.first().map_or(0.0, |(score, _)| *score);
    scored
        .into_iter()
        .take_while(|(score, _)| best - score < MAX_SIMILARITY_GAP)
        .take(MAX_SUGGESTIONS)
        .map(|(_, candidate)| candidate)
        .collect()
}

fn normalize_name(name: &str) -> String {
    name.to_ascii_lowercase().replace('-', "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 5] = ["http.host", "http.user_agent", "http.request.uri.path", "ip.src", "ssl"];

    #[test]
    fn best_suggestion_is_similar_or_absent() {
        let cases = [
            ("http.hots", Some("http.host")),
            ("http.user-agent", Some("http.user_agent")),
            ("IP.SRC", Some("ip.src")),
            ("banana", None),
            ("", None),
        ];
        for (name, expected) in cases {
            assert_eq!(find_similar(name, NAMES).first().copied(), expected, "{name}");
        }
        assert!(find_similar(&"h".repeat(10_000), NAMES).is_empty());
    }
}
