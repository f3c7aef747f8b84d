//! `zonewright logpush`: filters and log lines.

use crate::support::{run, stderr, stdout, zonewright};
use serde_json::{Value, json};
use std::process::Stdio;

const SERVER_ERRORS: &str = r#"{"where":{"key":"EdgeResponseStatus","operator":"geq","value":500}}"#;

/// Lines of standard output as JSON.
fn run_stream(arguments: &[&str], input: &str) -> Vec<Value> {
    let output = run(arguments, input);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn check_reports_problems_and_counts_filters() {
    let invalid = run(&["logpush", "check"], r#"{"where":{"key":"ClientCountry","operator":"neq","value":"ca"}}"#);
    assert_eq!(invalid.status.code(), Some(1));
    assert!(stdout(&invalid).contains("use `!eq`") && stdout(&invalid).ends_with("1 filter checked: 1 error\n"));
    assert_eq!(stdout(&run(&["logpush", "check"], SERVER_ERRORS)), "1 filter checked: no problems\n");
    let escaped = serde_json::to_string(SERVER_ERRORS).unwrap();
    let expected = "<stdin> is interpreted as an escaped string\n1 filter checked: no problems\n";
    assert_eq!(stdout(&run(&["logpush", "check"], escaped)), expected);
    let escaped = serde_json::to_string(SERVER_ERRORS).unwrap();
    assert_eq!(run(&["logpush", "check"], escaped).status.code(), Some(0));
    let other = run(&["logpush", "check", "--dataset", "workers_trace_events"], SERVER_ERRORS);
    assert!(stdout(&other).contains("EdgeResponseStatus"), "{}", stdout(&other));
    assert_eq!(run(&["logpush", "check", "--dataset", "nonsense"], "").status.code(), Some(2));
}

#[test]
fn check_reports_each_line_of_a_stream() {
    let source = serde_json::to_string(SERVER_ERRORS).unwrap();
    let input = format!(
        "{{\"id\": 1, \"source\": {source}}}\n{{\"id\": 2, \"source\": {source}, \"dataset\": \"dns_logs\"}}\n\
         {{\"id\": 3, \"source\": {source}, \"dataset\": \"none\"}}\nnonsense\n{{\"id\": 5, \"source\": {source}}}"
    );
    let responses = run_stream(&["logpush", "check", "--ndjson"], &input);
    assert_eq!(responses[0], json!({"id": 1, "ok": true, "diagnostics": []}));
    assert_eq!((&responses[1]["id"], &responses[1]["ok"]), (&json!(2), &json!(false)));
    assert!(responses[2]["error"].as_str().unwrap().contains("unknown dataset `none`"));
    assert!(responses[3]["error"].is_string());
    assert_eq!(responses[4]["ok"], true);
}

#[test]
fn format_indents_and_escapes() {
    let loose = r#"{ "where" : {"operator":"geq", "key":"EdgeResponseStatus","value": 500 } }"#;
    assert_eq!(stdout(&run(&["logpush", "format", "--style", "compact"], loose)), SERVER_ERRORS);
    let escaped = stdout(&run(&["logpush", "format", "--style", "escaped"], format!("{loose}\n")));
    assert_eq!(escaped, format!("{}\n", serde_json::to_string(SERVER_ERRORS).unwrap()));
    assert_eq!(run(&["logpush", "format", "--check"], "{").status.code(), Some(1));
}

#[test]
fn evaluate_reports_the_deciding_conditions() {
    let line = r#"{"EdgeResponseStatus": 502}"#;
    let output = run(&["logpush", "evaluate", SERVER_ERRORS, "--trace"], line);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).starts_with("match\n  true") && stdout(&output).contains("(502)"), "{}", stdout(&output));
    let unknown = run(&["logpush", "evaluate", SERVER_ERRORS, "--missing", "unknown"], "{}");
    assert_eq!(stdout(&unknown), "unknown: it depends on `EdgeResponseStatus`\n");
    assert_eq!(stdout(&run(&["logpush", "evaluate", SERVER_ERRORS], "{}")), "no match\n");
    for line in ["", "[]", "{\"EdgeResponseStatus\": \"x\"}", "{\"a\": }"] {
        assert_eq!(run(&["logpush", "evaluate", SERVER_ERRORS], line).status.code(), Some(2), "{line}");
    }
}

