//! Benchmarks the filtering of NDJSON against `jq`, a walk over a `serde_json::Value`, and a serde visitor that reads
//! only the needed members.
//!
//! Run `cargo bench -p zonewright-logpush --bench evaluate`; only ratios within one run are meaningful. Every contender
//! reads the file, evaluates each line, and writes the matching lines to `/dev/null`. Each figure is the fastest of
//! several rounds, in which the contenders alternate; `jq` runs after them, in fewer rounds. `jq` comes from Debian
//! (`apt-get install jq`); without it, its column is empty.

#![allow(clippy::panic, clippy::unwrap_used, clippy::indexing_slicing, reason = "a benchmark may fail")]

use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
use std::{
    collections::HashMap,
    fmt::Write as _,
    fs::File,
    io::{BufWriter, Read as _, Write as _},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Instant,
};
use zonewright_logpush::{MissingPolicy, Operand, Operator, Options, Outcome, Program, Test, TestKind, check};

const LINE_COUNT: usize = 20_000;
const ROUND_COUNT: usize = 7;
/// `jq` is slow, so it runs fewer rounds.
const JQ_ROUND_COUNT: usize = 2;

/// The members of a line, with placeholders: `‹number›`, `‹hex›`, `‹thousand›`, or random choices such as `‹a|b›`.
const MEMBERS: &str = include_str!("http_requests.txt");

fn main() {
    let path = std::env::temp_dir().join(format!("zonewright-bench-{}.ndjson", std::process::id()));
    let text = generate_lines();
    std::fs::write(&path, &text).unwrap();
    println!("{LINE_COUNT} lines of {} bytes with {} members", text.len() / LINE_COUNT, MEMBERS.lines().count());
    println!("{:<16}{:>9}{:>12}{:>14}{:>14}{:>14}", "", "matches", "lines/s", "÷ jq", "÷ Value walk", "÷ visitor");
    for (name, conditions) in [("1 condition", 1), ("5 conditions", 5), ("30 conditions", 30)] {
        println!("{}", measure(name, &path, conditions));
    }
    std::fs::remove_file(&path).unwrap();
}

/// Measures one filter, and returns its row of the table.
fn measure(name: &str, path: &Path, conditions: usize) -> String {
    let (filter, jq) = build_filters(conditions);
    let options = Options { max_bytes: usize::MAX, ..Options::default() };
    let checked = check(&filter, &options);
    let program = checked.program.unwrap_or_else(|| panic!("{filter}: {:?}", checked.diagnostics));
    let mut best = [f64::MAX; 4];
    let mut delivered = [0; 4];
    for _ in 0..ROUND_COUNT {
        for (contender, run) in [run_compiled_filter, run_value_walk, run_visitor].into_iter().enumerate() {
            let start = Instant::now();
            delivered[contender] = run(path, &program);
            best[contender] = best[contender].min(start.elapsed().as_secs_f64());
        }
    }
    for _ in 0..JQ_ROUND_COUNT {
        let start = Instant::now();
        let Some(lines) = run_jq(path, &jq) else { break };
        delivered[3] = lines;
        best[3] = best[3].min(start.elapsed().as_secs_f64());
    }
    assert!(
        delivered[1] == delivered[0]
            && delivered[2] == delivered[0]
            && (delivered[3] == delivered[0] || best[3] == f64::MAX),
        "{delivered:?}"
    );
    let ratio = |contender: usize| {
        if best[contender] == f64::MAX { String::new() } else { format!("{:.1}", best[contender] / best[0]) }
    };
    let speed = LINE_COUNT as f64 / best[0];
    format!("{name:<16}{:>9}{speed:>12.0}{:>14}{:>14}{:>14}", delivered[0], ratio(3), ratio(1), ratio(2))
}

