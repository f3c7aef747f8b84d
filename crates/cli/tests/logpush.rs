//! `zonewright logpush`: filters and log lines.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail")]

mod support;

use serde_json::{Value, json};
use support::{complaint, run, text};

const SERVER_ERRORS: &str = r#"{"where":{"key":"EdgeResponseStatus","operator":"geq","value":500}}"#;

/// Lines of standard output as JSON.
fn answers(arguments: &[&str], input: &str) -> Vec<Value> {
    let output = run(arguments, input);
    assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
    text(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn check_draws_problems_and_counts_filters() {
    let wrong = run(&["logpush", "check"], r#"{"where":{"key":"ClientCountry","operator":"neq","value":"ca"}}"#);
    assert_eq!(wrong.status.code(), Some(1));
    assert!(text(&wrong).contains("use `!eq`") && text(&wrong).ends_with("1 filter checked: 1 error\n"));
    assert_eq!(text(&run(&["logpush", "check"], SERVER_ERRORS)), "1 filter checked: no problems\n");
    let escaped = serde_json::to_string(SERVER_ERRORS).unwrap();
    assert_eq!(run(&["logpush", "check"], escaped).status.code(), Some(0));
    let other = run(&["logpush", "check", "--dataset", "workers_trace_events"], SERVER_ERRORS);
    assert!(text(&other).contains("EdgeResponseStatus"), "{}", text(&other));
    assert_eq!(run(&["logpush", "check", "--dataset", "nonsense"], "").status.code(), Some(2));
}

#[test]
fn check_answers_a_stream() {
    let source = serde_json::to_string(SERVER_ERRORS).unwrap();
    let input = format!(
        "{{\"id\": 1, \"source\": {source}}}\n{{\"id\": 2, \"source\": {source}, \"dataset\": \"dns_logs\"}}\n\
         {{\"id\": 3, \"source\": {source}, \"dataset\": \"none\"}}\nnonsense\n{{\"id\": 5, \"source\": {source}}}"
    );
    let found = answers(&["logpush", "check", "--ndjson"], &input);
    assert_eq!(found[0], json!({"id": 1, "ok": true, "diagnostics": []}));
    assert_eq!((&found[1]["id"], &found[1]["ok"]), (&json!(2), &json!(false)));
    assert!(found[2]["error"].as_str().unwrap().contains("unknown dataset `none`"));
    assert!(found[3]["error"].is_string());
    assert_eq!(found[4]["ok"], true);
}

#[test]
fn format_lays_out_and_escapes() {
    let loose = r#"{ "where" : {"operator":"geq", "key":"EdgeResponseStatus","value": 500 } }"#;
    assert_eq!(text(&run(&["logpush", "format", "--style", "compact"], loose)), SERVER_ERRORS);
    let escaped = text(&run(&["logpush", "format", "--style", "escaped"], format!("{loose}\n")));
    assert_eq!(escaped, format!("{}\n", serde_json::to_string(SERVER_ERRORS).unwrap()));
    assert_eq!(run(&["logpush", "format", "--check"], "{").status.code(), Some(1));
}

#[test]
fn evaluate_says_what_decided() {
    let line = r#"{"EdgeResponseStatus": 502}"#;
    let output = run(&["logpush", "evaluate", SERVER_ERRORS, "--trace"], line);
    assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
    assert!(text(&output).starts_with("match\n  true") && text(&output).contains("(502)"), "{}", text(&output));
    let gone = run(&["logpush", "evaluate", SERVER_ERRORS, "--missing", "unknown"], "{}");
    assert_eq!(text(&gone), "unknown: it depends on `EdgeResponseStatus`\n");
    assert_eq!(text(&run(&["logpush", "evaluate", SERVER_ERRORS], "{}")), "no match\n");
    for line in ["", "[]", "{\"EdgeResponseStatus\": \"x\"}", "{\"a\": }"] {
        assert_eq!(run(&["logpush", "evaluate", SERVER_ERRORS], line).status.code(), Some(2), "{line}");
    }
}

#[test]
fn evaluate_answers_a_stream() {
    let source = serde_json::to_string(SERVER_ERRORS).unwrap();
    let ask = |line: &str| format!("{{\"id\": 0, \"source\": {source}, \"line\": {line}}}\n");
    let lines = [
        (r#"{"EdgeResponseStatus": 500}"#, json!(true)),
        (r#""{\"EdgeResponseStatus\": 404}""#, json!(false)),
        ("{}", json!(false)),
        ("[]", Value::Null),
        (r#""{""#, Value::Null),
        (r#"{"EdgeResponseStatus": true}"#, Value::Null),
    ];
    let input: String = lines.iter().map(|(line, _)| ask(line)).collect();
    let found = answers(&["logpush", "evaluate", "--ndjson"], &input);
    for ((line, result), answer) in lines.iter().zip(&found) {
        assert_eq!(answer["result"], *result, "{line}");
        assert_eq!(answer["error"].is_string(), result.is_null(), "{line}");
    }
    let unknown = format!("{{\"source\": {source}, \"line\": {{}}, \"missing\": \"unknown\"}}");
    assert_eq!(answers(&["logpush", "evaluate", "--ndjson"], &unknown)[0]["result"], "unknown");
}

#[test]
fn try_prints_lines_as_they_are() {
    let kept = r#"{ "EdgeResponseStatus" : 503,  "x": 1e2 }"#;
    let dropped = r#"{"EdgeResponseStatus":200}"#;
    let input = format!("{dropped}\n{kept}\n\nnonsense\n{{\"EdgeResponseStatus\":500,\n{dropped}");
    let output = run(&["logpush", "try", SERVER_ERRORS], input.clone());
    assert_eq!(text(&output), format!("{kept}\n"));
    assert!(complaint(&output).ends_with("5 lines: 1 kept, 2 dropped, 2 rejected\n"), "{}", complaint(&output));
    assert!(complaint(&output).contains("line 4 is rejected"));
    let others = run(&["logpush", "try", "--dropped", SERVER_ERRORS, "-"], input);
    assert_eq!(text(&others), format!("{dropped}\n{dropped}\n"));
    assert_eq!(run(&["logpush", "try", "{}"], "").status.code(), Some(1));
    assert_eq!(run(&["logpush", "try", "nowhere.json"], "").status.code(), Some(2));
    assert_eq!(run(&["logpush", "try", SERVER_ERRORS, "nowhere.ndjson"], "").status.code(), Some(2));
}
