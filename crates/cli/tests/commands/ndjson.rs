//! `zonewright check --ndjson`: a stream of expressions.

use crate::support::{hostile_inputs, run, stderr, stdout, zonewright};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

/// Results of a stream, after checking that it was read to its end.
fn check_lines(arguments: &[&str], input: impl Into<Vec<u8>>) -> Vec<Value> {
    let output = run(&[&["check", "--ndjson"], arguments].concat(), input);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn each_line_has_a_result_in_input_order() {
    let input = r#"{"id": 1, "source": "ssl"}
{"id": "two", "kind": "value", "source": "lower(http.host)"}
{"source": "ssl and http.hots eq \"ü\""}
{"id": null, "source": "http.host matches \"a\"", "plan": "free"}
{"id": {"any": [1.50]}, "source": "ssl", "phase": "http_request_firewall_custom", "kind": null, "plan": null}"#;
    let results = check_lines(&[], input);
    assert_eq!(results[0], json!({"id": 1, "ok": true, "diagnostics": []}));
    assert_eq!(results[1], json!({"id": "two", "ok": true, "diagnostics": []}));
    assert_eq!((&results[2]["id"], &results[2]["ok"]), (&Value::Null, &json!(false)));
    let problem = &results[2]["diagnostics"][0];
    assert_eq!(problem["code"], "unknown-field");
    assert_eq!((&problem["start"], &problem["end"]), (&json!(8), &json!(17)));
    assert_eq!((&problem["line"], &problem["column"]), (&json!(1), &json!(9)));
    assert!(problem["message"].is_string() && problem["fixes"].is_array());
    assert_eq!((&results[3]["ok"], &results[3]["error"]), (&json!(false), &Value::Null));
    assert_eq!(results[4]["ok"], true);
    assert_eq!(results.len(), 5);
}

#[test]
fn ids_are_returned_verbatim() {
    for id in ["123456789012345678901234567890", "1.50", "\"\\u00e9\"", "[1, {\"a\": null}]", "null", "true"] {
        let output = run(&["check", "--ndjson"], format!("{{\"id\": {id}, \"source\": \"ssl\"}}\n"));
        assert_eq!(stdout(&output), format!("{{\"id\":{id},\"ok\":true,\"diagnostics\":[]}}\n"));
    }
}

#[test]
fn lints_are_reported_unless_allowed() {
    let input = "{\"source\":\"not not ssl\"}";
    let results = check_lines(&[], input);
    assert_eq!((&results[0]["ok"], &results[0]["diagnostics"][0]["code"]), (&json!(true), &json!("double-negation")));
    for arguments in [&["--no-lint"][..], &["--allow", "double-negation"]] {
        assert_eq!(
            check_lines(arguments, input)[0],
            json!({"id": null, "ok": true, "diagnostics": []}),
            "{arguments:?}"
        );
    }
}

#[test]
fn command_options_are_defaults_of_lines() {
    let input = "{\"source\":\"http.host matches \\\"a\\\"\"}\n\
                 {\"source\":\"http.host matches \\\"a\\\"\",\"plan\":\"business\"}";
    let ok: Vec<Value> =
        check_lines(&["--plan", "free"], input).into_iter().map(|result| result["ok"].clone()).collect();
    assert_eq!(ok, [json!(false), json!(true)]);
}

#[test]
fn malformed_line_reports_position_and_the_stream_continues() {
    let cases: [(&[u8], &str); 16] = [
        (b"nonsense", "line 2, column 2: invalid JSON: expected ident"),
        (b"{\"source\":\"ssl\"", "line 2, column 15: invalid JSON: EOF while parsing an object"),
        (b"{\"source\":\"a\"} x", "line 2, column 16: invalid JSON: trailing characters"),
        (b"", "line 2: expected a JSON object, found an empty line"),
        (b"  ", "line 2: expected a JSON object, found an empty line"),
        (b"[]", "line 2: expected a JSON object"),
        (b"\"ssl\"", "line 2: expected a JSON object"),
        (b"{}", "line 2: `source` is missing"),
        (b"{\"source\":null}", "line 2: `source` must be a string, not null"),
        (b"{\"source\":5}", "line 2, column 11: `source` must be a string"),
        (b"{\"source\":\"ssl\",\"phase\":{}}", "line 2, column 25: `phase` must be a string"),
        (
            b"{\"source\":\"ssl\",\"kind\":\"x\"}",
            "line 2: unknown kind `x`, expected one of expression, value, counting",
        ),
        (
            b"{\"source\":\"ssl\",\"plan\":\"x\"}",
            "line 2: unknown plan `x`, expected one of free, pro, business, enterprise",
        ),
        (
            b"{\"source\":\"ssl\",\"phse\":\"x\"}",
            "line 2: unknown member `phse`, expected one of id, kind, source, phase, plan",
        ),
        (b"{\"source\":\"\xff\"}", "line 2, column 12: invalid UTF-8"),
        (
            b"{\"source\":\"\\ud800\"}",
            "line 2, column 18: `source` is not a valid string: unexpected end of hex escape",
        ),
    ];
    for (line, expected) in cases {
        let good = b"{\"source\":\"ssl\"}";
        let results = check_lines(&[], [good, line, good].join(&b'\n'));
        let name = String::from_utf8_lossy(line);
        assert_eq!(results.len(), 3, "{name}");
        assert_eq!(results[1], json!({"id": null, "ok": false, "error": expected, "diagnostics": []}), "{name}");
        assert_eq!((&results[0]["ok"], &results[2]["ok"]), (&json!(true), &json!(true)), "{name}");
    }
    let unknown = check_lines(&[], "{\"id\":7,\"source\":\"ssl\",\"phase\":\"x\"}");
    assert_eq!(unknown[0]["id"], 7);
    assert!(unknown[0]["error"].as_str().unwrap().starts_with("line 1: unknown phase `x`, expected one of ddos_l4"));
}

#[test]
fn trailing_line_break_adds_no_line() {
    assert_eq!(check_lines(&[], ""), Vec::<Value>::new());
    assert_eq!(check_lines(&[], "{\"source\":\"ssl\"}\n").len(), 1);
    assert_eq!(check_lines(&[], "{\"source\":\"ssl\"}\r\n\n").len(), 2);
}

#[test]
fn oversized_line_is_skipped_with_an_error() {
    let input = format!("{{\"source\":\"ssl\"}}\n{}\n{{\"source\":\"ssl\"}}", "[".repeat(17 * 1024 * 1024));
    let results = check_lines(&[], input);
    assert_eq!(results.len(), 3);
    assert_eq!(results[1]["error"], "line 2: longer than 16 MiB");
    assert_eq!(results[2]["ok"], true);
}

#[test]
fn hostile_input_yields_a_result() {
    let inputs = hostile_inputs();
    let lines: Vec<String> =
        inputs.iter().map(|(name, source)| json!({"id": name, "source": source}).to_string()).collect();
    let results = check_lines(&[], lines.join("\n"));
    for ((name, _), result) in inputs.iter().zip(&results) {
        assert_eq!((&result["id"], &result["ok"]), (&json!(name), &json!(false)));
        assert!(result["diagnostics"][0]["code"].is_string(), "{name}");
    }
    assert_eq!(results.len(), inputs.len());
}

#[test]
fn result_is_flushed_before_the_next_line_is_complete() {
    let mut child = zonewright(&["check", "--ndjson"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdin.write_all(b"{").unwrap();
    for id in 0..3 {
        // The beginning of the next line is already there; it must not delay the result.
        stdin.write_all(format!("\"id\":{id},\"source\":\"ssl\"}}\n{{").as_bytes()).unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        assert_eq!(line, format!("{{\"id\":{id},\"ok\":true,\"diagnostics\":[]}}\n"));
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}
