//! `zonewright never-fires`.

use crate::support::{hostile_inputs, run, stderr, stdout};
use serde_json::{Value, json};

#[test]
fn exit_code_and_text_reflect_the_verdict() {
    let cases: [(&[&str], &str, i32, &str); 10] = [
        (&[], "ssl\nnot ssl\n", 0, "2 rules: every rule can fire\n"),
        (&["-"], "ssl\nssl and\nhttp.host eq \"a\"\n", 2, "3 rules: 1 with errors\n"),
        (
            &[],
            "ssl\n\nssl and\n  http.host eq \"a\"\n",
            1,
            "rule 2 never fires: whenever it is true, rule 1 is true too\n  ssl and http.host eq \"a\"\n",
        ),
        (
            &["-e", "ssl", "-e", "not ssl", "-e", "true"],
            "",
            1,
            "rule 3 never fires: whenever it is true, one of rules 1, 2 is true too",
        ),
        (&["-e", "http.host eq \"a\" and http.host eq \"b\""], "", 1, "rule 1 never fires: it is never true"),
        (
            &["-e", "http.request.method eq \"get\""],
            "",
            1,
            "assuming that `http.request.method` is a single uppercase word",
        ),
        (&["-e", "concat(http.host, \"x\") eq \"ax\""], "", 3, "rule 1 is undecided: it depends on function calls"),
        (&[], "[{\"expression\": \"ssl\", \"action\": \"log\"}, {\"expression\": \"ssl\"}]", 0, "every rule can fire"),
        (&[], "", 2, ""),
        (&["missing"], "", 2, ""),
    ];
    for (arguments, input, code, expected) in cases {
        let output = run(&[&["never-fires"], arguments].concat(), input);
        assert_eq!(output.status.code(), Some(code), "{arguments:?} {input} {}", stderr(&output));
        assert!(stdout(&output).contains(expected), "{arguments:?} {}", stdout(&output));
        assert_eq!(stderr(&output).is_empty(), code != 2, "{arguments:?}");
    }
}

#[test]
fn firewall_rules_in_api_format_are_ordered_and_decided() {
    let rule = |expression: &str, action: &str, priority: Option<u32>, description: &str| json!({"filter": {"expression": expression}, "action": action, "priority": priority, "description": description});
    let mut paused = rule("true", "block", Some(0), "all");
    paused["paused"] = json!(true);
    let api_response = json!({"success": true, "result": [
        rule("http.host eq \"a\" and ssl", "block", None, "late"),
        rule("ssl", "log", Some(1), "log"),
        rule("http.host eq \"a\"", "allow", Some(2), "let in"),
        paused,
    ]});
    let output = run(&["never-fires", "--format", "json"], api_response.to_string());
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let result: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let expected = json!({"notes": [], "rules": [
        {"index": 3, "name": "all", "fires": "inactive"},
        {"index": 1, "name": "log", "fires": "yes"},
        {"index": 2, "name": "let in", "fires": "yes"},
        {"index": 0, "name": "late", "fires": "never", "why": "shadowed", "by": [2], "assumptions": []},
    ]});
    assert_eq!(result, expected);
}

#[test]
fn malformed_lists_are_reported() {
    for (name, text) in hostile_inputs() {
        let code = run(&["never-fires"], text).status.code();
        assert!(matches!(code, Some(1 | 2)), "{name}: {code:?}");
    }
    for input in ["[", "{}", "[5]", "{\"result\": null}", "[{\"action\": \"block\"}]", "\"ssl\""] {
        let output = run(&["never-fires"], input);
        assert_eq!((output.status.code(), stdout(&output)), (Some(2), String::new()), "{input}");
        assert!(stderr(&output).starts_with("zonewright: <stdin>: "), "{}", stderr(&output));
    }
}
