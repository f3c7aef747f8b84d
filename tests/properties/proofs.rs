//! What is said of all requests is true of each: answers about pairs of expressions, held against
//! records.

use crate::support::{config, options};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeMap;
use zonewright_equivalence::{Answer, Budget, Fate, Rule, Satisfiable, equivalent, never_fires, satisfiable, subsumes};
use zonewright_expression::{FormatOptions, Kind, Missing, Outcome, Program, Record, Style, Value, check, format};
use zonewright_tests::equivalence::{holds, is_assumed, shows};
use zonewright_tests::generate::Choices;
use zonewright_tests::generate_record::{filled, record};

/// Enough for most pairs; the tests are many.
const BUDGET: Budget = Budget { steps: 300_000 };
/// Records that each proof is held against.
const RECORDS: u8 = 12;

fn program(source: &str) -> Program {
    check(source, &options(Kind::Expression)).program.unwrap_or_else(|| panic!("{source}"))
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn answers_are_true_of_each_request(
        one in vec(any::<u8>(), 0..60),
        other in vec(any::<u8>(), 0..60),
        given in vec(any::<u8>(), 0..200),
    ) {
        let (a, b) = (Choices::new(&one).condition(3), Choices::new(&other).condition(3));
        // `true` and calls that may stand in an expression once do not fit into a larger one.
        let fits = check(&format!("({a}) and ({b}) and ({a}) and ({b})"), &options(Kind::Expression));
        prop_assume!(fits.program.is_some());
        let same = [
            (a.clone(), a.clone()),
            (a.clone(), format!("not (not ({a}))")),
            (format!("({a}) and ({b})"), format!("({b}) and ({a})")),
            (format!("not (({a}) or ({b}))"), format!("not ({a}) and not ({b})")),
            (format!("({a}) xor ({b})"), format!("(({a}) or ({b})) and not (({a}) and ({b}))")),
        ];
        for (a, b) in same {
            prop_assert!(!matches!(asked(&a, &b, &given)?, Answer::No(_)), "{a}\n{b}");
        }
        prop_assert!(matches!(asked(&a, &a, &given)?, Answer::Yes { .. }), "{a}");
        for style in [Style::Canonical, Style::Compact] {
            let formatted = format(&a, &FormatOptions { style, max_length: usize::MAX, ..FormatOptions::default() });
            let laid_out = formatted.text.unwrap();
            prop_assert!(matches!(asked(&a, &laid_out, &given)?, Answer::Yes { .. }), "{a}\n{laid_out}");
        }
        asked(&a, &b, &given)?;
        asked(&format!("({a}) or ({b})"), &format!("({a}) and ({b})"), &given)?;
        asked(&a, &format!("({a}) or ({b})"), &given)?;
    }
}

