mod reading;

use super::*;
use serde_json::{Value, json};
use std::collections::HashSet;
use zonewright_api::ValidationError;
use zonewright_api::ruleset::RulesetKind;
use zonewright_expression::schema::{Phase, Tier};

const ID: &str = "0123456789abcdef0123456789abcdef";

fn known_rulesets() -> Vec<RulesetInfo> {
    let ruleset = |id: &str, phase, rules: Option<HashSet<String>>| RulesetInfo {
        id: id.to_owned(),
        name: "Rules".to_owned(),
        description: String::new(),
        phase,
        tier: Tier::Free,
        categories: vec!["php".to_owned()],
        rules,
        is_complete: phase == Phase::HttpRequestFirewallCustom,
        score_rule: None,
    };
    let ids = HashSet::from([ID.to_owned()]);
    vec![
        ruleset("managed", Phase::HttpRequestFirewallManaged, Some(ids.clone())),
        ruleset("ddos", Phase::DdosL7, None),
        ruleset("custom", Phase::HttpRequestFirewallCustom, Some(ids)),
    ]
}

/// Returns the codes and pointers of all errors of one rule in an entry point.
fn rule_errors(phase: Phase, tier: Tier, level: Level, rule: &Value) -> Vec<(u32, String)> {
    let known = known_rulesets();
    let context = RulesetContext::entry_point(level, phase, tier, RulesetCatalog { managed: &known, custom: &[] });
    let errors = read_ruleset_rule(rule, &context).err().unwrap_or_default();
    errors.into_iter().map(|error: ValidationError| (error.code, error.pointer)).collect()
}

fn rule(action: &str, parameters: Value) -> Value {
    json!({"action": action, "expression": "true", "action_parameters": parameters})
}

#[test]
fn actions_accept_their_parameters() {
    use Phase::*;
    let valid_rules = [
        (HttpRequestFirewallCustom, rule("block", json!(null))),
        (
            HttpRequestFirewallCustom,
            rule("block", json!({"response": {"status_code": 403, "content": "no", "content_type": "text/plain"}})),
        ),
        (HttpRequestFirewallCustom, rule("challenge", json!({}))),
        (HttpRequestFirewallCustom, rule("log", json!(null))),
        (HttpRequestFirewallCustom, rule("score", json!({"increment": -3}))),
        (
            HttpRequestFirewallCustom,
            rule("skip", json!({"ruleset": "current", "phases": ["http_ratelimit"], "products": ["waf"]})),
        ),
        (HttpRequestFirewallCustom, rule("skip", json!({"phase": "current", "products": ["bic"]}))),
        (HttpRequestFirewallCustom, rule("execute", json!({"id": "custom"}))),
        (HttpRequestFirewallManaged, rule("skip", json!({"rules": {"managed": [ID]}}))),
        (
            HttpRequestFirewallManaged,
            rule(
                "execute",
                json!({"id": "managed", "version": "latest", "matched_data": {"public_key": "A".repeat(43) + "="},
                "overrides": {"status": "disabled", "categories": [{"category": "php", "action": "log"}]}}),
            ),
        ),
        (
            DdosL7,
            rule(
                "execute",
                json!({"id": "ddos", "overrides": {"sensitivity_level": "eoff", "action": "ddos_dynamic", "rules": [{"id": "any", "sensitivity_level": "low"}]}}),
            ),
        ),
        (
            HttpRequestTransform,
            rule(
                "rewrite",
                json!({"uri": {"path": {"expression": "concat(\"/x\", http.request.uri.path)"}, "query": {"value": ""}}}),
            ),
        ),
        (
            HttpRequestLateTransform,
            rule(
                "rewrite",
                json!({"headers": {"X-A": {"operation": "set", "value": "1"}, "X-B": {"operation": "remove"}}}),
            ),
        ),
        (
            HttpResponseHeadersTransform,
            rule("rewrite", json!({"headers": {"X-A": {"operation": "add", "expression": "http.host"}}})),
        ),
        (
            HttpRequestDynamicRedirect,
            rule(
                "redirect",
                json!({"from_value": {"status_code": 301, "preserve_query_string": true, "target_url": {"value": "https://example.com/"}}}),
            ),
        ),
        (
            HttpRequestRedirect,
            rule("redirect", json!({"from_list": {"name": "redirects", "key": "http.request.full_uri"}})),
        ),
        (
            HttpRequestOrigin,
            rule("route", json!({"host_header": "a.example", "origin": {"port": 8443}, "sni": {"value": "a.example"}})),
        ),
        (
            HttpConfigSettings,
            rule(
                "set_config",
                json!({"ssl": "strict", "bic": false, "disable_zaraz": true, "autominify": {"css": true}}),
            ),
        ),
        (
            HttpRequestCacheSettings,
            rule(
                "set_cache_settings",
                json!({"cache": true, "edge_ttl": {"mode": "override_origin", "default": 60, "status_code_ttl": [{"status_code_range": {"from": 200, "to": 299}, "value": 1}]},
                "browser_ttl": {"mode": "respect_origin"}, "cache_key": {"custom_key": {"query_string": {"exclude": {"all": true}}, "header": {"contains": {"accept": ["image/webp"]}}}}}),
            ),
        ),
        (HttpResponseCacheSettings, rule("set_cache_settings", json!({"strip_etags": true}))),
        (HttpResponseCacheSettings, rule("set_cache_tags", json!({"operation": "add", "values": ["a"]}))),
        (
            HttpResponseCacheSettings,
            rule(
                "set_cache_control",
                json!({"max-age": {"operation": "set", "value": 60}, "private": {"operation": "remove"}}),
            ),
        ),
        (
            HttpCustomErrors,
            rule("serve_error", json!({"content": "no", "content_type": "text/html", "status_code": 503})),
        ),
        (HttpCustomErrors, rule("serve_error", json!({"asset_name": "page"}))),
        (
            HttpResponseCompression,
            rule("compress_response", json!({"algorithms": [{"name": "brotli"}, {"name": "auto"}]})),
        ),
        (
            HttpLogCustomFields,
            rule(
                "log_custom_field",
                json!({"request_fields": [{"name": "x-a"}], "response_fields": [{"name": "x-b", "preserve_duplicates": true}]}),
            ),
        ),
    ];
    for (phase, rule) in valid_rules {
        assert_eq!(rule_errors(phase, Tier::Enterprise, Level::Zone, &rule), [], "{rule}");
    }
}

