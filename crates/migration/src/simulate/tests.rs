//! Tests simulations of requests with and without the necessary fields.

use super::*;
use crate::{paranoia::paranoia_categories, plan, read_config};
use serde_json::json;

fn requests() -> Vec<(String, Record)> {
    let given = [
        ("https://example.com/", "203.0.113.7"),
        ("https://example.com/static/a.js", "203.0.113.7"),
        ("https://example.com/", "192.0.2.1"),
    ];
    let mut requests: Vec<_> = given
        .into_iter()
        .map(|(url, address)| {
            let mut record = Record::default();
            record.set("http.request.full_uri", Value::Text(url.as_bytes().to_vec())).unwrap();
            record.set("ip.src", Value::Ip(address.parse().unwrap())).unwrap();
            (format!("{address} {url}"), record)
        })
        .collect();
    requests.push(("nothing known".to_owned(), Record::default()));
    requests
}

/// Formats each result as `y`, `n` or `?`: managed and core before, managed and core after, and whether they differ.
fn compare(config: &serde_json::Value) -> String {
    let config = read_config(config).unwrap();
    let simulated = simulate(&config, &plan(&config).entry_point, &requests());
    let results = simulated.iter().map(|simulation| {
        format!(
            "{}>{}{}",
            format_result(&simulation.before),
            format_result(&simulation.after),
            mark(simulation.differs())
        )
    });
    results.collect::<Vec<_>>().join(" ")
}

#[test]
fn skip_rules_and_overrides_decide_execution() {
    let execute = |id: &str| json!({"action": "execute", "expression": "true", "action_parameters": {"id": id}});
    let cases = [
        (json!({"ruleset": "current"}), "nn"),
        (json!({"rulesets": [CORE_RULESET_ID]}), "yn"),
        (json!({"rules": {CORE_RULESET_ID: ["a"]}}), "y?"),
        (json!({"rules": {CORE_RULESET_ID: []}}), "yy"),
        (json!({"phases": ["http_request_firewall_managed"]}), "??"),
        (json!({"phases": ["http_ratelimit"], "products": ["waf"]}), "yy"),
    ];
    for (parameters, expected) in cases {
        let skip = json!({"action": "skip", "expression": "true", "action_parameters": parameters});
        let new = json!({"name": "", "rules": [skip, execute(MANAGED_RULESET_ID), execute(CORE_RULESET_ID)]});
        assert_eq!(simulate_after(&new), expected, "{parameters}");
    }
    let overrides = [
        (json!({"enabled": false}), "n"),
        (json!({"enabled": false, "rules": [{"id": "a", "enabled": true}]}), "?"),
        (json!({"categories": [{"category": "a", "enabled": false}]}), "y"),
    ];
    let levels_off = |count: usize| {
        let levels = paranoia_categories().into_iter().take(count);
        levels.map(|level| json!({"category": level, "enabled": false})).collect::<Vec<_>>()
    };
    let core_overrides = [
        (json!({"categories": levels_off(3)}), "y"),
        (json!({"categories": levels_off(4)}), "n"),
        (json!({"categories": levels_off(4), "rules": [{"id": "a", "enabled": true}]}), "?"),
    ];
    for (overrides, expected) in core_overrides {
        let mut execute = execute(CORE_RULESET_ID);
        execute["action_parameters"]["overrides"] = overrides;
        let new = json!({"name": "", "rules": [execute]});
        assert_eq!(simulate_after(&new), format!("n{expected}"), "{new}");
    }
    for (overrides, expected) in overrides {
        let mut execute = execute(MANAGED_RULESET_ID);
        execute["action_parameters"]["overrides"] = overrides;
        let new = json!({"name": "", "rules": [execute]});
        assert_eq!(simulate_after(&new), format!("{expected}n"), "{new}");
    }
}

/// Returns whether managed and core run for the first request with the entry point `new`.
fn simulate_after(new: &serde_json::Value) -> String {
    let new = serde_json::from_value(new.clone()).unwrap();
    let config = read_config(&json!({"plan": "pro"})).unwrap();
    let simulated = simulate(&config, &new, &requests());
    format_result(&simulated[0].after)
}

fn format_result(result: &WafResult) -> String {
    [result.managed, result.core].map(mark).iter().collect()
}

fn mark(runs: Ternary) -> char {
    match runs {
        Ternary::Yes => 'y',
        Ternary::No => 'n',
        Ternary::Unknown => '?',
    }
}

#[test]
fn unreadable_page_rules_yield_unknown() {
    let page = |value: &str, operator: &str| {
        json!({"id": "p", "priority": 1, "status": "active", "actions": [{"id": "waf", "value": value}],
            "targets": [{"target": "url", "constraint": {"operator": operator, "value": "example.com/static/*"}}]})
    };
    let cases = [
        (page("OFF", "matches"), "yy>yyn ??>yy? yy>yyn ??>yy?"),
        (page("off", "contains"), "??>yy? ??>yy? ??>yy? ??>yy?"),
    ];
    for (page, expected) in cases {
        assert_eq!(compare(&json!({"plan": "pro", "page_rules": [page]})), expected, "{page}");
    }
}

#[test]
fn simulation_compares_before_and_after() {
    let bypass = |action: &str, expression: &str, priority: u32| {
        json!({"id": format!("{action}{priority}"), "action": action, "priority": priority, "products": ["waf"],
            "filter": {"id": "f", "expression": expression}})
    };
    let page = json!({"id": "p", "priority": 1, "status": "active", "actions": [{"id": "waf", "value": "off"}],
        "targets": [{"target": "url", "constraint": {"operator": "matches", "value": "example.com/static/*"}}]});
    let core_off = json!([
        {"id": "1e334934fd7ae32ad705667f8c1057aa", "name": "CloudFlare", "detection_mode": "traditional"},
        {"id": "c504870194831cd12c3fc0284f294abb", "detection_mode": "anomaly", "sensitivity": "off", "action_mode": "block"},
    ]);
    let cases = [
        (json!({"plan": "pro"}), "yy>yyn yy>yyn yy>yyn yy>yyn"),
        (json!({"plan": "pro", "settings": "off"}), "nn>nnn nn>nnn nn>nnn nn>nnn"),
        (json!({"plan": "pro", "packages": core_off}), "yn>ynn yn>ynn yn>ynn yn>ynn"),
        (json!({"plan": "pro", "page_rules": [page]}), "yy>yyn nn>nnn yy>yyn ??>???"),
        (
            json!({"plan": "pro", "firewall_rules": [bypass("bypass", "ip.src eq 192.0.2.1", 1)]}),
            "yy>yyn yy>yyn nn>nnn ??>???",
        ),
        // The `allow` rule ends the evaluation before the bypass rule. Nothing ends it before the skip rule.
        (
            json!({"plan": "pro", "firewall_rules": [
                bypass("bypass", "ip.src eq 192.0.2.1", 2), bypass("allow", "ip.src in {192.0.2.0/24}", 1)]}),
            "yy>yyn yy>yyn yy>nny ??>???",
        ),
    ];
    for (config, expected) in cases {
        assert_eq!(compare(&config), expected, "{config}");
    }
}
