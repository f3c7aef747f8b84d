//! Page rules: their expressions match the same requests, and managed rules are executed for the same requests.

use crate::support::{config, options};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::json;
use zonewright_api::finding::FindingOutcome;
use zonewright_equivalence::{Budget, Verdict, equivalent, subsumes};
use zonewright_expression::{Kind, Outcome, Program, Record, Value, check};
use zonewright_migration::{Ternary, matches_pattern, pattern_expression, read_config, simulate};
use zonewright_tests::generate::Choices;
use zonewright_tests::migration_invariants::plan_and_check_invariants;

/// Components of patterns and URLs; the first of each is the simplest.
const SCHEMES: [&str; 5] = ["", "https://", "http://", "*://", "HTTPS://"];
const HOSTS: [&str; 6] = ["example.com", "*.example.com", "*example.com", "www.EXAMPLE.com", "example.com:8443", "*"];
const PATHS: [&str; 13] =
    ["/\u{e4}*", "", "/", "/*", "/a", "/a/*", "/A/b*", "/**", "/a\\b", "/*.php", "/\"x\"", "/*/b/*", "/a?u=http://b/*"];
/// Patterns in which `*` may cover the host and a part of the path, or a part of the scheme.
const EDGE_CASE_PATTERNS: [&str; 14] = [
    "*.php?*",
    "*wp-login.php?action=*",
    "*wiki:talk/*",
    "example.com*@*",
    "*@*",
    "*..*",
    "h*://example.com/*",
    "*s://example.com/*",
    "*.example.com?x",
    "example.com*?x",
    "*@example.com/*",
    "example.com:*/a",
    "*:a",
    "example.com*u=http://b/*",
];
const WILDCARD_FILLERS: [&str; 9] =
    ["", "a", "/a/b", "www.", "a.php?x=1", "https://example.com/", "*", "example.com/", "example.com/w/a"];

fn pattern(choices: &mut Choices<'_>) -> String {
    if choices.index_below(4) == 3 {
        return choices.pick(&EDGE_CASE_PATTERNS).to_owned();
    }
    format!("{}{}{}", choices.pick(&SCHEMES), choices.pick(&HOSTS), choices.pick(&PATHS))
}

/// A URL that the pattern may match: stars are filled in, and some letters are changed.
fn url(pattern: &str, choices: &mut Choices<'_>) -> String {
    let (scheme, rest) = match pattern.split_once("://") {
        Some((scheme, rest)) if !scheme.contains(['/', '=']) => (scheme, rest),
        _ => ("", pattern),
    };
    let scheme = if scheme.eq_ignore_ascii_case("http") { "http" } else { choices.pick(&["https", "http"]) };
    let mut url = format!("{scheme}://");
    for char in rest.chars() {
        match (char, choices.index_below(24)) {
            ('*', _) => url.push_str(choices.pick(&WILDCARD_FILLERS)),
            (_, 23) => url.push('z'),
            (other, 22) => url.extend(other.to_uppercase()),
            (other, _) => url.push(other),
        }
    }
    url
}

/// Whether a pattern matches a URL, compared as written text, with `*` for any text.
fn pattern_matches(pattern: &str, url: &str) -> bool {
    let (scheme, after_scheme) = url.split_once("://").unwrap();
    let with_scheme = pattern.split_once("://").filter(|(before, _)| {
        !before.contains(['/', '?'])
            && ["http", "https"].iter().any(|known| wildcard_matches(before.as_bytes(), known.as_bytes()))
    });
    let rest = match with_scheme {
        Some((before, _)) if !wildcard_matches(before.as_bytes(), scheme.as_bytes()) => return false,
        Some((_, rest)) => rest,
        None => pattern,
    };
    let encoded = rest.replace('\u{e4}', "%C3%A4");
    let has_boundary = encoded.contains(['/', '?']) || encoded.ends_with('*');
    let root = if has_boundary { "" } else { "/" };
    wildcard_matches(format!("{encoded}{root}").as_bytes(), after_scheme.as_bytes())
}

/// Matches literally and tries every length of a `*`.
fn wildcard_matches(pattern: &[u8], text: &[u8]) -> bool {
    let mut ends = vec![false; text.len() + 1];
    ends[0] = true;
    for char in pattern {
        let before = ends.clone();
        for index in 0..ends.len() {
            ends[index] = match char {
                b'*' => before[..=index].contains(&true),
                char => index > 0 && before[index - 1] && char.eq_ignore_ascii_case(&text[index - 1]),
            };
        }
    }
    ends[text.len()]
}

/// The request for a URL; `None` when the URL is invalid.
fn request(url: &str) -> Option<Record> {
    let mut record = Record::default();
    zonewright_request::read_input(url.as_bytes(), &mut record).ok()?;
    record.get("http.request.full_uri")?;
    Some(record)
}

fn full_uri(record: &Record) -> String {
    match record.get("http.request.full_uri") {
        Some(Value::Text(bytes)) => String::from_utf8_lossy(bytes).into_owned(),
        other => panic!("{other:?}"),
    }
}

fn program(source: &str) -> Program {
    check(source, &options(Kind::Expression)).program.unwrap_or_else(|| panic!("{source}"))
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn pattern_and_its_expression_match_the_same_requests(choices in vec(any::<u8>(), 0..60)) {
        let mut choices = Choices::new(&choices);
        let pattern = pattern(&mut choices);
        let program = program(&pattern_expression(&pattern).unwrap());
        for _ in 0..8 {
            let Some(record) = request(&url(&pattern, &mut choices)) else { continue };
            let expected = pattern_matches(&pattern, &full_uri(&record));
            prop_assert_eq!(matches_pattern(&pattern, &full_uri(&record)), Ok(expected), "{} {}", pattern, full_uri(&record));
            prop_assert_eq!(program.evaluate(&record) == Outcome::True, expected, "{} {}", pattern, full_uri(&record));
        }
    }

    #[test]
    fn managed_rules_execute_for_the_same_requests(choices in vec(any::<u8>(), 0..120)) {
        let mut choices = Choices::new(&choices);
        let patterns: Vec<String> = (0..1 + choices.index_below(5)).map(|_| pattern(&mut choices)).collect();
        assert_same_execution(&patterns, &mut choices)?;
    }
}

