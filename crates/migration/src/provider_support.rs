//! Finds settings that only the provider's support can migrate (§7.4, §8).

use crate::plan::ResolvedZone;
use crate::{ZoneConfig, bypass, page_rules};
use zonewright_api::finding::{Finding, FindingOutcome};
use zonewright_expression::schema::Tier;

/// Returns the findings of the migration plan that need support. A zone on the Free plan has none, because it cannot
/// migrate. Each limit on the number of rules has at most one finding.
pub fn support_findings(config: &ZoneConfig) -> Vec<Finding> {
    if config.tier == Tier::Free {
        return Vec::new();
    }
    let bypass = bypass::migrate_bypass_rules(config);
    let pages = page_rules::migrate_page_rules(config, bypass.rules.len(), ResolvedZone::new(config).deployment());
    let mut limit_codes = Vec::new();
    let mut findings = bypass.findings;
    findings.extend(pages.findings);
    findings.retain(|finding| {
        let is_repeated = limit_codes.contains(&finding.code);
        if finding.outcome == FindingOutcome::NeedsSupport && finding.code.starts_with("too-many") {
            limit_codes.push(finding.code);
        }
        finding.outcome == FindingOutcome::NeedsSupport && !is_repeated
    });
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::MAX_BYPASS_RULES;
    use crate::{plan, read_config};
    use serde_json::{Value, json};

    fn config(plan: &str, mut rules: Vec<Value>) -> ZoneConfig {
        for (index, rule) in rules.iter_mut().enumerate() {
            rule["id"] = json!(format!("{index}"));
        }
        read_config(&json!({"plan": plan, "packages": [], "firewall_rules": rules})).unwrap()
    }

    fn rule(products: &[&str], expression: &str) -> Value {
        let action = if products.is_empty() { "block" } else { "bypass" };
        json!({"id": "", "action": action, "products": products, "filter": {"id": "b", "expression": expression}})
    }

    #[test]
    fn exceeded_limits_need_support() {
        let waf = rule(&["waf"], "ssl");
        let long = |bytes: usize| rule(&["bic", "waf"], &format!("http.host eq \"{}\"", "a".repeat(bytes - 15)));
        let waf_rules = |count: usize, others: &[Value]| [vec![waf.clone(); count], others.to_vec()].concat();
        let others = [rule(&["bic"], "ssl"), rule(&[], &"x".repeat(5_000))];
        let cases = [
            ("pro", waf_rules(MAX_BYPASS_RULES, &others), vec![]),
            ("pro", waf_rules(MAX_BYPASS_RULES + 1, &[]), vec![("/firewall_rules/0", "too-many-rules")]),
            ("free", waf_rules(MAX_BYPASS_RULES + 1, &[]), vec![]),
            ("pro", vec![long(4_096)], vec![]),
            ("pro", vec![waf.clone(), long(4_097)], vec![("/firewall_rules/1", "expression-too-long")]),
        ];
        for (plan, rules, expected) in cases {
            let config = config(plan, rules);
            let findings = support_findings(&config);
            let outcomes: Vec<_> = findings.iter().map(|finding| (finding.setting.as_str(), finding.code)).collect();
            assert_eq!(outcomes, expected, "{plan}, {} rules", config.firewall_rules.len());
        }
    }

    #[test]
    fn too_many_bypass_rules_yield_no_skip_rules() {
        let config = config("pro", vec![rule(&["waf"], "ssl"); MAX_BYPASS_RULES + 1]);
        let plan = plan(&config);
        assert!(plan.entry_point.rules.is_empty());
        let support_count =
            plan.findings.iter().filter(|finding| finding.outcome == FindingOutcome::NeedsSupport).count();
        assert_eq!(support_count, MAX_BYPASS_RULES + 1);
    }
}
