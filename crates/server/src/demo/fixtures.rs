//! The zones of the demo account with their contents. Each zone shows a different course of a migration.

use zonewright_api::firewall::{Action, FilterReference, NewFilter, NewRule, Product};
use zonewright_api::legacy_waf::{ActionMode, RuleMode, Sensitivity, Switch, UrlOverride};
use zonewright_api::page_rule::{PageRule, PageRuleAction, PageRuleConstraint, PageRuleStatus, PageRuleTarget};
use zonewright_expression::schema::Tier;
use zonewright_migration::catalog;
use zonewright_migration::catalog::PackageKind;
use zonewright_store::{WafSettingChange, WafSettingKind, ZoneSeed};

/// A zone of the demo account.
pub(super) struct ZoneFixture {
    /// Domain name.
    pub(super) name: &'static str,
    pub(super) tier: Tier,
    /// Human-readable description of the zone's purpose.
    pub(super) description: &'static str,
    /// Returns the initial contents.
    pub(super) seed: fn() -> ZoneSeed,
}

/// All fixtures, the Enterprise zone with every feature first.
pub(super) const FIXTURES: [ZoneFixture; 6] = [
    ZoneFixture {
        name: "enterprise.example",
        tier: Tier::Enterprise,
        description: "all features: 1,000 active rules, regular expressions, the log action; a migration with bypass rules, \
                page rules, changed groups and changed rules",
        seed: enterprise_zone,
    },
    ZoneFixture {
        name: "business.example",
        tier: Tier::Business,
        description: "100 active rules, regular expressions; managed rules with default settings",
        seed: ZoneSeed::default,
    },
    ZoneFixture {
        name: "pro.example",
        tier: Tier::Pro,
        description: "20 active rules, no regular expressions; a migration with a few settings, in one step",
        seed: small_zone,
    },
    ZoneFixture {
        name: "free.example",
        tier: Tier::Free,
        description: "5 active rules, the quickest way to reach the quota; no managed rules to migrate",
        seed: ZoneSeed::default,
    },
    ZoneFixture {
        name: "blocked.example",
        tier: Tier::Enterprise,
        description: "two URL overrides block the migration until they are deleted",
        seed: zone_with_overrides,
    },
    ZoneFixture {
        name: "support.example",
        tier: Tier::Enterprise,
        description: "201 firewall rules that bypass the managed rules: one more than can migrate without support",
        seed: zone_with_too_many_bypass_rules,
    },
];

fn enterprise_zone() -> ZoneSeed {
    ZoneSeed {
        settings: vec![
            sensitivity(Sensitivity::Medium),
            action_mode(ActionMode::Simulate),
            group_off("Cloudflare Flash"),
            group_off("Cloudflare Joomla"),
            group_off("OWASP Bad Robots"),
            rule_mode("100531", RuleMode::Challenge),
            rule_mode("100532", RuleMode::Disable),
            rule_mode("100135A", RuleMode::Simulate),
            rule_mode("960032", RuleMode::Off),
        ],
        rules: vec![
            bypass("ip.src in {192.0.2.0/24 198.51.100.7}", &[Product::Waf], Some(10), "Offices"),
            NewRule {
                paused: true,
                ..bypass("http.user_agent contains \"uptime-probe\"", &[Product::Waf], None, "Uptime probes, retired")
            },
            bypass(
                "http.request.method eq \"POST\" and starts_with(http.request.uri.path, \"/webhooks/\")",
                &[Product::Waf, Product::RateLimit],
                Some(5),
                "Payment provider webhooks",
            ),
            bypass("http.request.uri.path contains \"/share/\"", &[Product::Hot], Some(20), "Shared pictures"),
            rule("http.request.uri.path eq \"/xmlrpc.php\"", Action::Block, Some(100), "Not in use"),
            rule("http.request.uri.path eq \"/login\" and cf.threat_score gt 10", Action::Challenge, None, "Sign-in"),
        ],
        overrides: Vec::new(),
        page_rules: vec![
            page_rule("*enterprise.example/downloads/members/*", 5, &[("waf", Some("on"))]),
            page_rule("*enterprise.example/downloads/*", 4, &[("waf", Some("off"))]),
            page_rule("www.enterprise.example/import/*", 3, &[("disable_security", None)]),
            PageRule {
                status: PageRuleStatus::Disabled,
                ..page_rule("status.enterprise.example/*", 2, &[("waf", Some("off"))])
            },
            page_rule(
                "www.enterprise.example/login*",
                1,
                &[("security_level", Some("high")), ("cache_level", Some("bypass"))],
            ),
        ],
    }
}

fn small_zone() -> ZoneSeed {
    ZoneSeed {
        settings: vec![
            sensitivity(Sensitivity::Low),
            action_mode(ActionMode::Block),
            group_off("Cloudflare Magento"),
            rule_mode("100533", RuleMode::Simulate),
        ],
        rules: vec![bypass("ip.src eq 203.0.113.9", &[Product::Waf], Some(1), "Office")],
        overrides: Vec::new(),
        page_rules: vec![page_rule("pro.example/feed/*", 1, &[("waf", Some("off"))])],
    }
}

