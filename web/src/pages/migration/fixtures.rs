//! Sample configurations of zones: two that can migrate, a blocked one, and one that needs support.

use serde_json::{Value, json};
use zonewright_migration::catalog;

/// The initial requests of the simulation.
pub(super) const SAMPLE_REQUESTS: &str = "https://www.shop.example/\nhttps://www.shop.example/downloads/price-list.pdf\n\
    ###\nPOST /webhooks/paid HTTP/1.1\nHost: www.shop.example\nUser-Agent: pay/2\n";

/// The zone of the samples and of their requests.
pub(super) const SAMPLE_ZONE: &str = "shop.example";

/// The names of the samples with their titles.
pub(super) const FIXTURES: [(&str, &str); 4] = [
    ("enterprise", "Enterprise with many settings"),
    ("pro", "Pro with a few settings"),
    ("blocked", "Blocked by overrides"),
    ("support", "Needs support"),
];

/// Returns a sample configuration as formatted JSON.
pub(super) fn fixture_json(name: &str) -> String {
    let document = match name {
        "pro" => pro(),
        "blocked" => blocked(),
        "support" => support(),
        _ => enterprise(),
    };
    serde_json::to_string_pretty(&document).unwrap_or_default()
}

/// Creates a zone in which all settings have their defaults.
fn default_zone(plan: &str) -> Value {
    json!({
        "zone": "shop.example",
        "plan": plan,
        "settings": {"waf": "on"},
        "packages": catalog::default_packages(""),
        "groups": catalog::default_groups(),
        "rules": catalog::default_rules(),
        "overrides": [],
        "firewall_rules": [],
        "page_rules": [],
    })
}

fn enterprise() -> Value {
    let mut zone = default_zone("enterprise");
    configure_core_package(&mut zone, "medium", "simulate");
    for name in ["Cloudflare Flash", "Cloudflare Joomla", "OWASP Bad Robots"] {
        set_in_list(&mut zone, "groups", "name", name, "mode", "off");
    }
    let modes = [("100531", "challenge"), ("100532", "disable"), ("100135A", "simulate"), ("960032", "off")];
    for (rule, mode) in modes {
        set_in_list(&mut zone, "rules", "id", rule, "mode", mode);
    }
    set_member(
        &mut zone,
        "firewall_rules",
        json!([
            firewall_rule(1, "bypass", "ip.src in {192.0.2.0/24 198.51.100.7}", &["waf"], Some(10), "Offices"),
            pause(firewall_rule(
                2,
                "bypass",
                "http.user_agent contains \"uptime-probe\"",
                &["waf"],
                None,
                "Probes, retired"
            )),
            firewall_rule(
                3,
                "bypass",
                "http.request.method eq \"POST\" and starts_with(http.request.uri.path, \"/webhooks/\")",
                &["waf", "rateLimit"],
                Some(5),
                "Payment provider webhooks"
            ),
            firewall_rule(4, "block", "http.request.uri.path eq \"/xmlrpc.php\"", &[], Some(100), "Not needed"),
            firewall_rule(5, "allow", "ip.src eq 203.0.113.9", &[], Some(50), "Monitoring"),
        ]),
    );
    set_member(
        &mut zone,
        "page_rules",
        json!([
            page_rule(1, "*shop.example/downloads/members/*", 4, "waf", Some("on")),
            page_rule(2, "*shop.example/downloads/*", 3, "waf", Some("off")),
            page_rule(3, "www.shop.example/import/*", 2, "disable_security", None),
            page_rule(4, "www.shop.example/login*", 1, "security_level", Some("high")),
        ]),
    );
    zone
}

fn pro() -> Value {
    let mut zone = default_zone("pro");
    configure_core_package(&mut zone, "low", "block");
    set_in_list(&mut zone, "groups", "name", "Cloudflare Magento", "mode", "off");
    set_in_list(&mut zone, "rules", "id", "100533", "mode", "simulate");
    set_member(
        &mut zone,
        "firewall_rules",
        json!([firewall_rule(1, "bypass", "ip.src eq 203.0.113.9", &["waf"], Some(1), "Office")]),
    );
    set_member(&mut zone, "page_rules", json!([page_rule(1, "shop.example/feed/*", 1, "waf", Some("off"))]));
    zone
}

fn blocked() -> Value {
    let mut zone = default_zone("enterprise");
    set_member(
        &mut zone,
        "overrides",
        json!([
            {"id": id(11), "description": "The shop must not challenge", "urls": ["shop.example/*"], "priority": 1,
                "groups": {}, "rules": {"100531": "disable"}, "rewrite_action": {"challenge": "block"}, "paused": false},
            {"id": id(12), "description": "Log only", "urls": ["intranet.shop.example/*"], "priority": 2,
                "groups": {}, "rules": {"100532": "simulate"}, "rewrite_action": {}, "paused": false},
        ]),
    );
    zone
}

fn support() -> Value {
    let mut zone = default_zone("enterprise");
    let branch = |number: u32| {
        let expression = format!("ip.src in {{10.1.{number}.0/24}}");
        firewall_rule(number + 1, "bypass", &expression, &["waf"], Some(number + 1), &format!("Branch {}", number + 1))
    };
    set_member(&mut zone, "firewall_rules", (0..=200).map(branch).collect());
    zone
}

fn firewall_rule(
    number: u32,
    action: &str,
    expression: &str,
    products: &[&str],
    priority: Option<u32>,
    description: &str,
) -> Value {
    json!({"id": id(1000 + number), "action": action, "paused": false, "priority": priority, "products": products,
        "description": description, "filter": {"id": id(5000 + number), "expression": expression, "paused": false}})
}

fn pause(mut rule: Value) -> Value {
    set_member(&mut rule, "paused", json!(true));
    rule
}

fn page_rule(number: u32, pattern: &str, priority: i64, action: &str, value: Option<&str>) -> Value {
    json!({"id": id(9000 + number), "priority": priority, "status": "active",
    "targets": [{"target": "url", "constraint": {"operator": "matches", "value": pattern}}],
    "actions": [match value {
        Some(value) => json!({"id": action, "value": value}),
        None => json!({"id": action}),
    }]})
}

fn id(number: u32) -> String {
    format!("{number:032x}")
}

fn configure_core_package(zone: &mut Value, sensitivity: &str, action: &str) {
    let id = catalog::package(catalog::PackageKind::Core).id;
    set_in_list(zone, "packages", "id", id, "sensitivity", sensitivity);
    set_in_list(zone, "packages", "id", id, "action_mode", action);
}

fn set_member(object: &mut Value, member: &str, value: Value) {
    if let Some(object) = object.as_object_mut() {
        object.insert(member.to_owned(), value);
    }
}

/// Sets a member of every item in a list whose member `key` equals `expected`.
fn set_in_list(zone: &mut Value, list: &str, key: &str, expected: &str, member: &str, value: &str) {
    let items = zone.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten();
    for item in items.filter(|item| item.get(key).and_then(Value::as_str) == Some(expected)) {
        set_member(item, member, json!(value));
    }
}
