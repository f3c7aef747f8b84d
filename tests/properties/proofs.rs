//! Proofs: their results are compared with the results of evaluation for sample records.

use crate::support::{config, options};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeMap;
use zonewright_equivalence::{
    Budget, Reachability, Rule, Satisfiability, Verdict, check_satisfiability, equivalent, never_fires, subsumes,
};
use zonewright_expression::{
    FormatOptions, FormatStyle, Kind, MissingPolicy, Outcome, Program, Record, Value, check, format,
};
use zonewright_tests::equivalence::{check_assumptions, is_satisfied, verify_counterexample};
use zonewright_tests::generate::Choices;
use zonewright_tests::generate_record::{fill_missing_fields, generate_record};

/// The budget of a proof: enough for most pairs, and small enough for the large number of cases.
const STEP_BUDGET: Budget = Budget { steps: 300_000 };
/// Records that each proof is checked against.
const RECORDS_PER_PROOF: u8 = 12;

fn program(source: &str) -> Program {
    check(source, &options(Kind::Expression)).program.unwrap_or_else(|| panic!("{source}"))
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn proof_holds_for_each_record(
        first in vec(any::<u8>(), 0..60),
        other in vec(any::<u8>(), 0..60),
        choices in vec(any::<u8>(), 0..200),
    ) {
        let (a, b) = (Choices::new(&first).condition(3), Choices::new(&other).condition(3));
        // `true` and functions that an expression may call only once are invalid in a larger expression.
        let combined = check(&format!("({a}) and ({b}) and ({a}) and ({b})"), &options(Kind::Expression));
        prop_assume!(combined.program.is_some());
        let equivalent_pairs = [
            (a.clone(), a.clone()),
            (a.clone(), format!("not (not ({a}))")),
            (format!("({a}) and ({b})"), format!("({b}) and ({a})")),
            (format!("not (({a}) or ({b}))"), format!("not ({a}) and not ({b})")),
            (format!("({a}) xor ({b})"), format!("(({a}) or ({b})) and not (({a}) and ({b}))")),
        ];
        for (a, b) in equivalent_pairs {
            prop_assert!(!matches!(decide(&a, &b, &choices)?, Verdict::No(_)), "{a}\n{b}");
        }
        prop_assert!(matches!(decide(&a, &a, &choices)?, Verdict::Yes { .. }), "{a}");
        for style in [FormatStyle::Canonical, FormatStyle::Compact] {
            let output = format(&a, &FormatOptions { style, max_length: usize::MAX, ..FormatOptions::default() });
            let formatted = output.text.unwrap();
            prop_assert!(matches!(decide(&a, &formatted, &choices)?, Verdict::Yes { .. }), "{a}\n{formatted}");
        }
        decide(&a, &b, &choices)?;
        decide(&format!("({a}) or ({b})"), &format!("({a}) and ({b})"), &choices)?;
        decide(&a, &format!("({a}) or ({b})"), &choices)?;
    }
}

/// Atoms over few values, so that the results depend on each other.
const ATOMS: [&str; 69] = [
    "http.host eq \"a\"",
    "http.host ne \"a\"",
    "http.host in {\"a\" \"ab\" \"B\"}",
    "http.host in {\"\" \"b\"}",
    "http.host contains \"a\"",
    "http.host contains \"ab\"",
    "http.host contains \"b\"",
    "starts_with(http.host, \"a\")",
    "ends_with(http.host, \"b\")",
    "http.host wildcard \"a*\"",
    "http.host strict wildcard \"a*b\"",
    "http.host wildcard \"*b*a*\"",
    "http.host matches \"^a+$\"",
    "http.host matches \"^(a|b)*$\"",
    "http.host matches \"a.\"",
    "http.host matches \"(?i)^b\"",
    "http.host lt \"ab\"",
    "http.host ge \"b\"",
    "http.host le \"a\"",
    "lower(http.host) eq \"ab\"",
    "lower(http.host) contains \"b\"",
    "upper(http.host) in {\"AB\" \"B\"}",
    "lower(http.host) lt \"b\"",
    "len(http.host) gt 1",
    "len(http.host) in {0 2}",
    "ip.src.asnum eq 3",
    "ip.src.asnum ne 3",
    "ip.src.asnum lt 3",
    "ip.src.asnum in {1..4 6}",
    "ip.src.asnum & 1",
    "ip.src.asnum & 6",
    "ip.src.asnum & 4",
    "http.request.headers[\"x\"][0] eq \"a\"",
    "http.request.headers[\"x\"][0] ne \"a\"",
    "http.request.headers[\"x\"][1] contains \"\"",
    "has_key(http.request.headers, \"x\")",
    "any(http.request.headers[\"x\"][*] eq \"a\")",
    "all(http.request.headers[\"x\"][*] eq \"a\")",
    "all(starts_with(http.request.headers[\"x\"][*], \"a\"))",
    "any(http.request.headers.names[*] eq \"a\")",
    "any((http.request.headers.names[*] contains \"b\" or http.request.headers.names[*] eq \"a\"))",
    "all(http.request.headers.names[*] contains \"a\")",
    "all(not http.request.headers.names[*] in {\"a\" \"ab\"})",
    "any(lower(http.request.headers.names[*])[*] eq \"ab\")",
    "has_value(http.request.headers.names, \"ab\")",
    "http.host eq http.referer",
    "http.referer ne http.host",
    "http.referer gt http.host",
    "http.request.uri.path eq \"/a\"",
    "http.request.uri.path contains \"a\"",
    "starts_with(http.request.uri.path, \"/\")",
    "http.request.method in {\"A\" \"b\"}",
    "cf.bot_management.score lt 0",
    "cf.bot_management.score ge 2",
    "cf.threat_score ge 6",
    "cf.threat_score lt 1",
    "len(http.request.headers[\"x\"]) eq 0",
    "len(http.request.headers[\"x\"]) lt 2",
    "len(http.request.headers.names) & 3",
    "len(http.host) & -1",
    "len(http.host) & 2",
    "has_key(http.request.headers, \"X\")",
    "any(http.request.headers[*][0] eq \"a\")",
    "any(not http.request.headers[*][0] eq \"a\")",
    "all(http.request.headers[*][1] contains \"a\")",
    "any(http.request.headers[*][*] eq \"a\")",
    "all(http.request.headers[*][*] ne \"b\")",
    "ip.geoip.asnum lt 3",
    "ip.geoip.asnum in {3 5}",
];
const TEXTS: [&str; 16] =
    ["", "a", "b", "A", "B", "aa", "ab", "aB", "ba", "Ab", "BB", "aab", "aba", "bab", "abb", "\n"];

