//! Suggests names that are similar to an unknown one.

/// The minimum Jaro-Winkler similarity of a suggestion. Less similar names are more noise than help.
const MIN_SIMILARITY: f64 = 0.84;
/// The maximum number of suggestions.
const MAX_SUGGESTIONS: usize = 3;

/// Returns the candidates that are similar to `name`, most similar first: at most three, and none if no candidate is
/// close. The comparison is case-insensitive and treats `-` as `_`.
pub fn find_similar<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let folded = normalize_name(name);
    // The comparison is quadratic in the length, and no known name is this long.
    if folded.len() > 128 {
        return Vec::new();
    }
    let mut scored: Vec<(f64, &str)> = candidates
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(&folded, &normalize_name(candidate)), candidate))
        .filter(|(score, _)| *score >= MIN_SIMILARITY)
        .collect();
    scored.sort_by(|(a, left), (b, right)| b.total_cmp(a).then(left.cmp(right)));
    // A suggestion that is much less similar than the best one only distracts.
    let best = scored.first().map_or(0.0, |(score, _)| *score);
    scored
        .into_iter()
        .take_while(|(score, _)| best - score < 0.06)
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
    fn similar_names_are_suggested_and_others_are_not() {
        let cases: [(&str, &[&str]); 5] = [
            ("http.hots", &["http.host"]),
            ("http.user-agent", &["http.user_agent"]),
            ("IP.SRC", &["ip.src"]),
            ("banana", &[]),
            ("", &[]),
        ];
        for (name, expected) in cases {
            let found = find_similar(name, NAMES);
            assert_eq!(found.first().copied(), expected.first().copied(), "{name}");
        }
        assert!(find_similar(&"h".repeat(10_000), NAMES).is_empty());
    }
}