#[test]
fn actions_reject_invalid_parameters() {
    use Phase::*;
    let pointer = |rest: &str| format!("/action_parameters{rest}");
    let cases = [
        (
            HttpRequestFirewallCustom,
            rule("block", json!({"response": {"status_code": 200, "content": ""}})),
            vec![
                (20120, pointer("/response/status_code")),
                (20120, pointer("/response/content")),
                (10014, pointer("/response/content_type")),
            ],
        ),
        (HttpRequestFirewallCustom, rule("block", json!({"respons": {}})), vec![(10014, pointer("/respons"))]),
        (HttpRequestFirewallCustom, rule("challenge", json!({"id": 1})), vec![(20120, pointer(""))]),
        (HttpRequestFirewallCustom, rule("score", json!({})), vec![(10014, pointer("/increment"))]),
        (HttpRequestFirewallCustom, rule("score", json!(null)), vec![(20113, pointer(""))]),
        (HttpRequestFirewallCustom, rule("execute", json!({"id": "managed"})), vec![(20120, pointer("/id"))]),
        (HttpRequestFirewallCustom, rule("redirect", json!({})), vec![(20120, "/action".to_owned())]),
        (HttpRequestFirewallCustom, rule("blok", json!({})), vec![(20120, "/action".to_owned())]),
        (HttpRequestFirewallManaged, rule("skip", json!({"phase": "current"})), vec![(20120, pointer("/phase"))]),
        (
            HttpRequestFirewallManaged,
            rule("execute", json!({"id": "managed", "matched_data": {"public_key": "x"}})),
            vec![(20120, pointer("/matched_data/public_key"))],
        ),
        (
            HttpRequestFirewallManaged,
            rule("execute", json!({"id": "managed", "matched_data": {"public_key": "=".repeat(44)}})),
            vec![(20120, pointer("/matched_data/public_key"))],
        ),
        (
            HttpRequestFirewallManaged,
            rule("execute", json!({"id": "managed", "matched_data": {"public_key": "A".repeat(44)}})),
            vec![(20120, pointer("/matched_data/public_key"))],
        ),
        (
            DdosL7,
            rule("execute", json!({"id": "ddos", "overrides": {"sensitivity_level": "none"}})),
            vec![(20120, pointer("/overrides/sensitivity_level"))],
        ),
        (
            HttpRequestTransform,
            rule("rewrite", json!({"uri": {"path": {"value": "/", "expression": "http.host"}, "query": {}}})),
            vec![(20120, pointer("/uri/path/expression")), (10014, pointer("/uri/query"))],
        ),
        (
            HttpRequestTransform,
            rule("rewrite", json!({"uri": {"path": {"expression": "http.hst"}}})),
            vec![(20127, pointer("/uri/path/expression"))],
        ),
        (
            HttpRequestLateTransform,
            rule(
                "rewrite",
                json!({"headers": {"X/A": {"operation": "add", "value": "1"}, "X-B": {"operation": "remove", "value": ""}, "X-C": {"operation": "set"}}}),
            ),
            vec![
                (20120, pointer("/headers/X-B/value")),
                (10014, pointer("/headers/X-C")),
                (20120, pointer("/headers/X~1A/operation")),
            ],
        ),
        (
            HttpRequestDynamicRedirect,
            rule("redirect", json!({"from_value": {"status_code": 200, "target_url": {}}})),
            vec![(10014, pointer("/from_value/target_url")), (20120, pointer("/from_value/status_code"))],
        ),
        (
            HttpRequestDynamicRedirect,
            rule("redirect", json!({"from_list": {}})),
            vec![(10014, pointer("/from_list")), (10014, pointer("/from_value"))],
        ),
        (HttpRequestOrigin, rule("route", json!({"origin": {"port": 70_000}})), vec![(20120, pointer("/origin/port"))]),
        (
            HttpConfigSettings,
            rule("set_config", json!({"ssl": "on", "disable_zaraz": false, "minify": 1})),
            vec![(10014, pointer("/minify")), (10014, pointer("/disable_zaraz")), (20120, pointer("/ssl"))],
        ),
        (HttpConfigSettings, rule("set_config", json!({})), vec![(10014, pointer(""))]),
        (
            HttpRequestCacheSettings,
            rule(
                "set_cache_settings",
                json!({"edge_ttl": {"mode": "override_origin"}, "additional_cacheable_ports": [0, "80"]}),
            ),
            vec![
                (10014, pointer("/edge_ttl/default")),
                (20120, pointer("/additional_cacheable_ports/0")),
                (10014, pointer("/additional_cacheable_ports/1")),
            ],
        ),
        (
            HttpResponseCacheSettings,
            rule("set_cache_settings", json!({"cache": true})),
            vec![(10014, pointer("/cache"))],
        ),
        (
            HttpCustomErrors,
            rule("serve_error", json!({"content": "x", "status_code": 200})),
            vec![(20120, pointer("/status_code")), (10014, pointer("/content_type"))],
        ),
        (
            HttpResponseCompression,
            rule("compress_response", json!({"algorithms": [{"name": "br"}]})),
            vec![(20120, pointer("/algorithms/0/name"))],
        ),
    ];
    for (phase, rule, mut expected) in cases {
        let mut actual = rule_errors(phase, Tier::Enterprise, Level::Zone, &rule);
        actual.sort();
        expected.sort();
        assert_eq!(actual, expected, "{rule}");
    }
}

