//! Tests the details of results: assumptions, counterexamples, reasons. The cases of the language are in `tests/spec`.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

use zonewright_equivalence::{
    Assumption, Budget, Reachability, Rule, Satisfiability, UnreachableReason, Verdict, check_satisfiability,
    equivalent, never_fires, subsumes,
};
use zonewright_expression::{Kind, Options, Outcome, Program, Value, check};

fn program(source: &str) -> Program {
    let options = Options { max_length: usize::MAX, ..Options::default() };
    let checked = check(source, &options);
    checked.program.unwrap_or_else(|| panic!("{source}: {:?}", checked.diagnostics))
}

fn compare(a: &str, b: &str) -> Verdict {
    equivalent(&program(a), &program(b), &Budget::default())
}

#[test]
fn proof_lists_its_assumptions() {
    let method = Assumption::Present("http.request.method");
    let country = Assumption::Alias { deprecated: "ip.geoip.country", current: "ip.src.country" };
    let threat = Assumption::Range { field: "cf.threat_score", min: 0, max: 0 };
    let named = Assumption::NonEmptyKeys("http.request.headers");
    let cases: [(&str, &str, &[Assumption]); 13] = [
        ("ssl", "(ssl)", &[]),
        ("http.request.method ne \"GET\"", "not http.request.method eq \"GET\"", &[method]),
        ("ip.geoip.country eq \"FR\"", "ip.src.country eq \"FR\"", &[country]),
        ("ip.geoip.country eq \"FR\"", "ip.geoip.country in {\"FR\"}", &[]),
        ("http.request.method eq \"GET\"", "http.request.method in {\"GET\"}", &[]),
        ("len(http.request.method) ge 0", "true", &[method]),
        ("cf.threat_score gt 5", "ssl and not ssl", &[threat]),
        ("has_key(http.request.headers, \"a\")", "any(len(http.request.headers[\"a\"][*])[*] ge 0)", &[named]),
        ("len(http.request.headers[\"a\"]) lt 1", "ssl and not ssl", &[named]),
        // A proof does not list an assumption that it does not need.
        (
            "ip.geoip.country eq \"FR\" or ip.src.country eq \"DE\"",
            "ip.src.country eq \"DE\" or ip.geoip.country eq \"FR\"",
            &[],
        ),
        ("ip.geoip.country eq \"FR\" and ssl", "ip.src.country eq \"FR\" and ssl", &[country]),
        (
            "ip.geoip.country eq \"FR\" and ssl and not ssl",
            "ip.src.country eq \"DE\" and http.host eq \"a\" and http.host eq \"b\"",
            &[],
        ),
        ("len(http.request.headers[\"a\"]) lt 0", "ssl and not ssl", &[]),
    ];
    for (a, b, expected) in cases {
        match compare(a, b) {
            Verdict::Yes { assumptions } => assert_eq!(assumptions, expected, "{a} {b}"),
            other => panic!("{a} {b}: {other:?}"),
        }
    }
}

#[test]
fn proofs_use_documented_formats() {
    let cases = [
        (
            "starts_with(http.request.uri.path, \"/\") or http.request.uri.path eq \"*\"",
            "true",
            "`http.request.uri.path` starts with",
        ),
        (
            "http.request.method in {\"get\" \"POST\"}",
            "http.request.method eq \"POST\"",
            "`http.request.method` is a single uppercase word",
        ),
        ("http.request.uri.path contains \"?\"", "http.host eq \"a b\"", "contains no `?`"),
        (
            "cf.bot_management.score ge 0",
            "cf.bot_management.score le 200",
            "`cf.bot_management.score` ranges from 0 to 99",
        ),
        ("has_key(http.request.headers, \"X-A\")", "http.host in {}", "has lowercase keys"),
        ("len(http.request.uri.path) ge 1", "true", "starts with `/`"),
        ("http.request.body.size lt 0", "http.host in {}", "`http.request.body.size` is at least 0"),
    ];
    for (a, b, words) in cases {
        let Verdict::Yes { assumptions } = compare(a, b) else { panic!("{a} {b}: {:?}", compare(a, b)) };
        assert!(
            assumptions.iter().any(|assumption| assumption.to_string().contains(words)),
            "{a} {b}: {assumptions:?}"
        );
    }
    // A value may be missing despite its format, and another value may satisfy the condition.
    for (a, b) in [
        ("cf.bot_management.score ge 0", "true"),
        ("not has_key(http.request.headers, \"X-A\")", "http.host in {}"),
        (
            "not ip.src.country matches \"^[A-Z0-9]*$\" and ip.src.country contains \"A\" or not ip.src.country matches \"^[A-Z0-9]*$\"",
            "http.host in {}",
        ),
    ] {
        assert!(matches!(compare(a, b), Verdict::No(_)), "{a} {b}: {:?}", compare(a, b));
    }
    let Verdict::No(found) = compare("http.request.uri.path contains \"ba\"", "http.request.uri.path contains \"b\"")
    else {
        panic!("they differ");
    };
    assert_eq!(found.record.get("http.request.uri.path"), Some(&Value::Text(b"/b".to_vec())));
}

