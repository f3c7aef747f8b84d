//! The catalog of the previous managed rules, with the rulesets and rules that replace them.
//!
//! [`CATALOG_PACKAGES`], [`GROUPS`] and [`previous_rules`] list the previous managed rules. A [`CatalogRule`] has a
//! [`Counterpart`] if a new rule replaces it. [`MANAGED_RULESETS`] lists the managed rulesets.
//!
//! The provider never published complete tables, so these tables are our own (assumption migration-catalog).
//! Published identifiers are used where they exist. The others are derived and never change: they are the first 32
//! hexadecimal digits of the SHA-256 of `waf-package:USER`, `waf-group:Cloudflare Flash`, `managed-rule:D0001` or
//! `core-rule:920320`. If only the last eight digits of a rule are published, the ID is the first 24 digits for
//! `managed-rule:100015`, followed by those eight. Descriptions are our own.

mod core_rules;
mod groups;
mod rulesets;
mod traditional;

pub use core_rules::CORE_RULES;
pub use groups::GROUPS;
pub(crate) use rulesets::default_action;
pub use rulesets::{
    CORE_RULESET_ID, EXPOSED_CREDENTIALS_RULESET_ID, MANAGED_RULESET_ID, MANAGED_RULESETS, ManagedRule, ManagedRuleset,
    SCORE_RULE_ID, known_rulesets, managed_rules, ruleset,
};
pub use traditional::TRADITIONAL_RULES;

use std::collections::HashMap;
use std::sync::LazyLock;
use zonewright_api::legacy_waf::{
    ActionMode, DetectionMode, Group, GroupReference, Package, RuleMode, Sensitivity, Switch, WafRule,
};

/// The kind of a package, which identifies it within a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PackageKind {
    /// Rules that the provider writes.
    Managed,
    /// The core rule set, 2.x.
    Core,
    /// The customer's rules, which the provider wrote on request.
    User,
}

/// A package, which every zone has.
#[derive(Debug)]
pub struct CatalogPackage {
    /// The kind of the package.
    pub kind: PackageKind,
    /// The ID in zones of this service; elsewhere each zone has a different one.
    pub id: &'static str,
    /// The name, which is the same in every zone.
    pub name: &'static str,
    /// A description of the attacks that it detects.
    pub description: &'static str,
    /// The detection mode of its rules.
    pub detection_mode: DetectionMode,
}

/// A group of rules.
#[derive(Debug)]
pub struct CatalogGroup {
    /// The package that contains the group.
    pub package: PackageKind,
    /// The ID in zones of this service.
    pub id: &'static str,
    /// The name, which is the same in every zone.
    pub name: &'static str,
    /// The category of the new ruleset that corresponds to the group. In the provider's package, the counterparts of
    /// all its rules have it, and other rules may have it too. In the core rule set, it is the nearest category.
    pub category: Option<&'static str>,
    /// A description of the attacks that its rules detect.
    pub description: &'static str,
}

/// A rule of the previous packages.
#[derive(Debug)]
pub struct CatalogRule {
    /// The name of its group.
    pub group: &'static str,
    /// The ID.
    pub id: &'static str,
    /// The default mode; `None` for rules of the core rule set, which are on by default.
    pub default_mode: Option<RuleMode>,
    /// The rule of the new ruleset that detects the same requests.
    pub counterpart: Option<Counterpart>,
    /// A description of the requests that it detects.
    pub description: &'static str,
}

/// The rule of a managed ruleset that replaces a previous rule.
#[derive(Debug)]
pub struct Counterpart {
    /// The ID.
    pub id: &'static str,
    /// The rule number in the core rule set 3.x.
    pub number: Option<&'static str>,
    /// The categories, including that of its group; empty for rules of the core rule set.
    pub categories: &'static [&'static str],
}

/// The three packages, in the order in which the service lists them.
pub static CATALOG_PACKAGES: [CatalogPackage; 3] = [
    CatalogPackage {
        kind: PackageKind::Managed,
        id: "1e334934fd7ae32ad705667f8c1057aa",
        name: "CloudFlare",
        description: "Rules that the provider writes and keeps up to date",
        detection_mode: DetectionMode::Traditional,
    },
    CatalogPackage {
        kind: PackageKind::Core,
        id: "c504870194831cd12c3fc0284f294abb",
        name: "OWASP ModSecurity Core Rule Set",
        description: "Rules that add to a score; the package acts on requests with a high score",
        detection_mode: DetectionMode::Anomaly,
    },
    CatalogPackage {
        kind: PackageKind::User,
        id: "c53eaee85b3752f05482fdad93a5f921",
        name: "USER",
        description: "Rules that the provider wrote at the customer's request",
        detection_mode: DetectionMode::Traditional,
    },
];

