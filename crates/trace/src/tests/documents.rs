use crate::read_zone;
use serde_json::json;

#[test]
fn malformed_documents_are_rejected_with_pointers() {
    let cases = [
        (json!(5), vec![""]),
        (json!({"rulesets": {}}), vec!["/rulesets"]),
        (json!({"rules_of_zone": []}), vec!["/rules_of_zone"]),
        (
            json!([{"phase": 5}, {"result": {"phase": "http_ratelimit", "kind": "zone", "rules": [{"action": "allow"}]}}]),
            vec!["/0/phase", "/1/result/rules/0"],
        ),
        (json!({"plan": "pro", "firewall_rules": [{}], "lists": []}), vec!["/firewall_rules/0", "/lists"]),
        (json!({"lists": {"office": ["nowhere/33"]}}), vec!["/lists"]),
        (json!([{"phase": "http_ratelimit", "kind": "zone"}]), vec!["/0/rules"]),
        (json!([{"phase": "http_ratelimit", "rules": {}}]), vec!["/0/rules"]),
        (json!([{"success": false, "errors": [{"code": 10000}], "result": null}]), vec!["/0/success"]),
        (
            json!([{"phase": "http_ratelimit", "rules": []}, {"phase": "http_ratelimit", "kind": "zone", "rules": []}]),
            vec!["/1"],
        ),
    ];
    for (document, expected) in cases {
        let Err(errors) = read_zone(&document) else { panic!("{document} was read") };
        assert_eq!(errors.iter().map(|error| error.pointer.as_str()).collect::<Vec<_>>(), expected, "{document}");
    }
}

#[test]
fn missing_entry_points_and_unknown_phases_are_not_errors() {
    let zone = read_zone(&json!({
        "rulesets": [
            {"success": false, "errors": [{"code": 10003}], "result": null},
            {"kind": "zone", "phase": "http_request_snippets", "rules": [{"action": "new"}]},
        ],
        "entry_point": {"rules": [{"action": "execute", "expression": "true"}]},
    }))
    .unwrap();
    assert_eq!(zone.rulesets.len(), 1);
    assert!(zone.notes[0].contains("http_request_snippets"), "{:?}", zone.notes);
}
