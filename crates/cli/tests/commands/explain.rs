//! `zonewright explain` over files and standard input.

use crate::support::{hostile_inputs, run, stderr, stdout};
use serde_json::{Value, json};
use std::fs;

#[test]
fn exit_code_and_text_match_the_expression() {
    let cases: [(&[&str], &str, &str, i32); 7] = [
        (&["explain"], "not ssl\n", "The rule applies when the connection is not encrypted.\n", 0),
        (
            &["explain", "-"],
            "ssl and http.host eq \"a\"",
            "The rule applies when both of these are true:\n- the connection is encrypted\n- the host is `a`\n",
            0,
        ),
        (&["explain", "--kind", "value"], "lower(http.host)", "The value is the host in lowercase.\n", 0),
        (&["explain"], "http.hots eq \"a\"", "The rule applies when `http.hots` is `a`.\n", 1),
        (&["explain"], "http.host eq 'a'", "", 1),
        (&["explain", "--phase", "nowhere"], "ssl", "", 2),
        (&["explain", "--format", "xml"], "ssl", "", 2),
    ];
    for (arguments, input, expected, code) in cases {
        let output = run(arguments, input);
        assert_eq!((stdout(&output).as_str(), output.status.code()), (expected, Some(code)), "{arguments:?} {input:?}");
    }
}

#[test]
fn several_files_have_headings_and_problems_go_to_stderr() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("a"), "ssl\n").unwrap();
    fs::write(path("b"), "sll\n").unwrap();
    let output = run(&["explain", &path("a"), &path("b"), &path("missing")], "");
    assert_eq!(output.status.code(), Some(2));
    let expected = format!(
        "{}:\nThe rule applies when the connection is encrypted.\n\n{}:\nThe rule applies when `sll` is true.\n",
        path("a"),
        path("b")
    );
    assert_eq!(stdout(&output), expected);
    let message = stderr(&output);
    assert!(message.contains("error[unknown-field]") && message.contains("missing: no such file"), "{message}");
}

#[test]
fn json_output_has_sentences_and_a_tree_with_byte_offsets() {
    let source = "http.host eq \"é\" and not (ssl or sip)";
    let output = run(&["explain", "--format", "json"], source);
    assert_eq!(output.status.code(), Some(0));
    let results: Value = serde_json::from_slice(&output.stdout).unwrap();
    let result = &results[0];
    assert_eq!((&result["file"], &result["ok"], &result["diagnostics"]), (&json!("-"), &json!(true), &json!([])));
    let sentences = result["sentences"].as_array().unwrap();
    let depths: Vec<u64> = sentences.iter().map(|sentence| sentence["depth"].as_u64().unwrap()).collect();
    assert_eq!(depths, [0, 1, 1, 2, 2]);
    let offset = |sentence: &Value, name: &str| usize::try_from(sentence[name].as_u64().unwrap()).unwrap();
    assert_eq!(&source[offset(&sentences[1], "start")..offset(&sentences[1], "end")], "http.host eq \"é\"");
    let tree = &result["tree"];
    let not = &tree["children"][1];
    let kinds = [&tree["kind"], &tree["children"][0]["kind"], &not["kind"], &not["children"][0]["kind"]];
    assert_eq!(kinds, [&json!("all"), &json!("condition"), &json!("not"), &json!("any")]);
    assert_eq!(&source[offset(not, "start")..offset(not, "end")], "not (ssl or sip)");

    let output = run(&["explain", "--format", "json", "-", "nowhere"], "(ssl");
    assert_eq!(output.status.code(), Some(2));
    let results: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&results[0]["tree"], &results[0]["text"]), (&Value::Null, &json!("")));
    assert_eq!(results[0]["diagnostics"][0]["code"], "unclosed-delimiter");
    assert!(results[1]["error"].as_str().unwrap().contains("no such file"));
}

#[test]
fn hostile_input_yields_a_diagnostic() {
    for (name, source) in hostile_inputs() {
        let output = run(&["explain"], source);
        assert_eq!(output.status.code(), Some(1), "{name}");
        assert!(output.stdout.len() < 1_000_000, "{name}: {} bytes", output.stdout.len());
    }
}
