//! Rewrites of log push filters: simplified, fixed and converted filters match the same lines.

use super::support::config;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use zonewright_diagnostic::apply_safe_fixes;
use zonewright_expression as rules;
use zonewright_logpush::{
    Comparison, Dataset, FieldType, FormatStyle, Number, Operand, Operator, Options, Program, Test, TestKind, check,
    from_expression, print, simplify, to_expression,
};
use zonewright_tests::generate::Choices;

/// Rounds of safe fixes after which the text is stable.
const MAX_FIX_ROUNDS: usize = 60;
/// Lines that two filters are compared on.
const LINE_COUNT: usize = 60;

const TEXTS: [&str; 9] = ["", "/", "/a", "/a/b", "/ab", "/b", "b", "GET", "de"];
const NUMBERS: [i64; 8] = [0, 1, 2, 3, 200, 404, 499, 500];
/// Seconds, and nanoseconds of the same and of other timestamps.
const TIMES: [i64; 8] = [
    0,
    1,
    2,
    1_700_000_000,
    1_700_000_001,
    1_700_000_000_000_000_000,
    1_700_000_000_000_000_001,
    1_600_000_000_500_000_000,
];
const TEXT_KEYS: [&str; 3] = ["ClientRequestPath", "ClientRequestUserAgent", "ClientCountry"];
const NUMBER_KEYS: [&str; 2] = ["EdgeResponseStatus", "BotScore"];

proptest! {
    #![proptest_config(config(512))]

    #[test]
    fn simplified_filters_match_the_same_lines(choices in vec(any::<u8>(), 0..120), lines in vec(any::<u8>(), LINE_COUNT * 6)) {
        let text = filter(&mut Choices::new(&choices), true);
        let original = program(&text);
        let short = print(&simplify(&original), FormatStyle::Compact);
        let simplified = program(&short);
        prop_assert!(short.len() <= text.len(), "{text}\n{short}");
        prop_assert!(count_conditions(simplified.test()) <= count_conditions(original.test()), "{text}\n{short}");
        assert_same_matches(&original, &simplified, &lines)?;
    }

    #[test]
    fn safe_fixes_of_filter_lints_preserve_matches(choices in vec(any::<u8>(), 0..120), lines in vec(any::<u8>(), LINE_COUNT * 6)) {
        let text = filter(&mut Choices::new(&choices), true);
        let options = Options { lint: Some(rules::LintOptions::default()), ..unlimited() };
        let mut fixed = text.clone();
        let mut rounds = 0;
        while let Some(next) = apply_safe_fixes(&fixed, &check(&fixed, &options).diagnostics) {
            fixed = next;
            rounds += 1;
            prop_assert!(rounds < MAX_FIX_ROUNDS, "{text}\n{fixed}");
        }
        assert_same_matches(&program(&text), &program(&fixed), &lines)?;
    }

    #[test]
    fn filter_to_expression_conversion_round_trips(choices in vec(any::<u8>(), 0..120), lines in vec(any::<u8>(), LINE_COUNT * 6)) {
        let text = filter(&mut Choices::new(&choices), false);
        let original = program(&text);
        let converted = to_expression(&original);
        prop_assert_eq!(converted.text.is_none(), !converted.losses.is_empty());
        let Some(expression) = converted.text else { return Ok(()) };
        let read = rules::check(&expression, &rules::Options::default());
        let restored = from_expression(&read.program.unwrap(), Dataset::http_requests());
        prop_assert!(restored.losses.is_empty(), "{expression}\n{:?}", restored.losses);
        assert_same_matches(&original, &program(&restored.text.unwrap()), &lines)?;
    }
}

fn unlimited() -> Options {
    Options { max_operators: usize::MAX, max_bytes: usize::MAX, ..Options::default() }
}

fn program(text: &str) -> Program {
    let checked = check(text, &unlimited());
    checked.program.unwrap_or_else(|| panic!("{text}\n{:?}", checked.diagnostics))
}

fn assert_same_matches(before: &Program, after: &Program, lines: &[u8]) -> Result<(), TestCaseError> {
    for bytes in lines.chunks(6) {
        let line = line(bytes);
        let (left, right) = (matches_line(before.test(), &line), matches_line(after.test(), &line));
        let to_text = |program: &Program| print(&program.filter().condition, FormatStyle::Compact);
        prop_assert_eq!(left, right, "{:?}\n{}\n{}", line, to_text(before), to_text(after));
    }
    Ok(())
}

fn count_conditions(test: &Test) -> usize {
    match &test.kind {
        TestKind::All(tests) | TestKind::Any(tests) => tests.iter().map(count_conditions).sum(),
        TestKind::Comparison(_) => 1,
    }
}

/// A filter whose conditions overlap.
fn filter(choices: &mut Choices<'_>, all_types: bool) -> String {
    json!({ "where": node(choices, 4, all_types) }).to_string()
}

fn node(choices: &mut Choices<'_>, depth: usize, all_types: bool) -> Value {
    let connective = choices.pick(&["", "", "and", "or"]);
    if depth == 0 || connective.is_empty() && depth < 4 {
        return condition(choices, all_types);
    }
    let connective = if connective.is_empty() { "and" } else { connective };
    let count = choices.pick(&[1, 2, 3, 4]);
    json!({ connective: (0..count).map(|_| node(choices, depth - 1, all_types)).collect::<Vec<_>>() })
}

