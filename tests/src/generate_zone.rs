//! Zone configurations with previous managed rules, in the format of the API, generated from sequences of choices.

#![allow(clippy::indexing_slicing, reason = "every index is below the length of its constant")]

use crate::generate::Choices;
use serde_json::{Value, json};
use zonewright_migration::catalog::{self, GROUPS, PackageKind};

const MODES: [&str; 5] = ["default", "disable", "simulate", "block", "challenge"];
const SENSITIVITIES: [&str; 5] = ["high", "medium", "low", "default", "off"];
const ACTION_MODES: [&str; 3] = ["simulate", "block", "challenge"];
const PATTERNS: [&str; 8] = [
    "example.com/*",
    "*example.com/images/*",
    "https://example.com/a?b=*",
    "http*://shop.example.com/*.php",
    "example.com/*/admin/*",
    "*",
    "example.com",
    "http://*",
];
const EDGE_CASE_PATTERNS: [&str; 14] = [
    "/admin/*",
    "//x/*",
    "example.com?x",
    "?",
    "#frag",
    "user@example.com/*",
    "example.com*?x",
    "*.php?*",
    "*wp-login.php?action=*",
    "*wiki:talk/*",
    "example.com*@*",
    "*@*",
    "*..*",
    "h*://example.com/*",
];
const EXPRESSIONS: [&str; 5] = [
    "ip.src eq 192.0.2.1",
    "http.request.uri.path eq \"/a\"",
    "http.request.uri.path matches \"^/a\"",
    "cf.bot_management.score lt 10",
    "no.such.field eq 1",
];

/// A configuration without contradictions.
pub fn zone(choices: &mut Choices<'_>) -> Value {
    json!({
        "zone": {"id": "0123456789abcdef0123456789abcdef", "name": "example.com"},
        "plan": choices.pick(&["enterprise", "business", "pro", "enterprise", "free"]),
        "settings": {"waf": choices.pick(&["on", "on", "off"])},
        "packages": packages(choices),
        "groups": groups(choices),
        "rules": rules(choices),
        "overrides": (0..choices.index_below(8).saturating_sub(5)).map(|index| override_body(index, choices)).collect::<Vec<_>>(),
        "firewall_rules": (0..choices.index_below(6)).map(|index| firewall_rule(index, choices)).collect::<Vec<_>>(),
        "page_rules": (0..choices.index_below(6)).map(|index| page_rule(index, choices)).collect::<Vec<_>>(),
        "entry_point": entry_point(choices),
    })
}

/// A configuration with duplicates, unknown objects and missing parts.
pub fn inconsistent_zone(choices: &mut Choices<'_>) -> Value {
    let mut zone = zone(choices);
    for _ in 0..choices.index_below(6) {
        let list = choices.pick(&["packages", "groups", "rules", "firewall_rules", "page_rules", "overrides"]);
        let Some(items) = zone.get_mut(list).and_then(Value::as_array_mut).filter(|items| !items.is_empty()) else {
            if let Some(members) = zone.as_object_mut().filter(|_| choices.index_below(3) == 0) {
                members.remove(list);
            }
            continue;
        };
        let index = choices.wide_index_below(items.len());
        let Some(mut item) = items.get(index).cloned() else { continue };
        if let Some(members) = item.as_object_mut() {
            let changes = [
                ("id", json!("ffffffffffffffffffffffffffffffff")),
                ("id", json!("")),
                ("package_id", json!("")),
                ("package_id", json!("c504870194831cd12c3fc0284f294abb")),
                ("package_id", json!("ffffffffffffffffffffffffffffffff")),
                ("mode", json!("off")),
                ("mode", json!("on")),
                ("mode", json!("challenge")),
                ("name", json!("OWASP Bad Robots")),
                ("allowed_modes", json!(["on"])),
                ("allowed_modes", json!([])),
                ("detection_mode", json!("anomaly")),
                ("detection_mode", json!("traditional")),
                ("status", json!("inactive")),
                ("group", json!({"id": "ffffffffffffffffffffffffffffffff", "name": "Cloudflare WordPress"})),
                ("priority", json!("7")),
                ("description", json!("Long ".repeat(150))),
                ("description", json!("two\nlines\u{7}")),
                ("targets", json!([])),
                ("targets", json!([target("example.com/*", "matches"), target("example.org/*", "matches")])),
                ("targets", json!([target("example.com", "equals")])),
                ("targets", json!([target("bücher.example/*", "matches")])),
                (
                    "targets",
                    json!([target(&format!("*example.com/{}*", "ä".repeat(choices.index_below(256) * 8)), "matches")]),
                ),
                ("actions", json!([{"id": "waf", "value": "OFF"}])),
                ("actions", json!([{"id": "waf"}])),
                ("actions", json!([{"id": "disable_security", "value": "off"}])),
                ("sensitivity", json!("low")),
                ("action_mode", json!("block")),
                ("targets", json!([target(choices.pick(&EDGE_CASE_PATTERNS), "matches")])),
                ("actions", json!([{"id": "waf", "value": "on"}, {"id": "waf", "value": "off"}])),
            ];
            if let Some((name, value)) = changes.into_iter().nth(choices.index_below(30)) {
                members.insert(name.to_owned(), value);
            }
        }
        match choices.index_below(3) {
            0 => items.push(item),
            1 => items.insert(0, item),
            _ => *items = vec![item],
        }
    }
    zone
}