/// What is asked of few values, in many ways, so that the answers have to do with each other.
const ASKED: [&str; 69] = [
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

/// A condition over what is asked.
fn joined(choices: &mut Choices, depth: usize) -> String {
    match choices.below(if depth == 0 { 1 } else { 5 }) {
        0 => choices.of(&ASKED).to_owned(),
        1 => format!("not ({})", joined(choices, depth - 1)),
        _ => {
            let operands: Vec<String> =
                (0..2 + choices.below(3)).map(|_| format!("({})", joined(choices, depth - 1))).collect();
            operands.join(choices.of(&[" and ", " or ", " xor "]))
        }
    }
}

/// A record with small values.
fn small(choices: &mut Choices) -> Record {
    let mut record = Record::new(Missing::Absent);
    let text = |choices: &mut Choices| Value::Text(choices.of(&TEXTS).as_bytes().to_vec());
    let row = |choices: &mut Choices| Value::Array((0..choices.below(3)).map(|_| text(choices)).collect());
    for field in ["http.host", "http.referer"] {
        if choices.below(6) > 0 {
            record.set(field, text(choices)).unwrap();
        }
    }
    // Some of these are no path and no method.
    for (field, texts) in
        [("http.request.uri.path", ["/", "/a", "*", "/ab", "a"]), ("http.request.method", ["A", "b", "AB", "A", ""])]
    {
        if choices.below(6) > 0 {
            record.set(field, Value::Text(choices.of(&texts).as_bytes().to_vec())).unwrap();
        }
    }
    if choices.below(3) > 0 {
        record.set("cf.bot_management.score", Value::Integer(choices.below(6) as i64 - 1)).unwrap();
    }
    if choices.below(6) > 0 {
        record.set("ip.src.asnum", Value::Integer(choices.below(9) as i64 - 1)).unwrap();
        let former =
            if choices.below(4) > 0 { record.get("ip.src.asnum").cloned().unwrap() } else { Value::Integer(3) };
        record.set("ip.geoip.asnum", former).unwrap();
    }
    if choices.below(3) > 0 {
        record.set("cf.threat_score", Value::Integer(choices.below(3) as i64 * 6)).unwrap();
    }
    if choices.below(4) > 0 {
        let mut headers = BTreeMap::new();
        for name in ["x", "y", "X"] {
            if choices.below(4) > 1 {
                headers.insert(name.as_bytes().to_vec(), row(choices));
            }
        }
        record.set("http.request.headers", Value::Map(headers)).unwrap();
    }
    if choices.below(4) > 0 {
        record.set("http.request.headers.names", row(choices)).unwrap();
    }
    record
}

proptest! {
    #![proptest_config(config(1_000))]

    #[test]
    fn answers_about_few_values_are_true_of_each(
        one in vec(any::<u8>(), 0..30),
        other in vec(any::<u8>(), 0..30),
        given in vec(any::<u8>(), 500),
    ) {
        let (a, b) = (joined(&mut Choices::new(&one), 2), joined(&mut Choices::new(&other), 2));
        // The second is often a variant of the first.
        let b = match other.first() {
            Some(0..80) => format!("({a}) or ({b})"),
            Some(80..160) => format!("({a}) and ({b})"),
            _ => b,
        };
        let (one, other) = (program(&a), program(&b));
        let answer = equivalent(&one, &other, &BUDGET);
        if let Answer::No(found) = &answer {
            prop_assert_eq!(shows(&one, &other, found, true), Ok(()), "{}\n{}", a, b);
        }
        let mut choices = Choices::new(&given);
        for _ in 0..50 {
            let record = small(&mut choices);
            let Answer::Yes { assumptions } = &answer else { break };
            if assumptions.iter().all(|assumption| holds(*assumption, &record)) {
                let outcomes = (one.evaluate(&record), other.evaluate(&record));
                prop_assert_eq!(&outcomes.0, &outcomes.1, "{}\n{}\n{:?}", a, b, record.fields().collect::<Vec<_>>());
            }
        }
        let general = format!("({a}) or ({b})");
        let covers = subsumes(&program(&general), &one, &BUDGET);
        prop_assert!(!matches!(covers, Answer::No(_)), "{general}\n{a}");
        let can = satisfiable(&program(&format!("({a}) and not ({general})")), &BUDGET);
        prop_assert!(!matches!(can, Satisfiable::Yes(_)), "{general}\n{a}");
        if let Satisfiable::Yes(record) = satisfiable(&one, &BUDGET) {
            prop_assert_eq!(one.evaluate(&record), Outcome::True, "{}", a);
            prop_assert_eq!(is_assumed(&record), Ok(()), "{}", a);
        }
    }
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn rules_that_never_fire_do_not_fire(
        lists in vec((any::<bool>(), vec(any::<u8>(), 0..12)), 1..7),
        given in vec(any::<u8>(), 500),
    ) {
        let sources: Vec<String> = lists.iter().map(|(_, bytes)| joined(&mut Choices::new(bytes), 1)).collect();
        let programs: Vec<Program> = sources.iter().map(|source| program(source)).collect();
        let rules = programs.iter().zip(&lists);
        let rules = rules.map(|(program, (ends, _))| Some(Rule { program: program.clone(), ends: *ends })).collect();
        let fates: Vec<Fate> = never_fires(rules, &BUDGET).flatten().collect();
        prop_assert_eq!(fates.len(), lists.len());
        let fires = |place: usize, record: &Record| {
            let stopped = (0..place).any(|earlier| lists[earlier].0 && programs[earlier].evaluate(record) != Outcome::False);
            programs[place].evaluate(record) == Outcome::True && !stopped
        };
        let mut choices = Choices::new(&given);
        let records: Vec<Record> = (0..50).map(|_| small(&mut choices)).collect();
        for (place, fate) in fates.iter().enumerate() {
            match fate {
                Fate::Fires(record) => {
                    prop_assert!(fires(place, record), "{:?} {}", sources, place);
                    prop_assert_eq!(is_assumed(record), Ok(()), "{:?} {}", sources, place);
                }
                Fate::Never { assumptions, .. } => {
                    let holding = |record: &&Record| assumptions.iter().all(|one| holds(*one, record));
                    let shown = records.iter().filter(holding).find(|record| fires(place, record));
                    prop_assert!(shown.is_none(), "{:?} {} {:?}", sources, place, shown.map(|one| one.fields().collect::<Vec<_>>()));
                }
                Fate::Undecided(_) => {}
            }
        }
    }
}

/// The answer about two expressions, held against some records.
fn asked(a: &str, b: &str, given: &[u8]) -> Result<Answer, TestCaseError> {
    let (one, other) = (program(a), program(b));
    let answer = equivalent(&one, &other, &BUDGET);
    match &answer {
        Answer::Yes { assumptions } => {
            let both = program(&format!("({a}) and ({b})"));
            for number in 0..RECORDS {
                let choices: Vec<u8> =
                    given.iter().map(|choice| choice.wrapping_add(number.wrapping_mul(37))).collect();
                let mut choices = Choices::new(&choices);
                let partly = record(&both, &mut choices);
                let mut record = filled(&both, &partly, &mut choices);
                record.set_missing(Missing::Absent);
                let outcomes = (one.evaluate(&record), other.evaluate(&record));
                let known = !matches!(outcomes, (Outcome::Unknown { .. }, _) | (_, Outcome::Unknown { .. }));
                if known && assumptions.iter().all(|assumption| holds(*assumption, &record)) {
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
        Answer::No(found) => prop_assert_eq!(shows(&one, &other, found, true), Ok(()), "{}\n{}", a, b),
        Answer::Undecided(_) => {}
    }
    Ok(answer)
}
