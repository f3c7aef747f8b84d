//! `zonewright equivalent`.

use crate::support::{run, stderr, stdout};
use serde_json::{Value, json};
use std::fs;

const EITHER: &str = "http.host eq \"a\" or http.host eq \"b\"";
const SET: &str = "http.host in {\"a\" \"b\"}";

#[test]
fn exit_code_and_text_reflect_the_verdict() {
    let undecided = "concat(http.host, \"x\") eq \"ax\"";
    let cases: [(&[&str], &str, i32, &str); 9] = [
        (&["-e", EITHER, "-e", SET], "", 0, "yes\n"),
        (&["-", "-e", SET], EITHER, 0, "yes\n"),
        (
            &["-e", "http.host ne \"a\"", "-e", "not http.host eq \"a\""],
            "",
            0,
            "every request has a value for `http.host`",
        ),
        (&["-e", SET, "-e", "http.host eq \"a\""], "", 1, "\"http.host\": \"b\""),
        (&["--subsumes", "-e", SET, "-e", "http.host eq \"a\""], "", 0, "yes\n"),
        (&["-e", undecided, "-e", "http.host eq \"a\""], "", 3, "undecided: it depends on"),
        (&["-e", SET], "", 2, ""),
        (&["-e", SET, "-e", "http.hots"], "", 2, ""),
        (&["-e", SET, "missing"], "", 2, ""),
    ];
    for (arguments, input, code, expected) in cases {
        let output = run(&[&["equivalent"], arguments].concat(), input);
        assert_eq!(output.status.code(), Some(code), "{arguments:?} {}", stderr(&output));
        assert!(stdout(&output).contains(expected), "{arguments:?} {}", stdout(&output));
        assert_eq!(stderr(&output).is_empty(), code != 2, "{arguments:?}");
    }
}

#[test]
fn files_are_compared_and_reported_as_json() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("a"), format!("{SET}\n")).unwrap();
    fs::write(path("b"), "http.request.headers[\"x\"][0] ne \"a\"\n").unwrap();
    fs::write(path("c"), "not http.request.headers[\"x\"][0] eq \"a\"\n").unwrap();
    let compare = |first: &str, second: &str| {
        let output = run(&["equivalent", "--format", "json", &path(first), &path(second)], "");
        serde_json::from_str::<Value>(&stdout(&output)).unwrap()
    };
    assert_eq!(compare("a", "a"), json!({ "answer": "yes", "assumptions": [] }));
    let result = compare("b", "c");
    assert_eq!(result["answer"], "no");
    assert_eq!((&result["first"], &result["second"]), (&json!(false), &json!(true)));
    assert!(result["fields"].is_object());
    assert_eq!(result["lists"], json!({}));
}

#[test]
fn counterexample_over_a_named_list_includes_its_items() {
    let question = ["equivalent", "-e", "ip.src in $office", "-e", "not ip.src in $office"];
    let output = run(&question, "");
    assert!(stdout(&output).contains("as the items of $office"), "{}", stdout(&output));
    let output = run(&[&question[..], &["--format", "json"]].concat(), "");
    let result: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert!(result["lists"]["office"].is_array(), "{result}");
}

#[test]
fn error_in_an_expression_names_the_expression() {
    let output = run(&["equivalent", "-e", SET, "-e", "http.hots"], "");
    let message = stderr(&output);
    assert!(message.contains("zonewright: <expression 2>: the expression has errors"), "{message}");
    assert!(!message.contains("<expression 1>"), "{message}");
}
