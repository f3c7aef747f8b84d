//! Lists the managed rulesets that replace the previous packages.

use super::{CORE_RULES, CatalogRule, TRADITIONAL_RULES};
use std::sync::LazyLock;
use zonewright_api::legacy_waf::RuleMode;
use zonewright_api::ruleset::RulesetAction;
use zonewright_expression::schema::{Phase, Tier};
use zonewright_firewall::ruleset::{PUBLISHED_RULESETS, RulesetInfo};

/// The ID of the Managed Ruleset, which replaces the package of the provider (published).
pub const MANAGED_RULESET_ID: &str = "efb7b8c949ac4650a09736fc376e9aee";
/// The ID of the ruleset that replaces the core rule set (published).
pub const CORE_RULESET_ID: &str = "4814384a9e5d4991b9815dcfc25d2f1f";
/// The ID of the ruleset that detects leaked credentials; the previous managed rules had no equivalent.
pub const EXPOSED_CREDENTIALS_RULESET_ID: &str = "c2e184081120413c86c3ab7e14069605";
/// The ID of the core rule set's last rule, 949110, which compares the score with the threshold and acts (published).
pub const SCORE_RULE_ID: &str = "6179ae15870a4bb7b2d480d4843b323c";

/// A managed ruleset.
#[derive(Debug)]
pub struct ManagedRuleset {
    /// The ID.
    pub id: &'static str,
    /// The name.
    pub name: &'static str,
    /// A description of the attacks that it detects.
    pub description: &'static str,
    /// The categories of its rules.
    pub categories: &'static [&'static str],
}

/// A rule of a managed ruleset that the catalog contains.
#[derive(Debug)]
pub struct ManagedRule {
    /// The ID.
    pub id: &'static str,
    /// A description of the requests that it detects.
    pub description: &'static str,
    /// The categories.
    pub categories: Vec<&'static str>,
    /// The default action.
    pub action: RulesetAction,
    /// Whether the rule is enabled by default.
    pub enabled: bool,
    /// The default score threshold; only the last rule of the core rule set has one.
    pub score_threshold: Option<u32>,
}

/// The managed rulesets that replace the previous packages.
pub static MANAGED_RULESETS: [ManagedRuleset; 2] = [
    ManagedRuleset {
        id: MANAGED_RULESET_ID,
        name: "Cloudflare Managed Ruleset",
        description: "Rules that the provider writes and keeps up to date",
        categories: &[
            "apache",
            "apache-struts",
            "atlassian",
            "broken-access-control",
            "brute-force",
            "code-injection",
            "command-injection",
            "dos",
            "dotnetnuke",
            "drupal",
            "f5",
            "file-inclusion",
            "file-upload",
            "flash",
            "fortinet",
            "graphql",
            "http-anomaly",
            "information-disclosure",
            "java",
            "joomla",
            "log4j",
            "magento",
            "microsoft-exchange",
            "nosqli",
            "october-cms",
            "open-redirect",
            "oracle",
            "php",
            "plone",
            "rce",
            "request-smuggling",
            "sap",
            "scanner",
            "sophos",
            "spring",
            "sqli",
            "ssrf",
            "vmware",
            "web-shell",
            "whmcs",
            "wordpress",
            "xss",
            "zimbra",
        ],
    },
    ManagedRuleset {
        id: CORE_RULESET_ID,
        name: "Cloudflare OWASP Core Ruleset",
        description: "The OWASP core rule set 3.x: rules add to a score, and the last one acts on it",
        categories: &[
            "paranoia-level-1",
            "paranoia-level-2",
            "paranoia-level-3",
            "paranoia-level-4",
            "attack-fixation",
            "attack-generic",
            "attack-lfi",
            "attack-protocol",
            "attack-rce",
            "attack-reputation-scanner",
            "attack-rfi",
            "attack-sqli",
            "attack-xss",
        ],
    },
];

/// Returns the managed ruleset with this ID.
pub fn ruleset(id: &str) -> Option<&'static ManagedRuleset> {
    MANAGED_RULESETS.iter().find(|ruleset| ruleset.id == id)
}

/// Returns every managed ruleset that rules may name: those of this catalog and the other published ones.
pub fn known_rulesets() -> &'static [RulesetInfo] {
    static KNOWN: LazyLock<Vec<RulesetInfo>> = LazyLock::new(|| {
        MANAGED_RULESETS.iter().map(to_known_ruleset).chain(PUBLISHED_RULESETS.iter().cloned()).collect()
    });
    &KNOWN
}

fn to_known_ruleset(ruleset: &ManagedRuleset) -> RulesetInfo {
    let rules = managed_rules(ruleset.id);
    RulesetInfo {
        id: ruleset.id.to_owned(),
        name: ruleset.name.to_owned(),
        description: ruleset.description.to_owned(),
        phase: Phase::HttpRequestFirewallManaged,
        // Zones on the Free plan have none (assumption entry-point-limits).
        tier: Tier::Pro,
        categories: ruleset.categories.iter().map(|name| (*name).to_owned()).collect(),
        score_rule: rules.iter().find(|rule| rule.score_threshold.is_some()).map(|rule| rule.id.to_owned()),
        rules: Some(rules.iter().map(|rule| rule.id.to_owned()).collect()),
        is_complete: false,
    }
}

/// Returns the known rules of the managed ruleset with this ID; none if there is no such ruleset.
pub fn managed_rules(id: &str) -> Vec<ManagedRule> {
    match id {
        MANAGED_RULESET_ID => TRADITIONAL_RULES.iter().filter_map(managed_rule).collect(),
        CORE_RULESET_ID => CORE_RULES.iter().filter_map(core_rule).chain([score_rule()]).collect(),
        _ => Vec::new(),
    }
}

/// Returns the default action of a new rule and whether it is enabled by default. They match the default mode of the
/// previous rule. A rule that is disabled by default has the action block.
pub(crate) fn default_action(default_mode: RuleMode) -> (RulesetAction, bool) {
    match default_mode {
        RuleMode::Simulate => (RulesetAction::Log, true),
        RuleMode::Challenge => (RulesetAction::Challenge, true),
        RuleMode::Disable | RuleMode::Off => (RulesetAction::Block, false),
        RuleMode::On | RuleMode::Default | RuleMode::Block => (RulesetAction::Block, true),
    }
}

fn managed_rule(rule: &'static CatalogRule) -> Option<ManagedRule> {
    let counterpart = rule.counterpart.as_ref()?;
    let (action, enabled) = default_action(rule.default_mode.unwrap_or(RuleMode::Block));
    let categories = counterpart.categories.to_vec();
    Some(ManagedRule {
        id: counterpart.id,
        description: rule.description,
        categories,
        action,
        enabled,
        score_threshold: None,
    })
}

fn core_rule(rule: &'static CatalogRule) -> Option<ManagedRule> {
    let counterpart = rule.counterpart.as_ref()?;
    let category = rule.group().and_then(|group| group.category);
    let categories = ["paranoia-level-1"].into_iter().chain(category).collect();
    let description = rule.description;
    Some(ManagedRule {
        id: counterpart.id,
        description,
        categories,
        action: RulesetAction::Log,
        enabled: true,
        score_threshold: None,
    })
}

fn score_rule() -> ManagedRule {
    ManagedRule {
        id: SCORE_RULE_ID,
        description: "949110: the score of the request is at or above the threshold",
        categories: Vec::new(),
        action: RulesetAction::Block,
        enabled: true,
        score_threshold: Some(40),
    }
}
