//! `zonewright migrate` for zone configurations.

use crate::support::{run, stderr, stdout};
use serde_json::{Value, json};

fn blocked_config() -> Value {
    json!({"plan": "enterprise", "zone": "example.com", "overrides": {"result": [{"id": "0f", "urls": ["example.com/*"]}]}})
}

/// The configuration of a zone that is eligible in the second phase but not in the first.
fn config_with_core_rules() -> String {
    let core = json!({"id": "c504870194831cd12c3fc0284f294abb", "detection_mode": "anomaly", "sensitivity": "high"});
    json!({"plan": "pro", "packages": [core]}).to_string()
}

#[test]
fn exit_code_and_first_line_reflect_eligibility() {
    let good = json!({"plan": "pro"}).to_string();
    let cases: [(&[&str], String, &str, i32); 11] = [
        (&["migrate", "check", "-"], good.clone(), "The zone can migrate.", 0),
        (&["migrate", "check", "-", "--phase-one"], config_with_core_rules(), "The zone cannot migrate yet.", 1),
        (&["migrate", "check", "-"], blocked_config().to_string(), "The zone cannot migrate yet.", 1),
        (&["migrate", "check", "-"], json!({"plan": "free"}).to_string(), "The zone cannot migrate.", 1),
        (&["migrate", "plan", "-", "--format", "json"], good.clone(), "{", 0),
        (&["migrate", "report", "-"], good.clone(), "# Migration of an unnamed zone to ruleset-based managed rules", 0),
        (&["migrate", "report", "-", "--format", "html"], good.clone(), "<!doctype html>", 0),
        (&["migrate", "check", "-", "--plan", "business"], json!({}).to_string(), "The zone can migrate.", 0),
        (&["migrate", "check", "-"], "{".to_owned(), "", 2),
        (&["migrate", "check", "missing.json"], String::new(), "", 2),
        (&["migrate", "plan"], String::new(), "", 2),
    ];
    for (arguments, input, first, code) in cases {
        let output = run(arguments, input);
        let result = stdout(&output);
        assert_eq!(
            (result.lines().next().unwrap_or_default(), output.status.code()),
            (first, Some(code)),
            "{arguments:?}"
        );
    }
}

#[test]
fn plan_in_json_has_ruleset_and_findings_with_drafts() {
    let output = run(&["migrate", "plan", "-", "--format", "json"], blocked_config().to_string());
    assert_eq!(output.status.code(), Some(1));
    let result: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!((&result["compatible"], &result["ruleset"]["name"]), (&json!(false), &json!("default")));
    let findings = result["findings"].as_array().unwrap();
    let finding = findings.iter().find(|finding| finding["setting"] == "/overrides/0").unwrap();
    assert_eq!((&finding["outcome"], &finding["code"]), (&json!("blocked"), &json!("override-blocks")));
    assert_eq!(finding["draft"], json!({"method": "DELETE", "path": "/zones/{zone_id}/firewall/waf/overrides/0f"}));
}

#[test]
fn plan_check_and_report_share_one_json_shape() {
    for verb in ["plan", "check", "report"] {
        let output = run(&["migrate", verb, "-", "--format", "json"], blocked_config().to_string());
        let result: Value = serde_json::from_str(&stdout(&output)).unwrap();
        let members: Vec<&str> = result.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(members, ["compatible", "findings", "ruleset", "warnings"], "{verb}");
        assert_eq!(result["compatible"], false, "{verb}");
    }
}

#[test]
fn unlisted_managed_rules_warn_without_changing_the_exit_code() {
    let parameters = json!({"id": "efb7b8c949ac4650a09736fc376e9aee",
        "overrides": {"categories": [{"category": "of-tomorrow", "enabled": false}]}});
    let rule = json!({"id": "b", "version": "1", "action": "execute", "expression": "true", "enabled": true,
        "action_parameters": parameters});
    let entry_point = json!({"id": "a", "name": "default", "kind": "zone", "phase": "http_request_firewall_managed",
        "version": "1", "last_updated": "2022-09-19T10:00:00Z", "rules": [rule]});
    let config = json!({"plan": "pro", "entry_point": entry_point}).to_string();
    let pointer = "/entry_point/rules/0/action_parameters/overrides/categories/0/category";
    let message = "the category `of-tomorrow` of the Cloudflare Managed Ruleset is not in the catalog of this version, \
                   so its existence was not verified";
    for verb in ["plan", "check", "report"] {
        let output = run(&["migrate", verb, "-", "--format", "json"], config.clone());
        let result: Value = serde_json::from_str(&stdout(&output)).unwrap();
        assert_eq!(result["warnings"], json!([{"pointer": pointer, "message": message}]), "{verb}");
        assert_eq!(output.status.code(), Some(0), "{verb}");
        let output = run(&["migrate", verb, "-"], config.clone());
        // Markdown escapes some characters.
        let text = stdout(&output).replace('\\', "");
        assert!(text.contains(pointer) && text.contains(message), "{verb}: {text}");
        assert_eq!(output.status.code(), Some(0), "{verb}");
    }
}

#[test]
fn config_errors_have_json_pointers() {
    let config = json!({"plan": "pro", "groups": [{"id": "a", "mode": "maybe"}], "rule": []}).to_string();
    let output = run(&["migrate", "plan", "-"], config.clone());
    assert_eq!((stdout(&output), output.status.code()), (String::new(), Some(2)));
    assert!(
        stderr(&output).contains("zonewright: <stdin>: /groups/0: `mode` must be `on` or `off`, not `maybe`"),
        "{output:?}"
    );
    let output = run(&["migrate", "plan", "-", "--format", "json"], config);
    let result: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let pointers: Vec<&str> =
        result["errors"].as_array().unwrap().iter().map(|error| error["pointer"].as_str().unwrap()).collect();
    assert_eq!(pointers, ["/rule", "/groups/0"]);
}