#[test]
fn rate_limit_errors_have_codes_and_pointers() {
    let with = |limit: Value| json!({"action": "block", "expression": "true", "ratelimit": limit});
    let base = || json!({"characteristics": ["cf.colo.id", "ip.src", "http.request.headers[\"x-key\"]"], "period": 60, "requests_per_period": 10});
    let with_member = |name: &str, value: Value| {
        let mut limit = base();
        limit[name] = value;
        with(limit)
    };
    let cases = [
        (with(base()), vec![]),
        (with_member("counting_expression", json!("")), vec![]),
        (with_member("counting_expression", json!("http.response.code eq 404")), vec![]),
        (with(json!(null)), vec![(10014, "/ratelimit")]),
        (
            with(json!({})),
            vec![(10014, "/ratelimit/characteristics"), (10014, "/ratelimit/period"), (10014, "/ratelimit")],
        ),
        (with_member("period", json!(1)), vec![(20120, "/ratelimit/period")]),
        (
            with_member("score_per_period", json!(1)),
            vec![(20120, "/ratelimit/score_per_period"), (10014, "/ratelimit/score_response_header_name")],
        ),
        (
            with_member("characteristics", json!(["ip.src", "ip.src", "ip.scr"])),
            vec![(20120, "/ratelimit/characteristics/1"), (20127, "/ratelimit/characteristics/2")],
        ),
        (with_member("counting_expression", json!("nothing")), vec![(20127, "/ratelimit/counting_expression")]),
        (with_member("counting_expression", json!("http.response.code eq 401")), vec![]),
        (with_member("characteristics", json!(["http.response.code"])), vec![(20127, "/ratelimit/characteristics/0")]),
        (with_member("limit", json!(1)), vec![(10014, "/ratelimit/limit")]),
    ];
    for (rule, expected) in cases {
        let actual = rule_errors(Phase::HttpRatelimit, Tier::Enterprise, Level::Zone, &rule);
        let expected: Vec<_> =
            expected.into_iter().map(|(code, pointer): (u32, &str)| (code, pointer.to_owned())).collect();
        assert_eq!(actual, expected, "{rule}");
    }
    let elsewhere = rule_errors(Phase::HttpRequestFirewallCustom, Tier::Enterprise, Level::Zone, &with(base()));
    assert_eq!(elsewhere, [(20120, "/ratelimit".to_owned())]);
}

