//! Tests the bodies that create a ruleset or change a rule.

use super::*;
use zonewright_api::ruleset::RulesetAction;

#[test]
fn errors_of_new_rulesets_have_pointers() {
    let known = RulesetCatalog { managed: &[], custom: &[] };
    let body = |name: &str, kind: &str, phase: &str| json!({"name": name, "kind": kind, "phase": phase, "rules": []});
    let cases = [
        (Level::Zone, body("a", "zone", "http_ratelimit"), vec![]),
        (Level::Account, body("a", "custom", "http_ratelimit"), vec![]),
        (Level::Account, body("a", "root", "magic_transit"), vec![]),
        (Level::Zone, body("", "custom", "http_ratelimits"), vec!["/name", "/kind", "/phase"]),
        (Level::Zone, body("a", "zone", "ddos_l4"), vec!["/phase"]),
        (Level::Account, body("a", "custom", "http_request_transform"), vec!["/phase"]),
        (Level::Account, body("a", "managed", "ddos_l4"), vec!["/kind"]),
        (Level::Zone, json!({}), vec!["/name", "/kind", "/phase", "/rules"]),
        (Level::Zone, json!({"name": "a", "kind": "zone", "phase": "http_ratelimit"}), vec!["/rules"]),
    ];
    for (level, body, expected) in cases {
        let errors = read_ruleset(&body, level, Tier::Enterprise, known).err().unwrap_or_default();
        let pointers: Vec<&str> = errors.iter().map(|error| error.pointer.as_str()).collect();
        assert_eq!(pointers, expected, "{body}");
    }
}

#[test]
fn rule_changes_are_read_or_rejected_with_pointers() {
    let known = RulesetCatalog { managed: &[], custom: &[] };
    let context = RulesetContext::entry_point(Level::Zone, Phase::HttpRequestFirewallCustom, Tier::Enterprise, known);
    let read = |body: &Value| read_ruleset_rule_change(body, ID, &context);
    let position = |position: Value| read(&json!({ "position": position })).map(|change| change.position.unwrap());
    assert_eq!(read(&json!({"enabled": false, "id": ID})).unwrap().enabled, Some(false));
    assert_eq!(position(json!({"before": ""})), Ok(Position::First));
    assert_eq!(position(json!({"after": ""})), Ok(Position::Last));
    assert_eq!(position(json!({"after": "x"})), Ok(Position::After("x".to_owned())));
    assert_eq!(position(json!({"index": 2, "before": null})), Ok(Position::Index(2)));
    assert_eq!(position(json!({"index": 2.0})), Ok(Position::Index(2)));
    let whole =
        read(&json!({"action": "block", "expression": "ssl", "enabled": false, "position": {"index": 1}})).unwrap();
    let definition = whole.definition.unwrap();
    assert_eq!((definition.action, definition.enabled, definition.id.as_str()), (RulesetAction::Block, false, ID));
    let cases = [
        (json!({}), vec![""]),
        (json!({"position": {}}), vec!["/position"]),
        (json!({"position": {"before": "a", "index": 1}}), vec!["/position"]),
        (json!({"position": {"index": 0}}), vec!["/position/index"]),
        (json!({"position": {"index": 1.5}}), vec!["/position/index"]),
        (json!({"position": {"index": "1"}}), vec!["/position/index"]),
        (json!({"position": 3}), vec!["/position"]),
        (json!({"id": "0".repeat(32), "enabled": true}), vec!["/id"]),
        (json!({"enabled": "no"}), vec!["/enabled"]),
        (json!({"description": "x"}), vec!["/action", "/expression"]),
        (json!({"expresion": "ssl"}), vec!["/expresion"]),
    ];
    for (body, expected) in cases {
        let pointers: Vec<String> = read(&body).unwrap_err().into_iter().map(|error| error.pointer).collect();
        assert_eq!(pointers, expected, "{body}");
    }
}

#[test]
fn integers_may_have_a_zero_fraction() {
    use Phase::{HttpRatelimit, HttpRequestDynamicRedirect, HttpRequestFirewallCustom, HttpRequestFirewallManaged};
    let limit = json!({"characteristics": ["ip.src"], "period": 60.0, "requests_per_period": 1e2});
    let response = json!({"response": {"status_code": 403.0, "content": "x", "content_type": "text/html"}});
    let redirect = json!({"from_value": {"status_code": 301.0, "target_url": {"value": "https://example.com/"}}});
    let score = json!({"id": "unknown", "overrides": {"rules": [{"id": ID, "score_threshold": 5.0}]}});
    let limited_rule = json!({"action": "block", "expression": "ssl", "ratelimit": limit});
    let cases = [
        (HttpRatelimit, limited_rule, "/ratelimit/period", json!(60)),
        (
            HttpRatelimit,
            json!({"action": "block", "expression": "ssl", "ratelimit": limit}),
            "/ratelimit/requests_per_period",
            json!(100),
        ),
        (HttpRequestFirewallCustom, rule("block", response), "/action_parameters/response/status_code", json!(403)),
        (
            HttpRequestDynamicRedirect,
            rule("redirect", redirect),
            "/action_parameters/from_value/status_code",
            json!(301),
        ),
        (
            HttpRequestFirewallManaged,
            rule("execute", score),
            "/action_parameters/overrides/rules/0/score_threshold",
            json!(5),
        ),
    ];
    let unknown = [RulesetInfo::unknown("unknown", HttpRequestFirewallManaged)];
    for (phase, rule, pointer, expected) in cases {
        let context = RulesetContext::entry_point(
            Level::Zone,
            phase,
            Tier::Enterprise,
            RulesetCatalog { managed: &unknown, custom: &[] },
        );
        let (read, _) = read_ruleset_rule(&rule, &context).unwrap_or_else(|errors| panic!("{rule}: {errors:?}"));
        assert_eq!(serde_json::to_value(read).unwrap().pointer(pointer), Some(&expected), "{rule}");
    }
}

#[test]
fn skip_rule_with_many_rulesets_is_read_completely() {
    let ids: Vec<String> = (0..150).map(|number| format!("{number:032}")).collect();
    let managed: Vec<RulesetInfo> =
        ids.iter().map(|id| RulesetInfo::unknown(id, Phase::HttpRequestFirewallManaged)).collect();
    let read = |managed: &[RulesetInfo]| {
        let catalog = RulesetCatalog { managed, custom: &[] };
        let phase = Phase::HttpRequestFirewallManaged;
        let context = RulesetContext::entry_point(Level::Zone, phase, Tier::Enterprise, catalog);
        let rules: serde_json::Map<String, Value> = ids.iter().map(|id| (id.clone(), json!([ID]))).collect();
        read_ruleset_rule(&rule("skip", json!({ "rules": rules })), &context)
    };
    assert_eq!(read(&managed).unwrap().0.action_parameters.unwrap().rules.len(), ids.len());
    let errors = read(&[]).unwrap_err();
    assert_eq!(errors.len(), 101);
    assert!(errors[100].message.contains("too many errors"), "{}", errors[100].message);
}
