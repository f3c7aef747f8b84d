//! `zonewright check` over files and standard input.

use crate::support::{hostile_inputs, run, stderr, stdout, zonewright};
use serde_json::{Value, json};
use std::fs;
use std::io::{Read, Write};
use std::process::Stdio;

const INVALID: &str = "ssl and http.hots eq 'a'";
/// A valid expression with one lint, which is a warning.
const SUSPICIOUS: &str = "not not ssl";

fn exit_code(arguments: &[&str], input: &str) -> i32 {
    run(arguments, input).status.code().unwrap()
}

#[test]
fn exit_code_reflects_errors_and_options() {
    let cases: [(&[&str], &str, i32); 23] = [
        (&["check"], "ssl", 0),
        (&["check"], "ssl\n", 0),
        (&["check"], "ssl\r\n", 0),
        (&["check", "-"], "ssl", 0),
        (&["check", "-"], INVALID, 1),
        (&["check", "--kind", "value"], "lower(http.host)", 0),
        (&["check", "--kind", "expression"], "lower(http.host)", 1),
        (&["check", "--phase", "http_ratelimit"], "http.response.code eq 401", 1),
        (&["check", "--phase", "http_ratelimit", "--kind", "counting"], "http.response.code eq 401", 0),
        (&["check", "--plan", "enterprise"], "http.host matches \"a\"", 0),
        (&["check", "--plan", "free"], "http.host matches \"a\"", 1),
        (&["check", "--phase", "http_request_firewall_custom"], "http.response.code eq 200", 1),
        (&["check", "--phase", "nowhere"], "ssl", 2),
        (&["check", "--plan", "gold"], "ssl", 2),
        (&["check", "--nonsense"], "ssl", 2),
        (&["check"], SUSPICIOUS, 0),
        (&["check", "--deny-warnings"], SUSPICIOUS, 1),
        (&["check", "--deny-warnings", "--no-lint"], SUSPICIOUS, 0),
        (&["check", "--deny-warnings", "--allow", "double-negation"], SUSPICIOUS, 0),
        (&["check", "--deny-warnings"], "((ssl))", 0),
        (&["check", "--allow", "unknown-field"], "ssl", 2),
        (&["check", "--allow", "double-negation", "--no-lint"], "ssl", 2),
        (&[], "", 2),
    ];
    for (arguments, input, expected) in cases {
        assert_eq!(exit_code(arguments, input), expected, "{arguments:?} {input:?}");
    }
}

#[test]
fn output_in_a_pipe_has_location_and_no_color() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rule.txt");
    fs::write(&file, format!("{INVALID}\n")).unwrap();
    let output = run(&["check", file.to_str().unwrap()], "");
    let rendered_text = stdout(&output);
    assert!(rendered_text.contains("error[unknown-field]"), "{rendered_text}");
    assert!(rendered_text.contains("rule.txt:1:9"), "{rendered_text}");
    assert!(rendered_text.contains("| ssl and http.hots eq 'a'\n"), "{rendered_text}");
    assert!(rendered_text.contains("|         ^^^^^^^^^"), "{rendered_text}");
    assert!(rendered_text.contains("1 expression checked: 2 errors"), "{rendered_text}");
    assert!(!rendered_text.contains('\u{1b}'), "{rendered_text}");
    assert_eq!(stderr(&output), "");
}

#[test]
fn valid_expression_reports_no_problems() {
    assert_eq!(stdout(&run(&["check"], "ssl\n")), "1 expression checked: no problems\n");
}

#[test]
fn lints_are_reported_unless_allowed() {
    let source = "not not ssl and http.host matches \"^a\"";
    let rendered = |arguments: &[&str]| stdout(&run(&[&["check"], arguments].concat(), source));
    assert!(rendered(&[]).contains("1 expression checked: 1 warning, 1 hint"), "{}", rendered(&[]));
    let allowed = rendered(&["--allow", "needless-regex", "--allow", "double-negation"]);
    assert_eq!(allowed, "1 expression checked: no problems\n");
    assert_eq!(rendered(&["--no-lint"]), "1 expression checked: no problems\n");
    let results: Value = serde_json::from_str(&rendered(&["--format", "json"])).unwrap();
    assert_eq!(results[0]["ok"], true);
    assert_eq!(results[0]["diagnostics"][0]["code"], "double-negation");
    assert_eq!(results[0]["diagnostics"][0]["fixes"][0]["safe"], true);
}