fn zone_with_overrides() -> ZoneSeed {
    let url_override = |urls: &[&str], description: &str, priority| UrlOverride {
        id: String::new(),
        description: Some(description.to_owned()),
        urls: urls.iter().map(|url| (*url).to_owned()).collect(),
        priority,
        groups: Default::default(),
        rules: Default::default(),
        rewrite_action: Default::default(),
        paused: false,
    };
    let mut shop = url_override(&["shop.blocked.example/*"], "No challenges in the shop", 1);
    shop.rewrite_action.insert(RuleMode::Challenge, RuleMode::Block);
    shop.rules.insert("100531".to_owned(), RuleMode::Disable);
    let mut intranet = url_override(&["intranet.blocked.example/*", "blocked.example/admin/*"], "Log only", 2);
    if let Some(group) = catalog::previous_group("Cloudflare Specials") {
        intranet.groups.insert(group.id.to_owned(), RuleMode::Simulate);
    }
    ZoneSeed { overrides: vec![shop, intranet], ..ZoneSeed::default() }
}

fn zone_with_too_many_bypass_rules() -> ZoneSeed {
    let branch = |number: u32| {
        let (expression, name) = (format!("ip.src in {{10.1.{number}.0/24}}"), format!("Branch {}", number + 1));
        bypass(&expression, &[Product::Waf], Some(number + 1), &name)
    };
    ZoneSeed { rules: (0..=200).map(branch).collect(), ..ZoneSeed::default() }
}

fn sensitivity(value: Sensitivity) -> WafSettingChange {
    WafSettingChange { kind: WafSettingKind::Sensitivity, object_id: core_package_id().to_owned(), value: value.name() }
}

fn action_mode(value: ActionMode) -> WafSettingChange {
    WafSettingChange { kind: WafSettingKind::ActionMode, object_id: core_package_id().to_owned(), value: value.name() }
}

fn core_package_id() -> &'static str {
    catalog::package(PackageKind::Core).id
}

fn group_off(name: &str) -> WafSettingChange {
    let id = catalog::previous_group(name).map(|group| group.id).unwrap_or_default();
    WafSettingChange { kind: WafSettingKind::Group, object_id: id.to_owned(), value: Switch::Off.name() }
}

fn rule_mode(id: &str, mode: RuleMode) -> WafSettingChange {
    WafSettingChange { kind: WafSettingKind::Rule, object_id: id.to_owned(), value: mode.name() }
}

fn rule(expression: &str, action: Action, priority: Option<u32>, description: &str) -> NewRule {
    let filter = NewFilter { expression: expression.to_owned(), ..NewFilter::default() };
    let description = Some(description.to_owned());
    NewRule { priority, description, ..NewRule::new(FilterReference::New(filter), action) }
}

fn bypass(expression: &str, products: &[Product], priority: Option<u32>, description: &str) -> NewRule {
    NewRule { products: products.to_vec(), ..rule(expression, Action::Bypass, priority, description) }
}

fn page_rule(pattern: &str, priority: i64, actions: &[(&str, Option<&str>)]) -> PageRule {
    let constraint = PageRuleConstraint { operator: "matches".to_owned(), value: pattern.to_owned() };
    let action = |(id, value): &(&str, Option<&str>)| PageRuleAction {
        id: (*id).to_owned(),
        value: value.map(serde_json::Value::from),
    };
    PageRule {
        id: String::new(),
        targets: vec![PageRuleTarget { target: "url".to_owned(), constraint }],
        actions: actions.iter().map(action).collect(),
        priority,
        status: PageRuleStatus::Active,
        created_on: None,
        modified_on: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zonewright_firewall::{check_rule, quota};
    use zonewright_migration::read;

    #[test]
    fn fixtures_are_valid_for_their_plan() {
        for ZoneFixture { name, tier, seed, .. } in FIXTURES {
            let seed = seed();
            for new in &seed.rules {
                assert_eq!(check_rule(new, tier), [], "{name}: {:?}", new.description);
            }
            assert!(seed.rules.len() as u64 <= quota::max_active_rules(tier), "{name}");
            assert!(seed.page_rules.len() <= read::page_rule_quota(tier), "{name}");
            for rule in &seed.page_rules {
                let body = serde_json::to_value(rule).unwrap();
                assert_eq!(read::read_page_rule(&body, tier).as_ref(), Ok(rule), "{name}");
            }
            for new in &seed.overrides {
                let body = serde_json::to_value(new).unwrap();
                assert_eq!(read::read_override(&body, tier).as_ref(), Ok(new), "{name}");
            }
            for change in &seed.settings {
                let known = match change.kind {
                    WafSettingKind::Group => catalog::default_groups().iter().any(|group| group.id == change.object_id),
                    WafSettingKind::Rule => catalog::default_rules().iter().any(|rule| {
                        let allows = |mode| rule.allowed_modes.contains(&mode);
                        rule.id == change.object_id && RuleMode::from_name(change.value).is_some_and(allows)
                    }),
                    _ => true,
                };
                assert!(known, "{name}: {change:?}");
            }
        }
    }
}