/// Literals that contradict each other only for present values leave a missing value possible.
#[test]
fn value_contradiction_allows_missing_value() {
    let covering = "not http.referer contains \"a\" and not http.referer matches \"(?s)^[^a]*$\"";
    let a = format!("{covering} and (http.referer contains \"bb\" or not http.referer contains \"b\")");
    let b = format!("{covering} and http.referer contains \"bb\"");
    assert!(matches!(compare(&a, "http.host in {}"), Verdict::No(_)), "{:?}", compare(&a, "http.host in {}"));
    assert!(matches!(compare(&b, "http.host in {}"), Verdict::Yes { .. }));
}

#[test]
fn counterexample_gives_different_outcomes() {
    let cases = [
        ("http.host eq \"a\"", "http.host eq \"b\""),
        ("http.request.headers[\"x\"][0] ne \"a\"", "not http.request.headers[\"x\"][0] eq \"a\""),
        ("http.request.headers[\"x\"][2] eq \"a\"", "any(http.request.headers[\"x\"][*] eq \"a\")"),
        ("ip.src in $office", "ssl"),
        ("any(http.request.headers.names[*] contains \"a\")", "all(http.request.headers.names[*] contains \"a\")"),
        ("ip.src.asnum & 6", "ip.src.asnum & 2"),
        ("ip.geoip.country eq \"FR\"", "ip.src.country eq \"DE\""),
        ("http.host eq http.referer", "http.host ne http.referer"),
        ("url_decode(http.request.uri.path) eq \"/a\"", "url_decode(http.request.uri.path) eq \"/b\""),
        ("len(http.request.headers.names) gt 3", "ssl"),
        ("http.user_agent matches \"^[a-c]{3,5}x\"", "http.user_agent matches \"[a-c]{3,5}x\""),
    ];
    for (a, b) in cases {
        let Verdict::No(found) = compare(a, b) else { panic!("{a} {b}: {:?}", compare(a, b)) };
        assert_eq!(program(a).evaluate(&found.record), found.first_outcome, "{a}");
        assert_eq!(program(b).evaluate(&found.record), found.second_outcome, "{b}");
        assert!(matches!(
            (&found.first_outcome, &found.second_outcome),
            (Outcome::True, Outcome::False) | (Outcome::False, Outcome::True)
        ));
    }
}

#[test]
fn undecided_verdict_has_a_reason() {
    let cases = [
        ("http.request.uri eq \"/a?b\"", "http.request.uri eq \"/a?b\" and http.request.uri.path eq \"/a\"", "depend"),
        ("concat(http.host, \"x\") eq \"ax\"", "http.host eq \"a\"", "calls"),
        ("http.cookie matches \"(a|b)*a(a|b){18}\"", "http.cookie matches \"(a|b)*b(a|b){18}\"", ""),
    ];
    for (a, b, expected) in cases {
        match compare(a, b) {
            Verdict::Undecided(reason) => assert!(reason.contains(expected), "{a} {b}: {reason}"),
            other => assert!(expected.is_empty(), "{a} {b}: {other:?}"),
        }
    }
}

#[test]
fn small_budget_yields_undecided() {
    let (a, b) = (program("http.host matches \"^a+b\""), program("http.host matches \"^aa*b\""));
    assert!(matches!(equivalent(&a, &b, &Budget { steps: 10 }), Verdict::Undecided(_)));
    assert!(matches!(equivalent(&a, &b, &Budget::default()), Verdict::Yes { .. }));
}

#[test]
fn subsumes_depends_on_the_order_of_the_arguments() {
    let general = program("http.request.uri.path contains \"/admin\"");
    let special = program("http.request.uri.path wildcard r\"/admin/*\" and ssl and http.request.uri.path ne \"\"");
    // A wildcard is case-insensitive; `contains` is not.
    assert!(matches!(subsumes(&general, &special, &Budget::default()), Verdict::No(_)));
    let general = program("lower(http.request.uri.path) contains \"/admin\"");
    assert!(matches!(subsumes(&general, &special, &Budget::default()), Verdict::Yes { .. }));
    assert!(matches!(subsumes(&special, &general, &Budget::default()), Verdict::No(_)));
}

#[test]
fn satisfiable_expressions_have_a_witness() {
    let decide = |source: &str| check_satisfiability(&program(source), &Budget::default());
    assert!(matches!(decide("http.host eq \"a\" and http.host eq \"b\""), Satisfiability::Unsatisfiable { .. }));
    let Satisfiability::Satisfiable(record) =
        decide("http.host contains \"a\" and not http.host contains \"aa\" and ip.src in {10.0.0.0/8}")
    else {
        panic!("the expression is satisfiable");
    };
    assert!(record.get("http.host").is_some() && record.get("ip.src").is_some());
}