#[test]
fn unreadable_files_are_reported_and_the_others_checked() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("good"), "ssl").unwrap();
    fs::write(path("bad"), "sll").unwrap();
    fs::write(path("binary"), b"ssl\xff\xfe").unwrap();
    let files = [path("good"), path("missing"), path("binary"), path("."), path("bad")];
    let arguments: Vec<&str> = ["check"].into_iter().chain(files.iter().map(String::as_str)).collect();
    let output = run(&arguments, "");
    assert_eq!(output.status.code(), Some(2));
    let stderr_text = stderr(&output);
    assert!(stderr_text.contains("missing: no such file"), "{stderr_text}");
    assert!(stderr_text.contains("binary: the input is not valid UTF-8: invalid byte at offset 3"), "{stderr_text}");
    assert!(stdout(&output).contains("2 expressions checked: 1 error"), "{}", stdout(&output));

    let output = run(&[&arguments[..], &["--format", "json"]].concat(), "");
    assert_eq!(output.status.code(), Some(2));
    let results: Value = serde_json::from_slice(&output.stdout).unwrap();
    let ok: Vec<bool> = results.as_array().unwrap().iter().map(|result| result["ok"].as_bool().unwrap()).collect();
    assert_eq!(ok, [true, false, false, false, false]);
    assert_eq!(results[0], json!({"file": files[0], "ok": true, "diagnostics": []}));
    assert_eq!(results[2]["error"], "the input is not valid UTF-8: invalid byte at offset 3");
    assert_eq!(results[4]["error"], Value::Null);
    assert_eq!(results[4]["diagnostics"][0]["code"], "unknown-field");
}

#[test]
fn json_output_has_byte_offsets_and_fixes() {
    let source = "http.user_agent contains \"é🦀\"\nor http.host eq 'ü'";
    let output = run(&["check", "--format", "json"], format!("{source}\n"));
    let results: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(results[0]["file"], "-");
    let diagnostic = &results[0]["diagnostics"][0];
    let offset = |name: &str| usize::try_from(diagnostic[name].as_u64().unwrap()).unwrap();
    assert_eq!(diagnostic["code"], "single-quotes");
    assert_eq!(diagnostic["severity"], "error");
    assert_eq!(&source[offset("start")..offset("end")], "'ü'");
    assert_eq!((offset("line"), offset("column")), (2, 17));
    assert_eq!(diagnostic["fixes"][0]["safe"], true);
    let mut members: Vec<&String> = diagnostic.as_object().unwrap().keys().collect();
    members.sort();
    assert_eq!(members, ["code", "column", "end", "fixes", "help", "line", "message", "severity", "start"]);
    let edit = &diagnostic["fixes"][0]["edits"][0];
    let mut members: Vec<&String> = edit.as_object().unwrap().keys().collect();
    members.sort();
    assert_eq!(members, ["end", "start", "text"]);
}

#[test]
fn help_lists_phases_plans_and_the_json_format() {
    let help = stdout(&run(&["check", "--help"], ""));
    for part in ["http_request_firewall_custom", "enterprise", "\"diagnostics\"", "--ndjson", "Exit code"] {
        assert!(help.contains(part), "{part}");
    }
}

#[test]
fn hostile_input_yields_a_diagnostic() {
    for (name, source) in hostile_inputs() {
        for format in ["text", "json"] {
            let output = run(&["check", "--format", format], source.clone());
            assert_eq!(output.status.code(), Some(1), "{name}: {}", stderr(&output));
            assert!(!output.stdout.contains(&0), "{name}");
            assert!(output.stdout.len() < 50_000_000, "{name}: {} bytes", output.stdout.len());
        }
    }
    assert_eq!(exit_code(&["check"], "ssl"), 0);
}

#[test]
fn oversized_input_is_rejected() {
    let output = run(&["check"], "a".repeat(17 * 1024 * 1024));
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("larger than 16 MiB"));
}

#[test]
fn broken_pipe_does_not_panic() {
    for arguments in [&["check"][..], &["check", "--format", "json"], &["check", "--ndjson"]] {
        let mut child =
            zonewright(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().unwrap();
        // Writing fails once the process has exited, which is fine here.
        let _ = stdin.write_all("{\"source\":\"ssl\"}\n".repeat(100).as_bytes());
        drop(stdin);
        let mut stderr_text = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr_text).unwrap();
        assert_eq!(stderr_text, "", "{arguments:?}");
        assert!(child.wait().unwrap().code().is_some(), "{arguments:?}");
    }
}