#[test]
fn evaluate_reports_each_line_of_a_stream() {
    let source = serde_json::to_string(SERVER_ERRORS).unwrap();
    let request = |line: &str| format!("{{\"id\": 0, \"source\": {source}, \"line\": {line}}}\n");
    let lines = [
        (r#"{"EdgeResponseStatus": 500}"#, json!(true)),
        (r#""{\"EdgeResponseStatus\": 404}""#, json!(false)),
        ("{}", json!(false)),
        ("[]", Value::Null),
        (r#""{""#, Value::Null),
        (r#"{"EdgeResponseStatus": true}"#, Value::Null),
    ];
    let input: String = lines.iter().map(|(line, _)| request(line)).collect();
    let responses = run_stream(&["logpush", "evaluate", "--ndjson"], &input);
    for ((line, expected), response) in lines.iter().zip(&responses) {
        assert_eq!(response["result"], *expected, "{line}");
        assert_eq!(response["error"].is_string(), expected.is_null(), "{line}");
    }
    let unknown = format!("{{\"source\": {source}, \"line\": {{}}, \"missing\": \"unknown\"}}");
    assert_eq!(run_stream(&["logpush", "evaluate", "--ndjson"], &unknown)[0]["result"], "unknown");
}

#[test]
fn evaluate_reports_the_position_of_an_error_in_the_line() {
    for (line, expected) in [
        ("", "the line is empty"),
        (
            "{\n \"é\": 1, \"EdgeResponseStatus\": \"many\"}",
            "line 2, column 32: `EdgeResponseStatus` is a string, but its type is `int`",
        ),
    ] {
        let output = run(&["logpush", "evaluate", SERVER_ERRORS], line);
        assert_eq!(stderr(&output), format!("zonewright: <stdin>: {expected}\n"));
    }
}

#[test]
fn try_prints_matching_lines_unchanged() {
    let kept = r#"{ "EdgeResponseStatus" : 503,  "x": 1e2 }"#;
    let dropped = r#"{"EdgeResponseStatus":200}"#;
    let input = format!("{dropped}\n{kept}\n\nnonsense\n{{\"EdgeResponseStatus\":500,\n{dropped}");
    let output = run(&["logpush", "try", SERVER_ERRORS], input.clone());
    assert_eq!(stdout(&output), format!("{kept}\n"));
    assert!(stderr(&output).ends_with("5 lines: 1 kept, 2 dropped, 2 rejected\n"), "{}", stderr(&output));
    assert!(stderr(&output).contains("<stdin>: line 4, column 1: the line is not a JSON object\n"));
    let dropped_lines = run(&["logpush", "try", "--dropped", SERVER_ERRORS, "-"], input);
    assert_eq!(stdout(&dropped_lines), format!("{dropped}\n{dropped}\n"));
    assert_eq!(run(&["logpush", "try", "{}"], "").status.code(), Some(1));
    assert_eq!(run(&["logpush", "try", "nowhere.json"], "").status.code(), Some(2));
    assert_eq!(run(&["logpush", "try", SERVER_ERRORS, "nowhere.ndjson"], "").status.code(), Some(2));
}

/// Creates a file with one kept line, repeated until the output exceeds every buffer.
fn create_large_log() -> tempfile::NamedTempFile {
    let log = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(log.path(), "{\"EdgeResponseStatus\":503}\n".repeat(50_000)).unwrap();
    log
}

#[cfg(target_os = "linux")]
#[test]
fn try_with_full_output_stops_and_reports_one_write_error() {
    let log = create_large_log();
    let path = log.path().to_str().unwrap();
    let full_output = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = zonewright(&["logpush", "try", SERVER_ERRORS, path, path]).stdout(full_output).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let expected = "zonewright: cannot write the lines: No space left on device\n";
    assert_eq!(stderr(&output), expected);
}

#[test]
fn try_with_closed_pipe_preserves_the_code_of_an_unreadable_file() {
    let log = create_large_log();
    let path = log.path().to_str().unwrap();
    for (files, code) in [(vec![path], 0), (vec!["nowhere.ndjson", path], 2)] {
        let arguments = [vec!["logpush", "try", SERVER_ERRORS], files].concat();
        let mut child = zonewright(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
    }
}

#[test]
fn convert_round_trips_or_reports_losses() {
    let expression = "http.response.code ge 500";
    assert_eq!(stdout(&run(&["logpush", "convert", SERVER_ERRORS], "")), format!("{expression}\n"));
    for arguments in [["logpush", "convert", expression], ["logpush", "convert", "-"]] {
        assert_eq!(stdout(&run(&arguments, expression)), format!("{SERVER_ERRORS}\n"));
    }
    let lossy = "http.host eq \"é\" and cf.client.bot";
    let output = run(&["logpush", "convert", lossy], "");
    assert_eq!((output.status.code(), stdout(&output)), (Some(1), String::new()));
    assert!(stderr(&output).contains("line 1, column 22: "), "{}", stderr(&output));
    let output = run(&["logpush", "convert", "--format", "json", lossy], "");
    assert_eq!(output.status.code(), Some(1));
    let result: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!((&result["ok"], &result["text"]), (&json!(false), &Value::Null));
    // Bytes from 0, characters from 1.
    let position = ["start", "end", "line", "column"].map(|member| result["losses"][0][member].as_u64().unwrap());
    assert_eq!(position, [22, 35, 1, 22]);
    let converted = run(&["logpush", "convert", "--format", "json", SERVER_ERRORS], "");
    let result: Value = serde_json::from_str(&stdout(&converted)).unwrap();
    assert_eq!(result, json!({"ok": true, "text": expression, "losses": []}));
    for (invalid, code) in [("{", 1), ("http.hots eq \"a\"", 1), ("nonsense", 2), ("folder/filter.json", 2)] {
        let output = run(&["logpush", "convert", invalid], "");
        assert_eq!(output.status.code(), Some(code), "{invalid}");
        assert!(stderr(&output).contains("error["), "{invalid}");
        assert_eq!(stderr(&output).contains("no such file"), code == 2, "{invalid}");
    }
}

#[test]
fn explain_describes_filters() {
    let explanation = "Sends only lines where the edge response status is at least 500.";
    assert_eq!(stdout(&run(&["logpush", "explain"], SERVER_ERRORS)), format!("{explanation}\n"));
    let output = run(&["logpush", "explain", "--format", "json"], SERVER_ERRORS);
    let result: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!((&result[0]["ok"], &result[0]["text"]), (&json!(true), &json!(explanation)));
    let invalid = run(&["logpush", "explain"], "{");
    assert_eq!((invalid.status.code(), stdout(&invalid)), (Some(1), String::new()));
    assert!(stderr(&invalid).contains("error[unclosed-delimiter]"), "{}", stderr(&invalid));
}

#[test]
fn sql_prints_a_query_or_rejects_the_job() {
    let sql = |job: &Value, dialect: &str| {
        run(&["logpush", "sql", "--dialect", dialect, "--location", "./logs"], job.to_string())
    };
    let fields = json!({"field_names": ["RayID"]});
    let mut job = json!({"destination_conf": "gs://bucket", "filter": SERVER_ERRORS, "output_options": fields});
    for (dialect, quoted) in [("spark", "`RayID`"), ("datafusion", "\"RayID\"")] {
        let output = sql(&job, dialect);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(stdout(&output).contains("\nWHERE ") && stdout(&output).contains(quoted), "{}", stdout(&output));
    }
    let account_job = json!({"dataset": "workers_trace_events", "destination_conf": "gs://bucket"});
    assert_eq!(sql(&account_job, "spark").status.code(), Some(0));
    for (member, invalid) in [("filter", "{"), ("frequency", "never"), ("dataset", "nowhere")] {
        let valid = std::mem::replace(&mut job[member], json!(invalid));
        let output = sql(&job, "spark");
        assert_eq!((output.status.code(), stdout(&output)), (Some(1), String::new()), "{member}");
        // The error is the only output.
        let message = stderr(&output);
        assert!(message.starts_with(&format!("zonewright: <stdin>: /{member}: ")), "{message}");
        assert_eq!(message.matches("zonewright: ").count(), 1, "{message}");
        job[member] = valid;
    }
    assert_eq!(run(&["logpush", "sql", "--dialect", "spark", "--location", "x"], "{").status.code(), Some(2));
    assert_eq!(run(&["logpush", "sql", "--dialect", "oracle", "--location", "x"], "{}").status.code(), Some(2));
}

#[test]
fn try_with_a_missing_file_names_it_and_the_remedy() {
    let output = run(&["logpush", "try", SERVER_ERRORS, "nowhere.ndjson"], "");
    assert_eq!((output.status.code(), stdout(&output)), (Some(2), String::new()));
    let expected = "zonewright: nowhere.ndjson: no such file; name a file with log lines, or none for standard input";
    assert_eq!(stderr(&output).lines().next(), Some(expected));
}

#[test]
fn sql_errors_name_the_file_and_the_pointer() {
    for (job, expected) in [
        ("[]", "<stdin>: a job must be an object, not an array"),
        ("[1,2\n", "<stdin>: invalid JSON: EOF while parsing a list at line 2 column 1"),
        ("", "<stdin>: the input is empty"),
    ] {
        let output = run(&["logpush", "sql", "--dialect", "spark", "--location", "x"], job);
        assert_eq!((stderr(&output), output.status.code()), (format!("zonewright: {expected}\n"), Some(2)));
    }
    let output = run(&["logpush", "sql", "--dialect", "spark", "--location", "x"], r#"{"a": 1}"#);
    assert!(stderr(&output).contains("zonewright: <stdin>: /a: a job has no member `a`"), "{}", stderr(&output));
}