/// Returns the index and the proof of each rule that never fires. `+` marks a non-terminating rule, and `-` an
/// inactive rule.
fn unreachable_rules(sources: &[&str]) -> Vec<(usize, UnreachableReason)> {
    let rule = |source: &&str| match source.strip_prefix('-') {
        Some(_) => None,
        None => {
            Some(Rule { program: program(source.trim_start_matches('+')), is_terminating: !source.starts_with('+') })
        }
    };
    let verdicts = never_fires(sources.iter().map(rule).collect(), &Budget::default());
    let mut unreachable = Vec::new();
    for (index, verdict) in verdicts.enumerate() {
        match verdict {
            Some(Reachability::Unreachable { proof, .. }) => unreachable.push((index, proof)),
            Some(Reachability::Reachable(record)) => {
                assert_eq!(program(sources[index].trim_start_matches('+')).evaluate(&record), Outcome::True);
                for earlier in sources[..index].iter().filter(|source| !source.starts_with(['+', '-'])) {
                    assert_eq!(program(earlier).evaluate(&record), Outcome::False, "{earlier}");
                }
            }
            Some(Reachability::Undecided(reason)) => panic!("{}: {reason}", sources[index]),
            None => assert!(sources[index].starts_with('-')),
        }
    }
    unreachable
}

#[test]
fn unreachable_rules_have_a_reason() {
    let shadowed = |by: &[usize]| UnreachableReason::Shadowed { by: by.to_vec() };
    let sources = [
        "ip.src in {10.0.0.0/8}",
        "http.host eq \"a\"",
        "ip.src in {10.1.0.0/16} and ssl",
        "ip.src eq 10.0.0.1 or http.host in {\"a\"}",
        "http.host eq \"a\" and http.host eq \"b\"",
        "ssl",
        "not ssl",
        "true",
    ];
    let expected =
        [(2, shadowed(&[0])), (3, shadowed(&[0, 1])), (4, UnreachableReason::Unsatisfiable), (7, shadowed(&[5, 6]))];
    assert_eq!(unreachable_rules(&sources), expected);
    // A rule that is non-terminating or inactive covers nothing.
    assert_eq!(
        unreachable_rules(&["+ssl", "ssl", "+ssl", "ssl and http.host eq \"a\""]),
        [(2, shadowed(&[1])), (3, shadowed(&[1]))]
    );
    assert_eq!(unreachable_rules(&["-ssl", "ssl", "-http.hots", "ssl"]), [(3, shadowed(&[1]))]);
    assert_eq!(unreachable_rules(&[]), []);
    assert_eq!(
        unreachable_rules(&["not starts_with(http.request.uri.path, \"/\") and http.request.uri.path ne \"*\""]),
        [(0, UnreachableReason::Unsatisfiable)]
    );
}

#[test]
fn never_fires_decides_long_list_within_the_budget() {
    let numbered =
        |number: usize| format!("http.request.uri.path contains \"/part{number}/\" and not ip.src in $office");
    let mut sources: Vec<String> = (0..300).map(numbered).collect();
    sources.push("starts_with(http.request.uri.path, \"/a/part7/\") and not ip.src in $office".to_owned());
    let unreachable = unreachable_rules(&sources.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(unreachable, [(300, UnreachableReason::Shadowed { by: vec![7] })]);
}

#[test]
fn undecided_rule_has_a_reason() {
    let rules = |sources: &[&str]| {
        sources.iter().map(|source| Some(Rule { program: program(source), is_terminating: true })).collect()
    };
    let mut verdicts = never_fires(rules(&["ssl", "concat(http.host, \"x\") eq \"ax\"", "ssl"]), &Budget::default());
    assert!(matches!(verdicts.next(), Some(Some(Reachability::Reachable(_)))));
    let Some(Some(Reachability::Undecided(reason))) = verdicts.next() else { panic!("it is decided") };
    assert!(reason.contains("calls"), "{reason}");
    assert!(matches!(verdicts.next(), Some(Some(Reachability::Unreachable { .. }))));
    assert!(verdicts.next().is_none());
    let few = Budget { steps: 5 };
    assert!(
        never_fires(rules(&["http.host matches \"a+\"", "ssl"]), &few)
            .all(|verdict| matches!(verdict, Some(Reachability::Undecided(_))))
    );
}

#[test]
fn value_expressions_with_equal_keys_are_equivalent() {
    let value = |source: &str| check(source, &Options { kind: Kind::Value, ..Options::default() }).program.unwrap();
    let budget = Budget::default();
    let (left, right) = (value("lower(http.host)"), value("upper(http.host)"));
    assert!(matches!(equivalent(&left, &left, &budget), Verdict::Yes { .. }));
    assert!(matches!(equivalent(&left, &right, &budget), Verdict::Undecided(_)));
    assert!(matches!(equivalent(&left, &program("ssl"), &budget), Verdict::Undecided(_)));
}
