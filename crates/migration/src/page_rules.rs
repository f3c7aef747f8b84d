//! Page rules that switch the managed rules on or off for some URLs (§2.6).

use crate::ZoneConfig;
use crate::finding::finding;
use zonewright_api::finding::{Fate, Finding};
use zonewright_api::legacy_waf::Switch;
use zonewright_api::page_rule::PageRule;
use zonewright_api::ruleset::RulesetRule;

/// What became of the page rules.
pub(crate) struct Pages {
    /// Skip rules behind those of the firewall rules.
    pub(crate) rules: Vec<RulesetRule>,
    /// The expression of the rules that execute managed rulesets.
    pub(crate) expression: String,
    /// Whether those rules are enabled: the managed rules are on, or a page rule turns them on somewhere.
    pub(crate) enabled: bool,
    /// One for each page rule, in their order.
    pub(crate) findings: Vec<Finding>,
}

/// Whether a page rule has to do with the managed rules, disabled or not.
pub(crate) fn is_to_migrate(rule: &PageRule) -> bool {
    rule.actions.iter().any(|action| matches!(action.id.as_str(), "disable_security" | "waf"))
}

/// What becomes of the page rules. `first` is the place of their first skip rule in the entry point, and
/// `executed` the number of the rules that execute managed rulesets and come behind.
pub(crate) fn carried(config: &ZoneConfig, _first: usize, _executed: usize) -> Pages {
    let found = |(index, rule): (usize, &PageRule)| {
        let setting = format!("/page_rules/{index}");
        let name = format!("Page rule {}", rule.pattern());
        if is_to_migrate(rule) {
            return finding(Fate::Lost, "page-rule-lost", setting, name, "is not carried over");
        }
        let message = "does not switch the managed rules, and goes on as it is";
        finding(Fate::Unaffected, "page-rule-unaffected", setting, name, message)
    };
    Pages {
        rules: Vec::new(),
        expression: "true".to_owned(),
        enabled: config.waf == Switch::On,
        findings: config.page_rules.iter().enumerate().map(found).collect(),
    }
}