static RULE_BY_ID: LazyLock<HashMap<&str, &CatalogRule>> =
    LazyLock::new(|| previous_rules().map(|rule| (rule.id, rule)).collect());
static GROUP_BY_NAME: LazyLock<HashMap<&str, &CatalogGroup>> =
    LazyLock::new(|| GROUPS.iter().map(|group| (group.name, group)).collect());

/// Iterates over every known previous rule: those of the provider's package, then those of the core rule set.
pub fn previous_rules() -> impl Iterator<Item = &'static CatalogRule> {
    TRADITIONAL_RULES.iter().chain(CORE_RULES)
}

/// Returns the previous rule with this ID.
pub fn previous_rule(id: &str) -> Option<&'static CatalogRule> {
    RULE_BY_ID.get(id).copied()
}

/// Returns the previous group with this name.
pub fn previous_group(name: &str) -> Option<&'static CatalogGroup> {
    GROUP_BY_NAME.get(name).copied()
}

/// Returns the package of this kind.
pub fn package(kind: PackageKind) -> &'static CatalogPackage {
    let [managed, core, user] = &CATALOG_PACKAGES;
    match kind {
        PackageKind::Managed => managed,
        PackageKind::Core => core,
        PackageKind::User => user,
    }
}

impl CatalogRule {
    /// Returns the group of the rule.
    pub fn group(&self) -> Option<&'static CatalogGroup> {
        previous_group(self.group)
    }

    /// Returns the modes that the rule can have.
    pub fn allowed_modes(&self) -> &'static [RuleMode] {
        use RuleMode::{Block, Challenge, Default, Disable, Off, On, Simulate};
        if self.default_mode.is_some() { &[Default, Disable, Simulate, Block, Challenge] } else { &[On, Off] }
    }

    /// Returns the mode of the rule in a zone with default settings.
    pub fn initial_mode(&self) -> RuleMode {
        if self.default_mode.is_some() { RuleMode::Default } else { RuleMode::On }
    }
}

/// Returns the packages of a zone with default settings.
pub fn default_packages(zone_id: &str) -> Vec<Package> {
    let is_anomaly = |package: &CatalogPackage| package.detection_mode == DetectionMode::Anomaly;
    CATALOG_PACKAGES
        .iter()
        .map(|package| Package {
            id: package.id.to_owned(),
            name: package.name.to_owned(),
            description: package.description.to_owned(),
            detection_mode: package.detection_mode,
            zone_id: zone_id.to_owned(),
            status: "active".to_owned(),
            sensitivity: is_anomaly(package).then_some(DEFAULT_SENSITIVITY),
            action_mode: is_anomaly(package).then_some(DEFAULT_ACTION_MODE),
        })
        .collect()
}

/// The default sensitivity of the core rule set (observed).
pub const DEFAULT_SENSITIVITY: Sensitivity = Sensitivity::High;
/// The default action of the core rule set (observed).
pub const DEFAULT_ACTION_MODE: ActionMode = ActionMode::Challenge;

/// Returns the groups of a zone with default settings, in the order of the packages.
pub fn default_groups() -> Vec<Group> {
    let mut counts: HashMap<&str, u64> = HashMap::new();
    for rule in previous_rules() {
        *counts.entry(rule.group).or_default() += 1;
    }
    let new_group = |group: &CatalogGroup| Group {
        id: group.id.to_owned(),
        name: group.name.to_owned(),
        description: Some(group.description.to_owned()),
        rules_count: counts.get(group.name).copied().unwrap_or_default(),
        modified_rules_count: 0,
        package_id: package(group.package).id.to_owned(),
        mode: Switch::On,
        allowed_modes: vec![Switch::On, Switch::Off],
    };
    GROUPS.iter().map(new_group).collect()
}

