//! Runs jobs as SQL queries on real engines, and compares the rows with the lines that the evaluator keeps.
//!
//! `./run test` creates the Python environment with the engines and sets `ZONEWRIGHT_SQL_PYTHON` to its Python. The
//! tests are skipped when the variable is unset.

#![allow(clippy::panic, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may panic")]

use serde_json::{Value, json};
use std::{
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
};
use zonewright_logpush::{Dialect, MissingPolicy, Options, Outcome, SqlOptions, SqlQuery, check, to_sql};
use zonewright_tests::generate::Choices;
use zonewright_tests::log_lines::{TEXTS, filter, line};

const LINE_COUNT: usize = 3_000;
const FILTER_COUNT: usize = 40;

#[test]
fn datafusion_selects_the_lines_that_the_filter_keeps() {
    assert_engine_agrees(Dialect::DataFusion);
}

#[test]
fn spark_selects_the_lines_that_the_filter_keeps() {
    assert_engine_agrees(Dialect::Spark);
}

fn assert_engine_agrees(dialect: Dialect) {
    let Some(python) = std::env::var_os("ZONEWRIGHT_SQL_PYTHON") else {
        println!("skipped: ZONEWRIGHT_SQL_PYTHON is not set");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("logs.json");
    let lines: Vec<_> =
        (0..LINE_COUNT).map(|id| line(&mut Choices::new(&pseudo_random_bytes(id)), id, false)).collect();
    std::fs::write(&path, lines.join("\n") + "\n").unwrap();
    let mut filters: Vec<_> =
        (0..FILTER_COUNT).map(|n| filter(&mut Choices::new(&pseudo_random_bytes(1_000_000 + n)), 3)).collect();
    filters.extend(tricky_filters());
    let cases: Vec<_> = filters.iter().map(|filter| query(filter, dialect, &path)).collect();
    let queries: Vec<_> = cases.iter().map(|case| json!({ "table": case.table, "query": case.query })).collect();
    let mut engine = Command::new(python)
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("sql/engines.py"))
        .arg(dialect.name())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    engine.stdin.take().unwrap().write_all(Value::from(queries).to_string().as_bytes()).unwrap();
    let output = engine.wait_with_output().unwrap();
    let answers: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answers.len(), filters.len());
    let mut total_kept = 0;
    for ((filter, case), answer) in filters.iter().zip(&cases).zip(&answers) {
        let program = check(&filter.to_string(), &without_limits()).program.unwrap();
        let keeps = |line: &String| program.evaluate(line.as_bytes(), MissingPolicy::Absent) == Ok(Outcome::True);
        let expected: Vec<_> = (0..LINE_COUNT).filter(|id| keeps(&lines[*id])).collect();
        let rows = answer.as_array().unwrap_or_else(|| panic!("{filter}\n{}\n{answer}", case.query));
        let mut rows: Vec<usize> = rows.iter().map(|id| id.as_str().unwrap().parse().unwrap()).collect();
        rows.sort_unstable();
        let difference =
            expected.iter().find(|id| !rows.contains(id)).or_else(|| rows.iter().find(|id| !expected.contains(id)));
        assert!(difference.is_none(), "{filter}\n{}\n{}", case.query, lines[*difference.unwrap()]);
        assert_eq!(rows.len(), expected.len(), "{filter}\n{}", case.query);
        total_kept += rows.len();
    }
    println!("{} filters on {LINE_COUNT} lines keep {total_kept}", filters.len());
    assert!(total_kept > LINE_COUNT && total_kept < LINE_COUNT * filters.len());
}

fn without_limits() -> Options {
    Options { max_operators: usize::MAX, max_bytes: usize::MAX, ..Options::default() }
}

fn query(filter: &Value, dialect: Dialect, path: &Path) -> SqlQuery {
    let settings = json!({
        "dataset": "http_requests",
        "filter": filter.to_string(),
        "output_options": { "field_names": ["RayID", "ClientRequestHost", "RayID"] },
    });
    let options = SqlOptions {
        dialect,
        table: "logs".to_owned(),
        location: path.to_str().unwrap().to_owned(),
        rfc3339_timestamps: false,
    };
    to_sql(&serde_json::from_value(settings).unwrap(), &options).unwrap_or_else(|errors| panic!("{filter}: {errors:?}"))
}

/// Filters that are hard to translate correctly.
fn tricky_filters() -> Vec<Value> {
    let comparison = |key: &str, operator: &str, value: Value| json!({ "where": { "key": key, "operator": operator, "value": value } });
    let mut filters: Vec<_> = ["eq", "startsWith", "endsWith", "contains"]
        .iter()
        .flat_map(|operator| {
            let texts = TEXTS.iter().enumerate().filter(|(n, _)| n % 4 == operator.len() % 4);
            texts.map(move |(_, text)| comparison("ClientRequestHost", operator, json!(text)))
        })
        .collect();
    let conditions: Vec<_> =
        TEXTS.iter().map(|text| comparison("BotTags", "contains", json!(text))["where"].clone()).collect();
    filters.push(json!({ "where": { "or": conditions[1..] } }));
    for value in [
        "9007199254740992",
        "99999999999999999999999999999999999999999",
        "-1000000000000000000000",
        "0.5",
        "9223372036854775807",
    ] {
        filters.push(comparison("ClientASN", "gt", json!(value)));
        filters.push(comparison("EdgeResponseCompressionRatio", "leq", json!(value)));
    }
    filters.push(comparison("EdgeResponseCompressionRatio", "lt", json!(0)));
    filters.push(comparison("EdgeStartTimestamp", "eq", json!(1_700_000_000)));
    filters.push(comparison("ClientASN", "in", json!(["1", "30"])));
    filters.push(comparison("CacheTieredFill", "!eq", json!("true")));
    // Some of the numbers are out of range for an integer field.
    filters.retain(|filter| check(&filter.to_string(), &without_limits()).program.is_some());
    assert!(filters.len() > 35, "only {}", filters.len());
    filters
}

/// Pseudo-random bytes for a seed.
fn pseudo_random_bytes(seed: usize) -> Vec<u8> {
    let mut state = seed as u64 + 1;
    let next = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as u8
    };
    (0..200).map(next).collect()
}
