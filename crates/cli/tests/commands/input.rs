//! Files and standard input: the behavior that all commands share.

use crate::support::{run, stderr, stdout};
use std::fs;

const FILTER: &str = r#"{"where":{"key":"ClientCountry","operator":"eq","value":"ca"}}"#;
const LINE: &str = r#"{"ClientCountry":"ca"}"#;

#[test]
fn repeated_standard_input_is_rejected() {
    let commands: [&[&str]; 8] = [
        &["check", "-", "-"],
        &["explain", "-", "-"],
        &["format", "-", "-"],
        &["equivalent", "-", "-"],
        &["logpush", "check", "-", "-"],
        &["logpush", "explain", "-", "-"],
        &["logpush", "try", "-", "-"],
        &["logpush", "try", FILTER, "-", "-"],
    ];
    for arguments in commands {
        let input = if arguments.contains(&"logpush") { FILTER } else { "ssl" };
        let output = run(arguments, input);
        assert_eq!(output.status.code(), Some(2), "{arguments:?} {}", stderr(&output));
        let expected = "<stdin>: cannot read the input: standard input can be read only once; pass `-` once";
        assert!(stderr(&output).contains(expected), "{arguments:?} {}", stderr(&output));
    }
}

#[test]
fn byte_order_mark_is_ignored() {
    let marked = |text: &str| format!("\u{feff}{text}\n");
    let rules = r#"["ssl"]"#;
    let request_line = r#"{"source": "ssl"}"#;
    let job = format!(
        r#"{{"dataset": "http_requests", "destination_conf": "gs://bucket", "filter": {}}}"#,
        serde_json::Value::from(FILTER)
    );
    let cases: [(&[&str], &str, &str); 14] = [
        (&["check"], "ssl", "no problems"),
        (&["check", "--ndjson"], request_line, "\"ok\":true"),
        (&["explain"], "ssl", "encrypted"),
        (&["format"], "ssl  or  ssl", "ssl or ssl"),
        (&["evaluate", "--file", "-", "--field", "ssl=true"], "ssl", "match"),
        (&["evaluate", "ssl", "--request", "-"], r#"{"ssl": true}"#, "match"),
        (&["equivalent", "-", "-e", "ssl"], "ssl", "yes"),
        (&["never-fires"], rules, "1 rule"),
        (&["logpush", "check"], FILTER, "no problems"),
        (&["logpush", "explain"], FILTER, "country"),
        (&["logpush", "evaluate", FILTER, "--line", "-"], LINE, "match"),
        (&["logpush", "try", FILTER], LINE, LINE),
        (&["logpush", "convert", "-"], FILTER, "ip.src.country"),
        (&["logpush", "sql", "--dialect", "spark", "--location", "logs"], &job, "ClientCountry"),
    ];
    for (arguments, input, expected) in cases {
        let output = run(arguments, marked(input));
        assert_eq!(output.status.code(), Some(0), "{arguments:?} {}", stderr(&output));
        assert!(stdout(&output).contains(expected), "{arguments:?} {}", stdout(&output));
        assert!(!stdout(&output).contains('\u{feff}'), "{arguments:?}");
        assert_eq!(stdout(&run(arguments, format!("{input}\n"))), stdout(&output), "{arguments:?}");
    }
}

#[test]
fn rejected_line_names_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("a.ndjson"), format!("{LINE}\n")).unwrap();
    fs::write(path("b.ndjson"), format!("{LINE}\nnot JSON\n")).unwrap();
    let output = run(&["logpush", "try", FILTER, &path("a.ndjson"), &path("b.ndjson")], "");
    assert_eq!(output.status.code(), Some(0));
    let expected = format!("{}: line 2, column 1: the line is not a JSON object\n", path("b.ndjson"));
    assert!(stderr(&output).contains(&expected), "{}", stderr(&output));
}
