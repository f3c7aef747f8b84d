//! `zonewright trace`.

use crate::support::{hostile_inputs, run, stderr, stdout};
use serde_json::{Value, json};

fn zone() -> String {
    json!({
        "rulesets": [
            {"kind": "zone", "phase": "http_request_transform", "name": "Rewrites", "rules": [
                {"action": "rewrite", "expression": "http.request.uri.path eq \"/a\"", "description": "Move",
                 "action_parameters": {"uri": {"path": {"value": "/b"}}}},
            ]},
            {"kind": "zone", "phase": "http_request_firewall_custom", "rules": [
                {"action": "skip", "expression": "ip.src in $office", "description": "Office",
                 "action_parameters": {"ruleset": "current"}},
                {"action": "block", "expression": "http.request.uri.path eq \"/b\"", "description": "Block b"},
            ]},
        ],
        "lists": {"office": ["192.0.2.0/24"]},
    })
    .to_string()
}

#[test]
fn text_says_what_each_rule_does_and_what_is_missing() {
    let folder = tempfile::TempDir::new().unwrap();
    let request = folder.path().join("request");
    std::fs::write(&request, "https://example.com/a").unwrap();
    let request = request.to_str().unwrap();
    let cases: [(&[&str], i32, &[&str]); 4] = [
        (
            &["--field", "ip.src=198.51.100.1"],
            0,
            &[
                "http.request.uri.path: \"/a\" -> \"/b\"",
                "result: rule `Block b` (/rulesets/1/rules/1) blocks the request\n",
            ],
        ),
        (&["--field", "ip.src=192.0.2.1"], 0, &["  - block: Block b\n      skipped", "reaches the origin"]),
        (&[], 0, &["depends on ip.src", "result: unknown; 1 rule might end the request\n"]),
        (&["--field", "ip.src=nowhere"], 2, &[]),
    ];
    for (arguments, code, expected) in cases {
        let output = run(&[&["trace", "-", "--request", request], arguments].concat(), zone());
        assert_eq!(output.status.code(), Some(code), "{arguments:?} {}", stderr(&output));
        for text in expected {
            assert!(stdout(&output).contains(text), "{arguments:?} {text}: {}", stdout(&output));
        }
    }
}

#[test]
fn json_has_pointers_and_truth_values() {
    let output = run(&["trace", "-", "--format", "json", "--field", "http.request.uri.path=/b"], zone());
    let trace: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(trace["reaches_origin"], "unknown");
    assert_eq!(trace["terminating_rules"][0]["pointer"], "/rulesets/1/rules/1");
    assert_eq!(trace["terminating_rules"][0]["terminates"], "unknown");
    assert_eq!(trace["phases"][0]["rules"][0]["matches"], false);
    assert_eq!(trace["phases"][1]["rules"][0]["depends_on"], json!(["ip.src"]));
}

#[test]
fn invalid_condition_exits_with_1() {
    let zone =
        json!([{"phase": "http_request_firewall_custom", "rules": [{"action": "block", "expression": "no.such"}]}]);
    let output = run(&["trace", "-"], zone.to_string());
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("error: unknown field `no.such`"), "{}", stdout(&output));
}

#[test]
fn hostile_zones_are_errors() {
    for (name, input) in hostile_inputs() {
        let output = run(&["trace", "-"], input);
        assert_eq!(output.status.code(), Some(2), "{name}: {}", stderr(&output));
    }
}