/// A condition over the atoms.
fn random_condition(choices: &mut Choices, depth: usize) -> String {
    match choices.index_below(if depth == 0 { 1 } else { 5 }) {
        0 => choices.pick(&ATOMS).to_owned(),
        1 => format!("not ({})", random_condition(choices, depth - 1)),
        _ => {
            let operands: Vec<String> = (0..2 + choices.index_below(3))
                .map(|_| format!("({})", random_condition(choices, depth - 1)))
                .collect();
            operands.join(choices.pick(&[" and ", " or ", " xor "]))
        }
    }
}

/// A record with small values.
fn small_record(choices: &mut Choices) -> Record {
    let mut record = Record::new(MissingPolicy::Absent);
    let text = |choices: &mut Choices| Value::Text(choices.pick(&TEXTS).as_bytes().to_vec());
    let row = |choices: &mut Choices| Value::Array((0..choices.index_below(3)).map(|_| text(choices)).collect());
    for field in ["http.host", "http.referer"] {
        if choices.index_below(6) > 0 {
            record.set(field, text(choices)).unwrap();
        }
    }
    // Some of these are neither a path nor a method.
    for (field, texts) in
        [("http.request.uri.path", ["/", "/a", "*", "/ab", "a"]), ("http.request.method", ["A", "b", "AB", "A", ""])]
    {
        if choices.index_below(6) > 0 {
            record.set(field, Value::Text(choices.pick(&texts).as_bytes().to_vec())).unwrap();
        }
    }
    if choices.index_below(3) > 0 {
        record.set("cf.bot_management.score", Value::Integer(choices.index_below(6) as i64 - 1)).unwrap();
    }
    if choices.index_below(6) > 0 {
        record.set("ip.src.asnum", Value::Integer(choices.index_below(9) as i64 - 1)).unwrap();
        let former =
            if choices.index_below(4) > 0 { record.get("ip.src.asnum").cloned().unwrap() } else { Value::Integer(3) };
        record.set("ip.geoip.asnum", former).unwrap();
    }
    if choices.index_below(3) > 0 {
        record.set("cf.threat_score", Value::Integer(choices.index_below(3) as i64 * 6)).unwrap();
    }
    if choices.index_below(4) > 0 {
        let mut headers = BTreeMap::new();
        for name in ["x", "y", "X"] {
            if choices.index_below(4) > 1 {
                headers.insert(name.as_bytes().to_vec(), row(choices));
            }
        }
        record.set("http.request.headers", Value::Map(headers)).unwrap();
    }
    if choices.index_below(4) > 0 {
        record.set("http.request.headers.names", row(choices)).unwrap();
    }
    record
}