proptest! {
    #![proptest_config(config(24))]

    /// With so many page rules, the exclusions exceed one expression.
    #[test]
    fn many_page_rules_keep_managed_rules_for_the_same_requests(choices in vec(any::<u8>(), 200..900)) {
        let mut choices = Choices::new(&choices);
        let count = 20 + choices.index_below(106);
        let patterns: Vec<String> = (0..count).map(|part| match choices.index_below(3) {
            0 => pattern(&mut choices),
            _ => format!("{}/{}{}/{}*", choices.pick(&HOSTS), "part".repeat(choices.index_below(12)), part % 40, choices.pick(&["", "", "a/"])),
        }).collect();
        assert_same_execution(&patterns, &mut choices)?;
    }
}

/// Asserts that managed rules are executed for the same requests before and after, and for none twice, in a zone with
/// page rules of these patterns.
fn assert_same_execution(patterns: &[String], choices: &mut Choices<'_>) -> Result<(), TestCaseError> {
    // Mostly of one kind, so that they shadow each other.
    let max_count = choices.index_below(5);
    let rules: Vec<_> = patterns
        .iter()
        .enumerate()
        .map(|(index, pattern)| {
            let action = match if choices.index_below(2) == 1 { max_count } else { choices.index_below(5) } {
                0 => json!({"id": "disable_security"}),
                1 => json!({"id": "waf", "value": "off"}),
                2 | 3 => json!({"id": "waf", "value": "on"}),
                _ => json!({"id": "cache_level", "value": "bypass"}),
            };
            json!({"id": index.to_string(), "priority": choices.index_below(4), "actions": [action],
            "status": choices.pick(&["active", "active", "active", "disabled"]),
            "targets": [{"target": "url", "constraint": {"operator": "matches", "value": pattern}}]})
        })
        .collect();
    let waf = choices.pick(&["on", "off"]);
    let zone = read_config(&json!({"plan": "business", "settings": {"waf": waf}, "page_rules": rules})).unwrap();
    let planned = plan_and_check_invariants(&zone).map_err(TestCaseError::fail)?;
    let requests: Vec<(String, Record)> = (0..16)
        .filter_map(|_| {
            let url = url(&patterns[choices.wide_index_below(patterns.len())].clone(), choices);
            request(&url).map(|record| (url, record))
        })
        .collect();
    for simulated in simulate(&zone, &planned.entry_point, &requests) {
        prop_assert_eq!(simulated.differs(), Ternary::No, "{:?}\n{:?}\n{:?}", simulated, zone.page_rules, planned);
    }
    let programs: Vec<_> = planned.entry_point.rules.iter().map(|rule| program(&rule.expression)).collect();
    for (url, record) in &requests {
        let mut executed: Vec<&str> = Vec::new();
        for (rule, program) in planned.entry_point.rules.iter().zip(&programs) {
            let id = rule.action_parameters.as_ref().and_then(|parameters| parameters.id.as_deref());
            match (program.evaluate(record) == Outcome::True && rule.enabled, id) {
                (false, _) => {}
                (true, None) => break,
                (true, Some(id)) if executed.contains(&id) => {
                    return Err(TestCaseError::fail(format!("{url} executes a ruleset twice\n{planned:?}")));
                }
                (true, Some(id)) => executed.push(id),
            }
        }
    }
    prop_assert!(planned.findings.iter().all(|found| !found.setting.starts_with("/page_rules/")
        || matches!(found.outcome, FindingOutcome::Carried | FindingOutcome::Unaffected | FindingOutcome::Changed)
        || found.code == "page-rule-disabled"));
    Ok(())
}

/// Patterns with an equivalent function call are proved equivalent to it.
#[test]
fn pattern_expression_is_proved_equivalent_to_function_call() {
    let uri = "lower(http.request.full_uri)";
    let both = |condition: &str| {
        ["http", "https"].map(|scheme| condition.replace("{}", scheme)).join(" or ").replace("uri", uri)
    };
    let cases = [
        ("https://example.com/*", format!("starts_with({uri}, \"https://example.com/\")")),
        ("example.com/*", both("starts_with(uri, \"{}://example.com/\")")),
        ("example.com", both("uri eq \"{}://example.com/\"")),
        ("Example.com/a", both("uri eq \"{}://example.com/a\"")),
        ("http://*", format!("starts_with({uri}, \"http://\")")),
    ];
    for (pattern, call) in cases {
        let (first, second) = (program(&pattern_expression(pattern).unwrap()), program(&call));
        let verdict = equivalent(&first, &second, &Budget::default());
        assert!(matches!(verdict, Verdict::Yes { .. }), "{pattern}: {call}: {verdict:?}");
    }
    // A pattern subsumes a narrower one.
    for (general, special) in [("example.com/*", "https://example.com/a/*"), ("*example.com/*", "www.example.com/")] {
        let [general, special] = [general, special].map(|pattern| program(&pattern_expression(pattern).unwrap()));
        assert!(matches!(subsumes(&general, &special, &Budget::default()), Verdict::Yes { .. }), "{general:?}");
        assert!(!matches!(subsumes(&special, &general, &Budget::default()), Verdict::Yes { .. }), "{special:?}");
    }
}
