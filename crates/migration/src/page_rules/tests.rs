//! That of page rules the first that fits counts, before and after.

use super::*;
use crate::read_config;
use serde_json::json;
use zonewright_expression::Value::Text;
use zonewright_expression::{Options, Outcome, Record, check};

/// Pattern, action and its value, in descending priority; `-` in front of an action is a disabled rule.
fn zone(waf: &str, rules: &[(&str, &str)]) -> ZoneConfig {
    let page_rules: Vec<_> = rules
        .iter()
        .enumerate()
        .map(|(index, (pattern, action))| {
            let (action, status) = action.strip_prefix('-').map_or((*action, "active"), |action| (action, "disabled"));
            let action = match action.split_once('=') {
                Some((id, value)) => json!({"id": id, "value": value}),
                None => json!({"id": action}),
            };
            json!({"id": index.to_string(), "priority": 100 - index, "status": status, "actions": [action],
                "targets": [{"target": "url", "constraint": {"operator": "matches", "value": pattern}}]})
        })
        .collect();
    read_config(&json!({"plan": "business", "settings": {"waf": waf}, "page_rules": page_rules})).unwrap()
}

fn holds(expression: &str, url: &str) -> bool {
    let program = check(expression, &Options::default()).program.unwrap();
    let mut record = Record::default();
    record.set("http.request.full_uri", Text(url.as_bytes().to_vec())).unwrap();
    program.evaluate(&record) == Outcome::True
}

/// Whether the managed rules run before: the first page rule that fits decides.
fn runs_before(config: &ZoneConfig, url: &str) -> bool {
    let fits = |rule: &&PageRule| is_active(rule) && matches_pattern(rule.pattern(), url) == Ok(true);
    match config.page_rules.iter().find(fits).map(effect) {
        Some(Effect::Off) => false,
        Some(Effect::On) => true,
        Some(Effect::None) | None => config.waf == Switch::On,
    }
}

/// Whether they run after: no skip rule fits, and the execute rules do.
fn runs_after(config: &ZoneConfig, url: &str) -> bool {
    let (carried, scope) = carry(config, 0, 1);
    let executes = match scope {
        Scope::Everywhere => true,
        Scope::Nowhere => false,
        Scope::Only(expression) => holds(&expression, url),
    };
    executes && !carried.rules.iter().any(|rule| rule.enabled && holds(&rule.expression, url))
}

#[test]
fn the_first_that_fits_counts_before_and_after() {
    let patterns =
        ["example.com/*", "*example.com/a/*", "https://example.com/a/b*", "example.com/", "*.example.com/*b"];
    let actions = ["disable_security", "waf=off", "waf=on", "cache_level=bypass", "-waf=off", "-waf=on"];
    let urls = [
        "https://example.com/",
        "http://example.com/a/",
        "https://example.com/a/b",
        "https://example.com/a/bc",
        "https://www.example.com/a/b",
        "http://www.example.com/",
        "https://example.com/?u=http://example.com/a/b",
    ];
    let mut compared = 0;
    for waf in ["on", "off"] {
        // Every pattern takes its turn at the top, with all pairs of actions around it.
        for turn in 0..patterns.len() {
            for first in actions {
                for second in actions {
                    for third in ["waf=on", "waf=off", "cache_level=bypass"] {
                        let at = |place: usize| patterns[(turn + place) % patterns.len()];
                        let config = zone(waf, &[(at(0), first), (at(1), second), (at(3), third)]);
                        for url in urls {
                            assert_eq!(runs_after(&config, url), runs_before(&config, url), "{config:?} {url}");
                            compared += 1;
                        }
                    }
                }
            }
        }
    }
    assert_eq!(compared, 2 * 5 * 6 * 6 * 3 * 7);
}

#[test]
fn every_page_rule_has_one_finding() {
    let cases = [
        ("on", vec![("example.com/*", "disable_security")], vec!["page-rule-off"]),
        ("on", vec![("example.com/*", "-waf=off")], vec!["disabled-page-rule-off"]),
        (
            "on",
            vec![("example.com/*", "waf=on"), ("example.com/a", "security_level=high")],
            vec!["page-rule-on", "other-page-rule"],
        ),
        ("off", vec![("example.com/*", "waf=on"), ("a b", "waf=off")], vec!["page-rule-on", "odd-pattern"]),
        ("off", vec![("example.com/*", "-waf=on")], vec!["disabled-page-rule-on"]),
    ];
    for (waf, rules, expected) in cases {
        let (carried, _) = carry(&zone(waf, &rules), 0, 2);
        let codes: Vec<&str> = carried.findings.iter().map(|finding| finding.code).collect();
        assert_eq!(codes, expected, "{rules:?}");
    }
}

#[test]
fn what_is_too_long_needs_support() {
    let long = format!("example.com/{}*", "a".repeat(3000));
    let other = format!("example.com/a{}*", "*a".repeat(1400));
    let config = zone("on", &[(&long, "waf=on"), (&other, "waf=off")]);
    let (carried, _) = carry(&config, 0, 2);
    assert_eq!(
        carried.findings.iter().map(|finding| finding.code).collect::<Vec<_>>(),
        ["page-rule-on", "long-page-rule"]
    );
    assert!(carried.rules.is_empty());
}
