//! Lists the rules and settings that evaluate a request, in order, before and after a migration.

use crate::catalog::{CATALOG_PACKAGES, PackageKind};
use crate::plan::ResolvedZone;
use crate::{ZoneConfig, bypass, page_rules};
use zonewright_api::legacy_waf::Switch;
use zonewright_api::ruleset::{EntryPoint, RulesetAction};

/// One rule or setting that evaluates a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvaluationStep {
    /// A JSON pointer into the old or the new configuration.
    pub pointer: String,
    /// The display name.
    pub name: String,
}

/// The order of evaluation before and after a migration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EvaluationOrder {
    /// The firewall rules that bypass managed rules, then page rules, then packages. If the packages were not provided,
    /// these are the packages that the plan assumes. If managed rules are off everywhere, no package is listed.
    pub before: Vec<EvaluationStep>,
    /// The enabled rules of the new entry point.
    pub after: Vec<EvaluationStep>,
}

/// Returns the order in which active rules evaluate a request, before and after a migration. While previous and new
/// managed rules both run, the new ones run first (§3).
pub fn evaluation_order(config: &ZoneConfig, new: &EntryPoint) -> EvaluationOrder {
    let firewall = bypass::sort_firewall_rules(config)
        .filter(|(_, rule)| bypass::is_active(rule) && bypass::bypasses_managed_rules(rule))
        .map(|(index, rule)| {
            (format!("/firewall_rules/{index}"), format!("firewall rule {}", bypass::display_name(rule)))
        });
    let mut page_rules = page_rules::sort_page_rules(&config.page_rules);
    page_rules.retain(|page_rule| {
        page_rules::is_active(page_rule.rule) && page_rule.runs().is_some() && page_rule.pattern.is_ok()
    });
    let runs_somewhere = config.waf == Switch::On || page_rules.iter().any(|page_rule| page_rule.runs() == Some(true));
    let pages = page_rules.iter().map(|page_rule| {
        (format!("/page_rules/{}", page_rule.index), format!("page rule {}", page_rule.rule.pattern()))
    });
    let zone = ResolvedZone::new(config);
    let runs = |kind: PackageKind| runs_somewhere && zone.executes(kind) && zone.is_active(kind);
    let packages = CATALOG_PACKAGES.iter().filter(|package| runs(package.kind)).map(|package| {
        let configured = zone.package(package.kind);
        let index = config
            .packages
            .iter()
            .position(|other| configured.is_some_and(|configured| std::ptr::eq(configured, other)));
        // Without an index, the packages were not provided.
        let pointer = index.map_or_else(|| "/packages".to_owned(), |index| format!("/packages/{index}"));
        (pointer, format!("package {}", package.name))
    });
    let enabled = new.rules.iter().enumerate().filter(|(_, rule)| rule.enabled);
    let after = enabled.map(|(index, rule)| {
        let executed = rule.action_parameters.as_ref().and_then(|parameters| parameters.id.as_deref());
        let name = match executed.and_then(crate::catalog::ruleset) {
            Some(ruleset) if rule.action == RulesetAction::Execute => format!("execute {}", ruleset.name),
            _ => format!("{} {}", rule.action.name(), rule.description).trim_end().to_owned(),
        };
        (format!("/rules/{index}"), name)
    });
    let step = |(pointer, name)| EvaluationStep { pointer, name };
    EvaluationOrder {
        before: firewall.chain(pages).chain(packages).map(step).collect(),
        after: after.map(step).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{plan, read_config};
    use serde_json::json;

    #[test]
    fn evaluation_order_is_preserved() {
        let bypass = |id: &str, priority: u32, paused: bool| {
            json!({"id": id, "action": "bypass", "priority": priority, "paused": paused, "products": ["waf"],
                "filter": {"id": "f", "expression": "ssl"}})
        };
        let page = |id: &str, priority: u32, action: &str| {
            json!({"id": id, "priority": priority, "status": "active", "actions": [{"id": "waf", "value": action}],
                "targets": [{"target": "url", "constraint": {"operator": "matches", "value": format!("{id}.example/*")}}]})
        };
        let zone = json!({
            "plan": "pro",
            "packages": [
                {"id": "c504870194831cd12c3fc0284f294abb", "detection_mode": "anomaly", "sensitivity": "low"},
                {"id": "1e334934fd7ae32ad705667f8c1057aa", "detection_mode": "traditional"},
            ],
            "firewall_rules": [bypass("second", 2, false), bypass("paused", 0, true), bypass("first", 1, false)],
            "page_rules": [page("low", 1, "off"), page("on", 2, "on"), page("high", 3, "off")],
        });
        let config = read_config(&zone).unwrap();
        let order = evaluation_order(&config, &plan(&config).entry_point);
        let names = |steps: &[EvaluationStep]| {
            steps.iter().map(|step| format!("{} {}", step.pointer, step.name)).collect::<Vec<_>>()
        };
        assert_eq!(
            names(&order.before),
            [
                "/firewall_rules/2 firewall rule first",
                "/firewall_rules/0 firewall rule second",
                "/page_rules/2 page rule high.example/*",
                "/page_rules/1 page rule on.example/*",
                "/page_rules/0 page rule low.example/*",
                "/packages/1 package CloudFlare",
                "/packages/0 package OWASP ModSecurity Core Rule Set",
            ]
        );
        let after: Vec<_> = names(&order.after);
        assert_eq!(after.len(), 6, "{after:?}");
        assert!(after[0].contains("first") && after[1].contains("second") && after[2].contains("high"), "{after:?}");
        assert!(after[3].contains("low") && after[4].contains("execute") && after[5].contains("execute"), "{after:?}");
    }

    #[test]
    fn packages_are_listed_where_they_run() {
        let package = json!({"id": "1e334934fd7ae32ad705667f8c1057aa", "detection_mode": "traditional"});
        let page_rule = |status: &str| {
            json!({"id": "p", "priority": 1, "status": status, "actions": [{"id": "waf", "value": "on"}],
                "targets": [{"target": "url", "constraint": {"operator": "matches", "value": "a.example/*"}}]})
        };
        let off = json!({"waf": "off"});
        let cases = [
            (json!({"plan": "pro", "packages": [package]}), vec!["/packages/0"]),
            (json!({"plan": "pro", "packages": [package], "settings": off}), vec![]),
            (
                json!({"plan": "pro", "packages": [package], "settings": off, "page_rules": [page_rule("active")]}),
                vec!["/page_rules/0", "/packages/0"],
            ),
            (
                json!({"plan": "pro", "packages": [package], "settings": off, "page_rules": [page_rule("disabled")]}),
                vec![],
            ),
            // The plan assumes both packages.
            (json!({"plan": "pro"}), vec!["/packages", "/packages"]),
            (json!({"plan": "pro", "packages": []}), vec![]),
        ];
        for (zone, expected) in cases {
            let config = read_config(&zone).unwrap();
            let order = evaluation_order(&config, &plan(&config).entry_point);
            let pointers: Vec<_> = order.before.iter().map(|step| step.pointer.as_str()).collect();
            assert_eq!(pointers, expected, "{zone}");
        }
    }
}
