//! What the answers carry besides yes and no. The language's cases are in `tests/spec`.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail")]

use zonewright_equivalence::{
    Answer, Assumption, Budget, Dead, Proof, Satisfiable, equivalent, never_fires, satisfiable, subsumes,
};
use zonewright_expression::{Kind, Options, Outcome, Program, check};

fn program(source: &str) -> Program {
    let options = Options { max_length: usize::MAX, ..Options::default() };
    let checked = check(source, &options);
    checked.program.unwrap_or_else(|| panic!("{source}: {:?}", checked.diagnostics))
}

fn same(a: &str, b: &str) -> Answer {
    equivalent(&program(a), &program(b), &Budget::default())
}

#[test]
fn a_proof_says_what_it_takes_for_granted() {
    let method = Assumption::Present("http.request.method");
    let country = Assumption::Same { older: "ip.geoip.country", current: "ip.src.country" };
    let cases: [(&str, &str, &[Assumption]); 6] = [
        ("ssl", "(ssl)", &[]),
        ("http.request.method ne \"GET\"", "not http.request.method eq \"GET\"", &[method]),
        ("ip.geoip.country eq \"FR\"", "ip.src.country eq \"FR\"", &[country]),
        ("ip.geoip.country eq \"FR\"", "ip.geoip.country in {\"FR\"}", &[]),
        ("http.request.method eq \"GET\"", "http.request.method in {\"GET\"}", &[]),
        ("len(http.request.method) ge 0", "true", &[method]),
    ];
    for (a, b, expected) in cases {
        match same(a, b) {
            Answer::Yes { assumptions } => assert_eq!(assumptions, expected, "{a} {b}"),
            other => panic!("{a} {b}: {other:?}"),
        }
    }
}

#[test]
fn a_counterexample_shows_the_difference() {
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
        let Answer::No(found) = same(a, b) else { panic!("{a} {b}: {:?}", same(a, b)) };
        assert_eq!(program(a).evaluate(&found.record), found.first, "{a}");
        assert_eq!(program(b).evaluate(&found.record), found.second, "{b}");
        assert!(matches!(
            (&found.first, &found.second),
            (Outcome::True, Outcome::False) | (Outcome::False, Outcome::True)
        ));
    }
}

#[test]
fn an_undecided_question_says_why() {
    let cases = [
        ("http.request.uri eq \"/a?b\"", "http.request.uri eq \"/a?b\" and http.request.uri.path eq \"/a\"", "depend"),
        ("concat(http.host, \"x\") eq \"ax\"", "http.host eq \"a\"", "calls"),
        ("http.cookie matches \"(a|b)*a(a|b){18}\"", "http.cookie matches \"(a|b)*b(a|b){18}\"", ""),
    ];
    for (a, b, why) in cases {
        match same(a, b) {
            Answer::Undecided(reason) => assert!(reason.contains(why), "{a} {b}: {reason}"),
            other => assert!(why.is_empty(), "{a} {b}: {other:?}"),
        }
    }
}

#[test]
fn a_small_budget_gives_no_answer_rather_than_a_wrong_one() {
    let (a, b) = (program("http.host matches \"^a+b\""), program("http.host matches \"^aa*b\""));
    assert!(matches!(equivalent(&a, &b, &Budget { steps: 10 }), Answer::Undecided(_)));
    assert!(matches!(equivalent(&a, &b, &Budget::default()), Answer::Yes { .. }));
}

#[test]
fn general_and_special() {
    let general = program("http.request.uri.path contains \"/admin\"");
    let special = program("http.request.uri.path wildcard r\"/admin/*\" and ssl and http.request.uri.path ne \"\"");
    // A wildcard folds, `contains` does not.
    assert!(matches!(subsumes(&general, &special, &Budget::default()), Answer::No(_)));
    let general = program("lower(http.request.uri.path) contains \"/admin\"");
    assert!(matches!(subsumes(&general, &special, &Budget::default()), Answer::Yes { .. }));
    assert!(matches!(subsumes(&special, &general, &Budget::default()), Answer::No(_)));
}

#[test]
fn what_can_be_true() {
    let can = |source: &str| satisfiable(&program(source), &Budget::default());
    assert!(matches!(can("http.host eq \"a\" and http.host eq \"b\""), Satisfiable::Never { .. }));
    let Satisfiable::Yes(record) =
        can("http.host contains \"a\" and not http.host contains \"aa\" and ip.src in {10.0.0.0/8}")
    else {
        panic!("it can");
    };
    assert!(record.get("http.host").is_some() && record.get("ip.src").is_some());
}

#[test]
fn rules_that_never_fire() {
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
    let programs: Vec<Program> = sources.iter().map(|source| program(source)).collect();
    let dead = never_fires(&programs.iter().collect::<Vec<_>>(), &Budget::default());
    let found: Vec<(usize, Proof)> = dead.into_iter().map(|Dead { rule, proof, .. }| (rule, proof)).collect();
    let covered = |by: &[usize]| Proof::Covered { by: by.to_vec() };
    assert_eq!(found, [(2, covered(&[0])), (3, covered(&[0, 1])), (4, Proof::NeverTrue), (7, covered(&[5, 6]))]);
}

#[test]
fn value_expressions_are_compared_by_form() {
    let value = |source: &str| check(source, &Options { kind: Kind::Value, ..Options::default() }).program.unwrap();
    let budget = Budget::default();
    let (one, other) = (value("lower(http.host)"), value("upper(http.host)"));
    assert!(matches!(equivalent(&one, &one, &budget), Answer::Yes { .. }));
    assert!(matches!(equivalent(&one, &other, &budget), Answer::Undecided(_)));
    assert!(matches!(equivalent(&one, &program("ssl"), &budget), Answer::Undecided(_)));
}