proptest! {
    #![proptest_config(config(1_000))]

    #[test]
    fn proof_about_few_values_holds_for_each_record(
        first in vec(any::<u8>(), 0..30),
        other in vec(any::<u8>(), 0..30),
        choices in vec(any::<u8>(), 500),
    ) {
        let (a, b) = (random_condition(&mut Choices::new(&first), 2), random_condition(&mut Choices::new(&other), 2));
        // The second is often a variant of the first.
        let b = match other.first() {
            Some(0..80) => format!("({a}) or ({b})"),
            Some(80..160) => format!("({a}) and ({b})"),
            _ => b,
        };
        let (first, second) = (program(&a), program(&b));
        let verdict = equivalent(&first, &second, &STEP_BUDGET);
        if let Verdict::No(counterexample) = &verdict {
            prop_assert_eq!(verify_counterexample(&first, &second, counterexample, true), Ok(()), "{}\n{}", a, b);
        }
        let mut choices = Choices::new(&choices);
        for _ in 0..50 {
            let record = small_record(&mut choices);
            let Verdict::Yes { assumptions } = &verdict else { break };
            if assumptions.iter().all(|assumption| is_satisfied(*assumption, &record)) {
                let outcomes = (first.evaluate(&record), second.evaluate(&record));
                prop_assert_eq!(&outcomes.0, &outcomes.1, "{}\n{}\n{:?}", a, b, record.fields().collect::<Vec<_>>());
            }
        }
        let general = format!("({a}) or ({b})");
        let subsumption = subsumes(&program(&general), &first, &STEP_BUDGET);
        prop_assert!(!matches!(subsumption, Verdict::No(_)), "{general}\n{a}");
        let satisfiability = check_satisfiability(&program(&format!("({a}) and not ({general})")), &STEP_BUDGET);
        prop_assert!(!matches!(satisfiability, Satisfiability::Satisfiable(_)), "{general}\n{a}");
        if let Satisfiability::Satisfiable(record) = check_satisfiability(&first, &STEP_BUDGET) {
            prop_assert_eq!(first.evaluate(&record), Outcome::True, "{}", a);
            prop_assert_eq!(check_assumptions(&record), Ok(()), "{}", a);
        }
    }
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn unreachable_rule_fires_for_no_record(
        lists in vec((any::<bool>(), vec(any::<u8>(), 0..12)), 1..7),
        choices in vec(any::<u8>(), 500),
    ) {
        let sources: Vec<String> = lists.iter().map(|(_, bytes)| random_condition(&mut Choices::new(bytes), 1)).collect();
        let programs: Vec<Program> = sources.iter().map(|source| program(source)).collect();
        let rules = programs.iter().zip(&lists);
        let rules = rules.map(|(program, (ends, _))| Some(Rule { program: program.clone(), is_terminating: *ends })).collect();
        let verdicts: Vec<Reachability> = never_fires(rules, &STEP_BUDGET).flatten().collect();
        prop_assert_eq!(verdicts.len(), lists.len());
        let fires = |index: usize, record: &Record| {
            let is_stopped = (0..index).any(|earlier| lists[earlier].0 && programs[earlier].evaluate(record) != Outcome::False);
            programs[index].evaluate(record) == Outcome::True && !is_stopped
        };
        let mut choices = Choices::new(&choices);
        let records: Vec<Record> = (0..50).map(|_| small_record(&mut choices)).collect();
        for (index, verdict) in verdicts.iter().enumerate() {
            match verdict {
                Reachability::Reachable(record) => {
                    prop_assert!(fires(index, record), "{:?} {}", sources, index);
                    prop_assert_eq!(check_assumptions(record), Ok(()), "{:?} {}", sources, index);
                }
                Reachability::Unreachable { assumptions, .. } => {
                    let satisfies_assumptions = |record: &&Record| assumptions.iter().all(|assumption| is_satisfied(*assumption, record));
                    let counterexample = records.iter().filter(satisfies_assumptions).find(|record| fires(index, record));
                    prop_assert!(counterexample.is_none(), "{:?} {} {:?}", sources, index, counterexample.map(|record| record.fields().collect::<Vec<_>>()));
                }
                Reachability::Undecided(_) => {}
            }
        }
    }
}

/// Decides whether two expressions are equivalent, and checks the result against records.
fn decide(a: &str, b: &str, choices: &[u8]) -> Result<Verdict, TestCaseError> {
    let (first, second) = (program(a), program(b));
    let verdict = equivalent(&first, &second, &STEP_BUDGET);
    match &verdict {
        Verdict::Yes { assumptions } => {
            let both = program(&format!("({a}) and ({b})"));
            for number in 0..RECORDS_PER_PROOF {
                let choices: Vec<u8> =
                    choices.iter().map(|choice| choice.wrapping_add(number.wrapping_mul(37))).collect();
                let mut choices = Choices::new(&choices);
                let partial_record = generate_record(&both, &mut choices);
                let mut record = fill_missing_fields(&both, &partial_record, &mut choices);
                record.set_missing_policy(MissingPolicy::Absent);
                let outcomes = (first.evaluate(&record), second.evaluate(&record));
                let is_known = !matches!(outcomes, (Outcome::Unknown { .. }, _) | (_, Outcome::Unknown { .. }));
                if is_known && assumptions.iter().all(|assumption| is_satisfied(*assumption, &record)) {
                    prop_assert_eq!(
                        &outcomes.0,
                        &outcomes.1,
                        "{}\n{}\n{:?}",
                        a,
                        b,
                        record.fields().collect::<Vec<_>>()
                    );
                }
            }
        }
        Verdict::No(counterexample) => {
            prop_assert_eq!(verify_counterexample(&first, &second, counterexample, true), Ok(()), "{}\n{}", a, b)
        }
        Verdict::Undecided(_) => {}
    }
    Ok(verdict)
}