/// Returns the rules of a zone with default settings, in the order of packages and groups.
pub fn default_rules() -> Vec<WafRule> {
    let mut counts: HashMap<&str, u32> = HashMap::new();
    let new_rule = |rule: &CatalogRule| {
        let count = counts.entry(rule.group).or_default();
        *count += 1;
        let group = rule.group();
        WafRule {
            id: rule.id.to_owned(),
            description: rule.description.to_owned(),
            priority: count.to_string(),
            package_id: group.map(|group| package(group.package).id.to_owned()).unwrap_or_default(),
            group: GroupReference {
                id: group.map(|group| group.id.to_owned()).unwrap_or_default(),
                name: rule.group.to_owned(),
            },
            mode: rule.initial_mode(),
            allowed_modes: rule.allowed_modes().to_vec(),
            default_mode: rule.default_mode,
        }
    };
    previous_rules().map(new_rule).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};
    use std::collections::HashSet;
    use std::fmt::Write;

    /// Published IDs, which are not derived.
    const PUBLISHED: [&str; 2] = ["23ee7cebe6e8443e99ecf932ab579455", "d9e350f1b72d4730899c8a420e48a85d"];
    const PUBLISHED_GROUPS: [&str; 4] =
        ["Cloudflare Drupal", "Cloudflare Magento", "Cloudflare Php", "OWASP Bad Robots"];

    fn derive_id(text: &str) -> String {
        Sha256::digest(text).iter().take(16).fold(String::new(), |mut hex, byte| {
            write!(hex, "{byte:02x}").unwrap();
            hex
        })
    }

    #[test]
    fn identifiers_are_derived_as_documented() {
        assert_eq!(package(PackageKind::User).id, derive_id("waf-package:USER"));
        for group in GROUPS.iter().filter(|group| !PUBLISHED_GROUPS.contains(&group.name)) {
            assert_eq!(group.id, derive_id(&format!("waf-group:{}", group.name)));
        }
        for rule in previous_rules() {
            let Some(counterpart) = rule.counterpart.as_ref().filter(|rule| !PUBLISHED.contains(&rule.id)) else {
                continue;
            };
            let expected = match counterpart.number {
                Some(number) => derive_id(&format!("core-rule:{number}")),
                None => derive_id(&format!("managed-rule:{}", rule.id)),
            };
            // The last eight digits of the other rules of this group are published, not derived.
            let derived_digits = if rule.group == "Cloudflare Specials" { 24 } else { 32 };
            assert_eq!(counterpart.id.split_at(derived_digits).0, expected.split_at(derived_digits).0, "{}", rule.id);
        }
    }

    #[test]
    fn catalog_ids_are_unique_and_references_resolve() {
        let rules: Vec<_> = previous_rules().collect();
        let ids: HashSet<_> = rules.iter().map(|rule| rule.id).collect();
        assert_eq!(ids.len(), rules.len());
        let counterparts: Vec<_> =
            rules.iter().filter_map(|rule| rule.counterpart.as_ref()).map(|counterpart| counterpart.id).collect();
        assert_eq!(counterparts.iter().collect::<HashSet<_>>().len(), counterparts.len());
        assert!(GROUPS.len() >= 25 && rules.len() >= 150, "{} groups, {} rules", GROUPS.len(), rules.len());
        for rule in &rules {
            let group = rule.group().unwrap();
            let traditional = rule.default_mode.is_some();
            assert_eq!(traditional, group.package == PackageKind::Managed, "{}", rule.id);
            let categories = rule.counterpart.as_ref().map_or(&[][..], |counterpart| counterpart.categories);
            assert!(!traditional || group.category.is_none_or(|name| categories.contains(&name)), "{}", rule.id);
            let managed = ruleset(MANAGED_RULESET_ID).unwrap();
            assert!(categories.iter().all(|name| managed.categories.contains(name)), "{categories:?}");
        }
        for group in GROUPS {
            assert!(rules.iter().any(|rule| rule.group == group.name), "{} is empty", group.name);
            let ruleset =
                ruleset(if group.package == PackageKind::Core { CORE_RULESET_ID } else { MANAGED_RULESET_ID });
            assert!(group.category.is_none_or(|name| ruleset.unwrap().categories.contains(&name)), "{}", group.name);
        }
    }

    #[test]
    fn default_packages_groups_and_rules_are_consistent() {
        let (packages, groups, rules) = (default_packages("zone"), default_groups(), default_rules());
        assert_eq!(packages.len(), 3);
        assert_eq!(groups.iter().map(|group| group.rules_count).sum::<u64>(), rules.len() as u64);
        for rule in &rules {
            let group = groups.iter().find(|group| group.id == rule.group.id).unwrap();
            assert_eq!(group.package_id, rule.package_id);
            assert!(packages.iter().any(|package| package.id == rule.package_id));
            assert!(rule.allowed_modes.contains(&rule.mode), "{}", rule.id);
        }
    }
}
