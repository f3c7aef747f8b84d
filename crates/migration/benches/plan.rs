//! Measures reading and planning the migration of a large zone, relative to parsing its JSON with `serde_json`.
//!
//! Only ratios within one run are meaningful: `cargo bench -p zonewright-migration --bench plan`. Each figure is the
//! fastest of all rounds, in which the candidates alternate. `-- --write FILE` also writes the zone to a file, for
//! `tests/npm/migration.bench.mjs`, which measures the same in Node.js.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a benchmark may fail")]

use serde_json::{Value, json};
use std::hint::black_box;
use std::time::{Duration, Instant};
use zonewright_api::json;
use zonewright_migration::{MigrationPhase, catalog, check_eligibility, fingerprint, plan, read_config};

const FIREWALL_RULES: usize = 200;
const PAGE_RULES: usize = 125;
const WAF_RULES: usize = 2_000;
const ROUNDS: usize = 60;

fn main() {
    let text = build_document().to_string();
    let mut arguments = std::env::args().skip_while(|argument| argument != "--write");
    if let Some(file) = arguments.nth(1) {
        std::fs::write(file, &text).unwrap();
    }
    let parsed: Value = serde_json::from_str(&text).unwrap();
    let config = read_config(&parsed).unwrap();
    let migration_plan = plan(&config);
    println!(
        "{FIREWALL_RULES} firewall rules, {PAGE_RULES} page rules, {WAF_RULES} previous managed rules: {} bytes, \
         {} findings, {} rules",
        text.len(),
        migration_plan.findings.len(),
        migration_plan.entry_point.rules.len()
    );
    let candidates: [(&str, &dyn Fn()); 8] = [
        ("parse (serde_json)", &|| drop(black_box(serde_json::from_str::<Value>(&text).unwrap()))),
        ("parse (zonewright)", &|| drop(black_box(json::parse(&text).unwrap()))),
        ("read", &|| drop(black_box(read_config(&parsed).unwrap()))),
        ("plan", &|| drop(black_box(plan(&config)))),
        ("read and plan", &|| drop(black_box(plan(&read_config(&parsed).unwrap())))),
        ("end to end", &|| drop(black_box(plan(&read_config(&json::parse(&text).unwrap()).unwrap())))),
        ("eligibility", &|| drop(black_box(check_eligibility(&config, MigrationPhase::One)))),
        ("fingerprint", &|| drop(black_box(fingerprint(&config)))),
    ];
    let mut best = [Duration::MAX; 8];
    for _ in 0..ROUNDS {
        for ((_, run), best) in candidates.iter().zip(&mut best) {
            let start = Instant::now();
            run();
            *best = start.elapsed().min(*best);
        }
    }
    let parse = best.first().map_or(f64::NAN, Duration::as_secs_f64);
    println!("{:<20}{:>12}{:>10}", "", "ms", "÷ parse");
    for ((name, _), best) in candidates.iter().zip(best) {
        println!("{name:<20}{:>12.3}{:>10.2}", best.as_secs_f64() * 1e3, best.as_secs_f64() / parse);
    }
}

/// Builds a zone as the legacy API returns it, with items in every list.
fn build_document() -> Value {
    let bypass = |index: usize| {
        let expression = match index % 4 {
            0 => format!("ip.src in {{192.0.2.{} 198.51.100.0/24}}", index % 256),
            1 => format!("http.request.uri.path contains \"/api/v{index}\" and http.request.method eq \"POST\""),
            2 => format!("http.host eq \"shop{index}.example.com\" and not cf.client.bot"),
            _ => format!("http.user_agent contains \"monitor{index}\" or starts_with(http.request.uri.path, \"/h\")"),
        };
        let id = format!("{index:032x}");
        json!({
            "id": id, "paused": index.is_multiple_of(10), "description": format!("Exception {index}"), "action": "bypass",
            "products": ["waf"], "priority": index * 10, "created_on": "2022-09-19T10:00:00Z",
            "filter": {"id": id, "expression": expression, "paused": false},
        })
    };
    let page_rule = |index: usize| {
        let action = match index % 4 {
            0 => json!({"id": "disable_security"}),
            1 => json!({"id": "waf", "value": "off"}),
            2 => json!({"id": "waf", "value": "on"}),
            _ => json!({"id": "security_level", "value": "high"}),
        };
        let pattern = format!("*shop{}.example.com/part{index}/*", index % 10);
        json!({
            "id": format!("{index:032x}"), "priority": index, "status": "active", "actions": [action],
            "targets": [{"target": "url", "constraint": {"operator": "matches", "value": pattern}}],
            "created_on": "2022-09-19T10:00:00Z", "modified_on": "2022-09-19T10:00:00Z",
        })
    };
    json!({
        "zone": {"id": "0123456789abcdef0123456789abcdef", "name": "example.com"},
        "plan": "enterprise",
        "settings": {"waf": "on"},
        "packages": catalog::default_packages("0123456789abcdef0123456789abcdef"),
        "groups": catalog::default_groups(),
        "rules": build_rules(),
        "overrides": [],
        "firewall_rules": (0..FIREWALL_RULES).map(bypass).collect::<Vec<_>>(),
        "page_rules": (0..PAGE_RULES).map(page_rule).collect::<Vec<_>>(),
    })
}

/// Builds the rules of the catalog and additional unknown rules. Every fourth rule has a mode other than the default.
fn build_rules() -> Vec<Value> {
    let known = catalog::default_rules();
    let modes = ["simulate", "block", "disable", "challenge"];
    (0..WAF_RULES)
        .filter_map(|index| {
            let mut rule = known.get(index % known.len())?.clone();
            if index >= known.len() {
                rule.id = format!("{}-{index}", rule.id);
            }
            let scored = rule.default_mode.is_none();
            let mut rule = json!(rule);
            if index.is_multiple_of(4) {
                let mode = if scored { "off" } else { *modes.get(index / 4 % 4)? };
                rule.as_object_mut()?.insert("mode".to_owned(), json!(mode));
            }
            Some(rule)
        })
        .collect()
}