/// Generates the log lines.
fn generate_lines() -> String {
    let mut seed = 7_u64;
    let mut random = move |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let mut text = String::new();
    for number in 0..LINE_COUNT {
        text.push('{');
        for (index, member) in MEMBERS.lines().enumerate() {
            if index > 0 {
                text.push(',');
            }
            let mut rest = member;
            while let Some((before, choice)) = rest.split_once('‹') {
                let (choice, after) = choice.split_once('›').unwrap();
                text.push_str(before);
                match choice {
                    "number" => write!(text, "{number}").unwrap(),
                    "hex" => (0..4).for_each(|_| write!(text, "{:04x}", random(65536)).unwrap()),
                    "thousand" => write!(text, "{}", random(1000)).unwrap(),
                    choices => {
                        let choices: Vec<_> = choices.split('|').collect();
                        text.push_str(choices[random(choices.len())]);
                    }
                }
                rest = after;
            }
            text.push_str(rest);
        }
        text.push_str("}\n");
    }
    text
}

/// Returns the filter with this number of conditions, for this crate and for `jq`.
fn build_filters(conditions: usize) -> (String, String) {
    let five = [
        ("EdgeResponseStatus", "geq", "400"),
        ("ClientRequestPath", "startsWith", "\"/api/\""),
        ("ClientCountry", "in", "[\"de\",\"fr\",\"us\",\"br\"]"),
        ("BotScore", "lt", "80"),
        ("ClientRequestUserAgent", "!contains", "\"Googlebot\""),
    ];
    let texts = ["ClientIP", "RayID", "JA4", "ClientCity", "ClientRequestReferer", "CacheCacheStatus"];
    let absent_values =
        ["\"2001:db8::1\"", "\"0\"", "\"t13d\"", "\"Null Island\"", "\"https://example.net/\"", "\"stale\""];
    let mut all: Vec<(&str, &str, &str)> = five.to_vec();
    for operator in ["!eq", "!startsWith", "!endsWith", "!contains"] {
        all.extend(texts.iter().zip(absent_values).map(|(key, value)| (*key, operator, value)));
    }
    all.push(("EdgeResponseBytes", "geq", "0"));
    all.truncate(conditions);
    let ours: Vec<_> = all
        .iter()
        .map(|(key, operator, value)| format!(r#"{{"key":"{key}","operator":"{operator}","value":{value}}}"#))
        .collect();
    let theirs: Vec<_> = all
        .iter()
        .map(|(key, operator, value)| match *operator {
            "geq" => format!(".{key} >= {value}"),
            "lt" => format!(".{key} < {value}"),
            "in" => format!("(.{key} as $it | {value} | index($it) != null)"),
            "startsWith" => format!("(.{key} | startswith({value}))"),
            "!eq" => format!(".{key} != {value}"),
            "!startsWith" => format!("(.{key} | startswith({value}) | not)"),
            "!endsWith" => format!("(.{key} | endswith({value}) | not)"),
            _ => format!("(.{key} | contains({value}) | not)"),
        })
        .collect();
    (format!(r#"{{"where":{{"and":[{}]}}}}"#, ours.join(",")), format!("select({})", theirs.join(" and ")))
}

/// Writes the matching lines, and returns their number. Lines are evaluated in the read buffer, as in log delivery.
fn filter_file(path: &Path, mut matches: impl FnMut(&[u8]) -> bool) -> usize {
    let mut file = File::open(path).unwrap();
    let mut out = BufWriter::with_capacity(1 << 16, File::create("/dev/null").unwrap());
    let (mut delivered, mut buffer, mut filled) = (0, vec![0; 1 << 17], 0);
    loop {
        let read = file.read(&mut buffer[filled..]).unwrap();
        filled += read;
        let mut start = 0;
        while let Some(length) = memchr::memchr(b'\n', &buffer[start..filled]) {
            let line = &buffer[start..=start + length];
            if matches(line) {
                delivered += 1;
                out.write_all(line).unwrap();
            }
            start += length + 1;
        }
        if read == 0 {
            assert_eq!(start, filled, "the last line must end with a line break");
            return delivered;
        }
        buffer.copy_within(start..filled, 0);
        filled -= start;
    }
}

fn run_compiled_filter(path: &Path, program: &Program) -> usize {
    filter_file(path, |line| program.evaluate(line, MissingPolicy::Absent) == Ok(Outcome::True))
}

fn run_value_walk(path: &Path, program: &Program) -> usize {
    filter_file(path, |line| {
        serde_json::from_slice::<Value>(line).is_ok_and(|line| walk(program.test(), &|key| line.get(key)))
    })
}

fn run_visitor(path: &Path, program: &Program) -> usize {
    let mut names = Vec::new();
    collect_keys(program.test(), &mut names);
    filter_file(path, |line| {
        let mut json = serde_json::Deserializer::from_slice(line);
        let found = json.deserialize_map(ProjectionVisitor(&names));
        found.is_ok_and(|found| json.end().is_ok() && walk(program.test(), &|key| found.get(key)))
    })
}

struct ProjectionVisitor<'a>(&'a [&'static str]);

impl<'de> Visitor<'de> for ProjectionVisitor<'_> {
    type Value = HashMap<&'static str, Value>;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("a log line")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = HashMap::new();
        while let Some(name) = map.next_key::<&str>()? {
            match self.0.iter().find(|needed| **needed == name) {
                Some(name) => {
                    found.insert(*name, map.next_value()?);
                }
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(found)
    }
}

fn collect_keys(test: &Test, names: &mut Vec<&'static str>) {
    match &test.kind {
        TestKind::All(tests) | TestKind::Any(tests) => tests.iter().for_each(|test| collect_keys(test, names)),
        TestKind::Comparison(comparison) if names.contains(&comparison.field.name) => {}
        TestKind::Comparison(comparison) => names.push(comparison.field.name),
    }
}

/// Evaluates a filter over a `serde_json::Value` in the simplest way.
fn walk<'a>(test: &Test, get: &impl Fn(&str) -> Option<&'a Value>) -> bool {
    let comparison = match &test.kind {
        TestKind::All(tests) => return tests.iter().all(|test| walk(test, get)),
        TestKind::Any(tests) => return tests.iter().any(|test| walk(test, get)),
        TestKind::Comparison(comparison) => comparison,
    };
    let value = get(comparison.field.name);
    let equals = |operand: &Operand| match operand {
        Operand::String(text) => value.and_then(Value::as_str).unwrap_or_default() == text,
        Operand::Number(number) => zonewright_logpush::Number::Integer(integer(value)) == *number,
        _ => false,
    };
    let text = value.and_then(Value::as_str).unwrap_or_default();
    let holds = match (comparison.operator.without_negation(), &comparison.operand) {
        (Operator::In, Operand::Items(items)) => items.iter().any(equals),
        (Operator::StartsWith, Operand::String(part)) => text.starts_with(part.as_str()),
        (Operator::EndsWith, Operand::String(part)) => text.ends_with(part.as_str()),
        (Operator::Contains, Operand::String(part)) => text.contains(part.as_str()),
        (Operator::Equal, operand) => equals(operand),
        (Operator::Less, Operand::Number(n)) => zonewright_logpush::Number::Integer(integer(value)) < *n,
        (Operator::GreaterOrEqual, Operand::Number(n)) => zonewright_logpush::Number::Integer(integer(value)) >= *n,
        (operator, _) => panic!("{} is not measured", operator.name()),
    };
    holds != comparison.operator.is_negated()
}

fn integer(value: Option<&Value>) -> i128 {
    value.and_then(Value::as_i64).unwrap_or_default().into()
}

/// Returns the number of lines that `jq` matches, or `None` if `jq` is not installed.
fn run_jq(path: &Path, filter: &str) -> Option<usize> {
    let delivered: PathBuf = path.with_extension("matches");
    let mut command = Command::new("jq");
    command.args(["-c", filter]).arg(path).stdout(Stdio::from(File::create(&delivered).unwrap()));
    let status = command.status();
    let lines = std::fs::read(&delivered).unwrap().iter().filter(|byte| **byte == b'\n').count();
    std::fs::remove_file(&delivered).unwrap();
    status.ok().map(|status| {
        assert!(status.success(), "jq: {filter}");
        lines
    })
}