#[test]
fn duplicate_member_is_rejected_and_byte_order_mark_accepted() {
    let config =
        |before: &str, extra_members: &str| format!("{before}{{\"plan\": \"pro\", \"overrides\": []{extra_members}}}");
    let twice = config("", ",\n \"overrides\": []");
    for verb in ["plan", "check", "report"] {
        let output = run(&["migrate", verb, "-"], twice.clone());
        assert_eq!((stdout(&output), output.status.code()), (String::new(), Some(2)), "{verb}");
        let expected = "/overrides: duplicate member; the second occurrence is at line 2 column 2";
        assert!(stderr(&output).contains(expected), "{output:?}");
        let marked = run(&["migrate", verb, "-"], config("\u{feff}", ""));
        assert_eq!(marked.status.code(), Some(0), "{marked:?}");
        assert_eq!(marked.stdout, run(&["migrate", verb, "-"], config("", "")).stdout, "{verb}");
    }
    let rules = r#"[{"id": "a", "action": "block", "action": "allow", "filter": {"id": "f", "expression": "ssl"}}]"#;
    let output = run(&["migrate", "convert", "-"], rules.to_owned());
    assert!(stderr(&output).contains("/0/action: duplicate member"), "{output:?}");
}

#[test]
fn errors_of_input_name_no_rust_types() {
    for (verb, input, expected) in [
        ("convert", "[1]", "<stdin>: /0: must be an object, not 1"),
        ("convert", "{\"a\":1}", "<stdin>: expected a list of firewall rules, not an object"),
        ("convert", "{\"result\":[{}]}", "<stdin>: /result/0: `id` is missing"),
        (
            "check",
            "{\"plan\":\"pro\",\"overrides\":[{\"id\":1}]}",
            "<stdin>: /overrides/0: `id` must be a string, not 1",
        ),
        ("check", "", "<stdin>: the input is empty"),
        ("check", "[1,2\n", "<stdin>: invalid JSON: EOF while parsing a list at line 2 column 1"),
    ] {
        let output = run(&["migrate", verb, "-"], input);
        assert_eq!(stderr(&output), format!("zonewright: {expected}\n"), "{verb} {input}");
    }
}

#[test]
fn convert_turns_firewall_rules_into_custom_rules() {
    let rule = |id: &str, action: &str| json!({"id": id, "action": action, "filter": {"id": "f", "expression": "ssl"}});
    let api_response = json!({"result": [rule("a", "block"), rule("b", "allow")], "success": true}).to_string();
    let output = run(&["migrate", "convert", "-", "--format", "json"], api_response);
    assert_eq!(output.status.code(), Some(0));
    let result: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let actions: Vec<&str> =
        result["rules"].as_array().unwrap().iter().map(|rule| rule["action"].as_str().unwrap()).collect();
    assert_eq!(actions, ["skip", "block"]);
    let output = run(&["migrate", "convert", "-"], json!([rule("a", "allow"), {"id": "b"}]).to_string());
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn missing_file_is_reported_with_what_it_should_contain() {
    for (verb, contents) in [
        ("plan", "the configuration of the zone"),
        ("check", "the configuration of the zone"),
        ("report", "the configuration of the zone"),
        ("convert", "the firewall rules"),
    ] {
        let output = run(&["migrate", verb, "nowhere.json"], "");
        let expected = format!("zonewright: nowhere.json: no such file; name a file with {contents}\n");
        assert_eq!((output.status.code(), stderr(&output)), (Some(2), expected));
    }
}

#[test]
fn errors_in_an_envelope_point_into_its_result() {
    for (verb, input, pointer) in [
        ("plan", r#"{"plan": "pro", "groups": {"result": [7]}}"#, "/groups/result/0"),
        ("convert", r#"{"result": 7}"#, "/result"),
    ] {
        let output = run(&["migrate", verb, "-"], input);
        assert!(stderr(&output).starts_with(&format!("zonewright: <stdin>: {pointer}: ")), "{}", stderr(&output));
    }
}

#[test]
fn check_lists_the_sections_that_were_not_provided() {
    let check = |config: Value| stdout(&run(&["migrate", "check", "-"], config.to_string()));
    let all = "Not provided: settings, packages, groups, rules, overrides, firewall_rules, page_rules\n  \
               The result assumes that these sections are empty or have default values.\n";
    assert_eq!(check(json!({"plan": "pro"})), format!("The zone can migrate.\n\n{all}"));
    let mut config = json!({"plan": "pro", "settings": {"waf": "on"}});
    for name in ["packages", "groups", "rules", "overrides", "firewall_rules"] {
        config[name] = json!([]);
    }
    assert!(check(config.clone()).contains("\n\nNot provided: page_rules\n"));
    config["page_rules"] = json!([]);
    assert_eq!(check(config), "The zone can migrate.\n");
}

#[test]
fn plan_names_missing_sections_and_does_not_call_them_lost() {
    let text = stdout(&run(&["migrate", "plan", "-"], json!({"plan": "pro"}).to_string()));
    let expected = "Not provided: settings, packages, groups, rules, overrides, firewall_rules, page_rules\n  \
                    The result assumes that these sections are empty or have default values.\n\nNew configuration:\n";
    assert!(text.contains(expected) && !text.contains("Lost"), "{text}");
    let free = stdout(&run(&["migrate", "plan", "-"], json!({"plan": "free"}).to_string()));
    assert!(!free.contains("Not provided"), "{free}");
}