fn packages(choices: &mut Choices<'_>) -> Value {
    let mut packages = json!(catalog::default_packages(""));
    if let Some(core) = packages.get_mut(1) {
        *core = json!({
            "id": catalog::package(PackageKind::Core).id,
            "name": catalog::package(PackageKind::Core).name,
            "detection_mode": "anomaly",
            "sensitivity": choices.pick(&SENSITIVITIES),
            "action_mode": choices.pick(&ACTION_MODES),
        });
    }
    packages
}

fn groups(choices: &mut Choices<'_>) -> Vec<Value> {
    let mut groups = Vec::new();
    for group in catalog::default_groups() {
        if choices.index_below(3) > 0 {
            let mut group = json!(group);
            if let Some(members) = group.as_object_mut().filter(|_| choices.index_below(3) == 0) {
                members.insert("mode".to_owned(), json!("off"));
            }
            groups.push(group);
        }
    }
    groups
}

fn rules(choices: &mut Choices<'_>) -> Vec<Value> {
    let mut unused = catalog::default_rules();
    let mut rules = Vec::new();
    for _ in 0..choices.index_below(24) {
        let rule = unused.swap_remove(choices.wide_index_below(unused.len()));
        let mode = if rule.default_mode.is_some() { choices.pick(&MODES) } else { choices.pick(&["off", "on"]) };
        let is_scored = rule.default_mode.is_none();
        let mut rule = json!(rule);
        if let Some(members) = rule.as_object_mut() {
            members.insert("mode".to_owned(), json!(mode));
            if !is_scored && choices.index_below(4) == 1 {
                members.insert("default_mode".to_owned(), json!(choices.pick(&MODES[1..])));
            }
            if !is_scored && choices.index_below(4) == 1 {
                let group = &GROUPS[choices.index_below(10)];
                members.insert("group".to_owned(), json!({"id": group.id, "name": group.name}));
            }
        }
        rules.push(rule);
    }
    for index in 0..choices.index_below(4) {
        let package = choices.pick(&[PackageKind::User, PackageKind::Managed, PackageKind::Core]);
        rules.push(json!({
            "id": format!("{index}000000"),
            "description": "An unknown rule",
            "package_id": catalog::package(package).id,
            "mode": choices.pick(&MODES),
        }));
    }
    rules
}

fn override_body(index: usize, choices: &mut Choices<'_>) -> Value {
    let urls = [json!([]), json!(["example.com/*"]), json!(["example.com/a", "example.com/b"])];
    json!({
        "id": format!("{index:032x}"),
        "urls": urls.into_iter().nth(choices.index_below(3)),
        "rules": {"100015": choices.pick(&MODES)},
        "paused": choices.index_below(2) == 1,
    })
}

fn firewall_rule(index: usize, choices: &mut Choices<'_>) -> Value {
    let action = choices.pick(&["bypass", "bypass", "bypass", "block", "allow"]);
    let products =
        [json!(["waf"]), json!(["waf", "rateLimit"]), json!(["bic"])].into_iter().nth(choices.index_below(3));
    let priority = choices.index_below(5);
    let expression = match choices.index_below(3) {
        0 => choices.condition(2),
        1 => "x".repeat(choices.index_below(3) * 2_100),
        _ => choices.pick(&EXPRESSIONS).to_owned(),
    };
    json!({
        "id": format!("{index:032x}"),
        "action": action,
        "products": products.filter(|_| action == "bypass").unwrap_or_else(|| json!([])),
        "priority": (priority > 0).then_some(priority),
        "paused": choices.index_below(3) == 1,
        "filter": {"id": format!("{index:032x}"), "expression": expression},
    })
}

fn target(pattern: &str, operator: &str) -> Value {
    json!({"target": "url", "constraint": {"operator": operator, "value": pattern}})
}

/// An entry point with existing rules, or null.
fn entry_point(choices: &mut Choices<'_>) -> Value {
    let skip = json!({"action": "skip", "expression": choices.pick(&EXPRESSIONS), "action_parameters": {"ruleset": "current"}});
    let execute =
        |ruleset: &str| json!({"action": "execute", "expression": "true", "action_parameters": {"id": ruleset}});
    let rules = match choices.index_below(5) {
        0..3 => return Value::Null,
        3 => vec![skip, execute(catalog::MANAGED_RULESET_ID), execute(catalog::CORE_RULESET_ID)],
        _ => vec![execute(catalog::MANAGED_RULESET_ID), skip.clone(), skip],
    };
    json!({"id": "", "name": "default", "kind": "zone", "phase": "http_request_firewall_managed", "version": "1",
        "last_updated": "2022-09-19T10:00:00Z", "rules": rules})
}

fn page_rule(index: usize, choices: &mut Choices<'_>) -> Value {
    let actions = [
        json!([{"id": "disable_security"}]),
        json!([{"id": "waf", "value": "off"}]),
        json!([{"id": "waf", "value": "on"}]),
        json!([{"id": "security_level", "value": "high"}]),
        json!([{"id": "disable_security"}, {"id": "waf", "value": "on"}]),
    ];
    let pattern = choices.pick(&PATTERNS);
    json!({
        "id": format!("{index:032x}"),
        "targets": [{"target": "url", "constraint": {"operator": "matches", "value": pattern}}],
        "actions": actions.into_iter().nth(choices.index_below(5)),
        "priority": choices.index_below(5),
        "status": choices.pick(&["active", "active", "disabled"]),
    })
}