fn condition(choices: &mut Choices<'_>, all_types: bool) -> Value {
    let (key, operator, value) = match choices.pick(&[0, 0, 1, 1, 2, 3, 4, 5]) {
        2 if all_types => ("CacheReserveUsed", choices.pick(&["eq", "!eq"]), json!(choices.pick(&[true, false]))),
        3 if all_types => {
            ("SecurityActions", choices.pick(&["contains", "!contains"]), json!(choices.pick(&["a", "b"])))
        }
        4 if all_types => {
            let operator = choices.pick(&["lt", "leq", "gt", "geq", "eq", "!eq"]);
            ("EdgeResponseCompressionRatio", operator, json!(choices.pick(&[0.0, 1.0, 1.5, 2.0])))
        }
        5 if all_types => {
            let operator = choices.pick(&["eq", "!eq", "lt", "leq", "gt", "geq", "in", "!in"]);
            ("EdgeStartTimestamp", operator, operand_value(choices, operator, &TIMES.map(|time| json!(time))))
        }
        1 => {
            let operator = choices.pick(&["eq", "!eq", "lt", "leq", "gt", "geq", "in", "!in"]);
            let value = operand_value(choices, operator, &NUMBERS.map(|number| json!(number)));
            (choices.pick(&NUMBER_KEYS), operator, value)
        }
        _ => {
            let operators = [
                "eq",
                "!eq",
                "in",
                "!in",
                "startsWith",
                "!startsWith",
                "endsWith",
                "!endsWith",
                "contains",
                "!contains",
            ];
            let operator = choices.pick(&operators);
            (choices.pick(&TEXT_KEYS), operator, operand_value(choices, operator, &TEXTS.map(|text| json!(text))))
        }
    };
    json!({ "key": key, "operator": operator, "value": value })
}

fn operand_value(choices: &mut Choices<'_>, operator: &str, values: &[Value]) -> Value {
    if !operator.ends_with("in") {
        return values[choices.index_below(values.len())].clone();
    }
    let count = choices.pick(&[1, 2, 3, 5]);
    (0..count).map(|_| values[choices.index_below(values.len())].clone()).collect()
}

fn line(bytes: &[u8]) -> BTreeMap<&'static str, Value> {
    let mut choices = Choices::new(bytes);
    let mut line = BTreeMap::new();
    for key in TEXT_KEYS {
        line.insert(key, json!(choices.pick(&TEXTS)));
    }
    for key in NUMBER_KEYS {
        line.insert(key, json!(choices.pick(&[0, 1, 2, 3, 4, 199, 200, 404, 498, 499, 500, 501])));
    }
    let rest = bytes.last().copied().unwrap_or_default();
    line.insert("EdgeStartTimestamp", json!(nanoseconds(TIMES[usize::from(rest >> 2 & 7)])));
    line.insert("CacheReserveUsed", json!(rest & 1 == 0));
    line.insert("EdgeResponseCompressionRatio", json!(f64::from(rest >> 5) / 2.0));
    let actions: &[&str] = [&[][..], &["a"], &["b"], &["a", "b"]][usize::from(rest >> 1 & 3)];
    line.insert("SecurityActions", json!(actions));
    line
}

/// Evaluates the operators by their definitions, one value at a time.
fn matches_line(test: &Test, line: &BTreeMap<&'static str, Value>) -> bool {
    match &test.kind {
        TestKind::All(tests) => tests.iter().all(|test| matches_line(test, line)),
        TestKind::Any(tests) => tests.iter().any(|test| matches_line(test, line)),
        TestKind::Comparison(Comparison { field, operator, operand, .. }) => {
            let value = line.get(field.name).cloned().unwrap_or(json!(""));
            let is_time = field.ty == FieldType::Timestamp;
            let moment = |operand: &Operand| match operand {
                Operand::Number(number) if is_time => Operand::Number(normalize_time(*number)),
                other => other.clone(),
            };
            let operand = match operand {
                Operand::Items(items) => Operand::Items(items.iter().map(moment).collect()),
                operand => moment(operand),
            };
            holds(operator.without_negation(), &value, &operand) != operator.is_negated()
        }
    }
}

fn normalize_time(number: Number) -> Number {
    match number {
        Number::Integer(whole) if whole.abs() < 1_000_000_000_000 => Number::Integer(whole * 1_000_000_000),
        other => other,
    }
}

/// A timestamp of `TIMES` in nanoseconds.
fn nanoseconds(time: i64) -> i64 {
    if time < 1_000_000_000_000 { time * 1_000_000_000 } else { time }
}

fn holds(operator: Operator, value: &Value, operand: &Operand) -> bool {
    let number = |value: &Value| Number::parse(&value.to_string());
    match (operand, value) {
        (Operand::Items(items), _) => items.iter().any(|item| holds(Operator::Equal, value, item)),
        (Operand::String(text), Value::Array(items)) => items.iter().any(|item| item == text),
        (Operand::String(part), Value::String(text)) => match operator {
            Operator::StartsWith => text.starts_with(part),
            Operator::EndsWith => text.ends_with(part),
            Operator::Contains => text.contains(part),
            _ => text == part,
        },
        (Operand::Number(limit), _) => number(value).is_some_and(|number| match operator {
            Operator::Less => number < *limit,
            Operator::LessOrEqual => number <= *limit,
            Operator::Greater => number > *limit,
            Operator::GreaterOrEqual => number >= *limit,
            _ => number == *limit,
        }),
        (Operand::Bool(flag), _) => value == flag,
        _ => false,
    }
}
