//! Checks, lints and evaluates a corpus of expressions, compared with `wirefilter-engine` 0.6.1 in the same run.
//!
//! `cargo bench -p zonewright-expression --bench corpus -- expressions.jsonl` reads a file with one JSON object a line,
//! whose member `expr` is the expression. Without a file, the examples of the code pages are the corpus. Expressions
//! that one of the two engines rejects are skipped. Only ratios within one run are meaningful.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::cast_precision_loss, reason = "a benchmark may fail")]

use std::hint::black_box;
use std::net::{IpAddr, Ipv4Addr};
use std::time::Instant;
use wirefilter::{ExecutionContext, Filter, Scheme, Type as WirefilterType};
use zonewright_expression::schema::FIELDS;
use zonewright_expression::{LintOptions, MissingPolicy, Options, Outcome, Program, Record, Type, Value, check};

/// The number of measurements of each function; the fastest counts.
const ROUNDS: usize = 15;
/// The number of calls in a measurement.
const CALLS: usize = 40;

/// The times of one expression in nanoseconds.
struct Timings {
    has_regex: bool,
    check: f64,
    check_and_lint: f64,
    wirefilter_parse: f64,
    evaluate: f64,
    wirefilter_execute: f64,
}

fn main() {
    let file = std::env::args().skip(1).find(|argument| argument.ends_with(".jsonl"));
    let sources = file.map_or_else(example_sources, |file| read_sources(&std::fs::read_to_string(file).unwrap()));
    let scheme = wirefilter_scheme();
    let context = wirefilter_context(&scheme);
    let record = record();
    let timings: Vec<Timings> =
        sources.iter().filter_map(|source| measure(source, &scheme, &context, &record)).collect();
    println!("{} of {} expressions are valid in both engines", timings.len(), sources.len());
    println!(
        "{:<26}{:>12}{:>18}{:>18}{:>18}",
        "", "expressions", "check ÷ parse", "lint ÷ check", "evaluate ÷ execute"
    );
    for (name, has_regex) in [("without regular expression", false), ("with regular expression", true)] {
        print_group(name, timings.iter().filter(|timing| timing.has_regex == has_regex).collect());
    }
}

/// Prints the ratios of a group: for checks and lints, the ratio of the sums; for evaluations, the geometric mean of
/// the ratios.
fn print_group(name: &str, group: Vec<&Timings>) {
    let sum = |time: fn(&Timings) -> f64| group.iter().map(|timing| time(timing)).sum::<f64>();
    let (check, both) = (sum(|timing| timing.check), sum(|timing| timing.check_and_lint));
    let ratios: Vec<f64> = group.iter().map(|timing| timing.evaluate / timing.wirefilter_execute).collect();
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
    let worst = ratios.iter().copied().fold(0.0, f64::max);
    println!(
        "{name:<26}{:>12}{:>18.2}{:>18.2}{:>18}",
        group.len(),
        check / sum(|timing| timing.wirefilter_parse),
        (both - check) / check,
        format!("{mean:.2}, worst {worst:.2}"),
    );
}

fn measure(source: &str, scheme: &Scheme, context: &ExecutionContext<'_>, record: &Record) -> Option<Timings> {
    let options = Options { max_length: usize::MAX, ..Options::default() };
    let linting = Options { lint: Some(LintOptions::default()), ..options.clone() };
    let program: Program = check(source, &options).program?;
    let filter: Filter<'_> = scheme.parse(source).ok()?.compile();
    let mut best = [f64::MAX; 5];
    for _ in 0..ROUNDS {
        let times = [
            time(|| check(black_box(source), &options).program.is_some()),
            time(|| check(black_box(source), &linting).program.is_some()),
            time(|| scheme.parse(black_box(source)).is_ok()),
            time(|| matches!(black_box(&program).evaluate(black_box(record)), Outcome::True)),
            time(|| black_box(&filter).execute(black_box(context)) == Ok(true)),
        ];
        for (best, time) in best.iter_mut().zip(times) {
            *best = best.min(time);
        }
    }
    let [check, check_and_lint, wirefilter_parse, evaluate, wirefilter_execute] = best;
    let has_regex = source.contains("matches") || source.contains('~');
    Some(Timings { has_regex, check, check_and_lint, wirefilter_parse, evaluate, wirefilter_execute })
}

/// Returns the mean time of one call in nanoseconds.
fn time(function: impl Fn() -> bool) -> f64 {
    let start = Instant::now();
    for _ in 0..CALLS {
        black_box(function());
    }
    start.elapsed().as_nanos() as f64 / CALLS as f64
}

/// Reads the member `expr` of each line.
fn read_sources(lines: &str) -> Vec<String> {
    let expression = |line: &str| {
        let object: serde_json::Value = serde_json::from_str(line).ok()?;
        Some(object.get("expr")?.as_str()?.to_owned())
    };
    lines.lines().filter_map(expression).collect()
}

/// Returns the examples of the code pages.
fn example_sources() -> Vec<String> {
    let pages = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/codes")).unwrap();
    let mut paths: Vec<_> = pages.map(|page| page.unwrap().path()).collect();
    paths.sort();
    let mut sources = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(path).unwrap();
        // Every second part is a code block. Its text begins after the rest of the line that opens the block.
        let blocks = text.split("```").skip(1).step_by(2);
        sources.extend(blocks.filter_map(|block| Some(block.split_once('\n')?.1.trim().to_owned())));
    }
    sources
}

/// Returns a scheme with all fields that wirefilter has a type for.
fn wirefilter_scheme() -> Scheme {
    let mut scheme = Scheme::new();
    for field in FIELDS {
        if let Some(ty) = wirefilter_type(field.ty) {
            let _ = scheme.add_field(field.name.to_owned(), ty);
        }
    }
    scheme
}

fn wirefilter_type(ty: Type) -> Option<WirefilterType> {
    match ty {
        Type::BOOLEAN => Some(WirefilterType::Bool),
        Type::INTEGER => Some(WirefilterType::Int),
        Type::IP => Some(WirefilterType::Ip),
        Type::STRING | Type::BYTES => Some(WirefilterType::Bytes),
        _ => None,
    }
}

// The values of all fields, by type. Both engines evaluate the same request.
const TEXT: &str = "www.example.com";
const INTEGER: i32 = 443;
const ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::new(198, 51, 100, 77));

fn wirefilter_context(scheme: &Scheme) -> ExecutionContext<'_> {
    let mut context = ExecutionContext::new(scheme);
    for field in FIELDS {
        let _ = match wirefilter_type(field.ty) {
            Some(WirefilterType::Bool) => context.set_field_value(field.name, true),
            Some(WirefilterType::Int) => context.set_field_value(field.name, INTEGER),
            Some(WirefilterType::Ip) => context.set_field_value(field.name, ADDRESS),
            Some(WirefilterType::Bytes) => context.set_field_value(field.name, TEXT),
            None => continue,
        };
    }
    context
}

fn record() -> Record {
    let mut record = Record::new(MissingPolicy::Absent);
    for field in FIELDS {
        let value = match wirefilter_type(field.ty) {
            Some(WirefilterType::Bool) => Value::Boolean(true),
            Some(WirefilterType::Int) => Value::Integer(INTEGER.into()),
            Some(WirefilterType::Ip) => Value::Ip(ADDRESS),
            Some(WirefilterType::Bytes) => Value::Text(TEXT.into()),
            None => continue,
        };
        let _ = record.set(field.name, value);
    }
    record
}