#[test]
fn plan_level_and_kind_restrict_rules() {
    let log = rule("log", json!(null));
    let response =
        rule("block", json!({"response": {"status_code": 403, "content": "x", "content_type": "text/html"}}));
    let custom = Phase::HttpRequestFirewallCustom;
    assert_eq!(rule_errors(custom, Tier::Business, Level::Zone, &log), [(20120, "/action".to_owned())]);
    assert_eq!(
        rule_errors(custom, Tier::Free, Level::Zone, &response),
        [(20120, "/action_parameters/response".to_owned())]
    );
    let rewrite = rule("rewrite", json!({"headers": {"Exposed": {"operation": "set", "value": "1"}}}));
    assert_eq!(rule_errors(custom, Tier::Enterprise, Level::Zone, &rewrite), [(20120, "/action".to_owned())]);
    assert_eq!(rule_errors(custom, Tier::Enterprise, Level::Account, &rewrite), []);
    assert!(has_entry_point(Phase::DdosL4, Level::Account) && !has_entry_point(Phase::DdosL4, Level::Zone));
    for phase in Phase::ALL {
        assert!(has_entry_point(*phase, Level::Zone) || has_entry_point(*phase, Level::Account), "{}", phase.name());
        let known = RulesetCatalog { managed: &[], custom: &[] };
        assert!(!allowed_actions(&RulesetContext::entry_point(Level::Zone, *phase, Tier::Free, known)).is_empty());
        assert!(
            !allows_kind(*phase, Level::Zone, RulesetKind::Custom)
                && !allows_kind(*phase, Level::Zone, RulesetKind::Root)
        );
    }
}

#[test]
fn arbitrary_parameters_yield_bounded_errors() {
    let known = known_rulesets();
    let many: serde_json::Map<_, _> = (0..300).map(|number| (number.to_string(), json!({"operation": 1}))).collect();
    let values = [
        json!(null),
        json!(-1),
        json!(1e300),
        json!("\0"),
        json!("x".repeat(10_000)),
        json!([]),
        json!(vec![json!({}); 300]),
        json!(many),
    ];
    for phase in Phase::ALL {
        for level in [Level::Zone, Level::Account] {
            let context =
                RulesetContext::entry_point(level, *phase, Tier::Free, RulesetCatalog { managed: &known, custom: &[] });
            for action in allowed_actions(&context) {
                for value in &values {
                    for name in [
                        "id",
                        "overrides",
                        "rules",
                        "headers",
                        "uri",
                        "from_value",
                        "cache_key",
                        "request_fields",
                        "x~/",
                    ] {
                        let body = rule(action.name(), json!({ name: value }));
                        let errors = read_ruleset_rule(&body, &context).err().unwrap_or_default();
                        assert!(errors.len() < 1000, "{}", errors.len());
                    }
                }
            }
        }
    }
}
