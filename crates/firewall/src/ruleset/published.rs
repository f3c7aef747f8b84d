//! Lists managed rulesets whose identifiers are published, but whose rules are not. Their overrides may therefore name
//! any rule.
//!
//! Start with [`PUBLISHED_RULESETS`].

use super::RulesetInfo;
use std::sync::LazyLock;
use zonewright_expression::schema::{Phase, Tier};

/// The rulesets that entry points of their phase can execute (assumption published-rulesets).
pub static PUBLISHED_RULESETS: LazyLock<Vec<RulesetInfo>> = LazyLock::new(|| {
    let ruleset = |id: &str, name: &str, description: &str, phase, tier| RulesetInfo {
        id: id.to_owned(),
        name: name.to_owned(),
        description: description.to_owned(),
        phase,
        tier,
        categories: Vec::new(),
        rules: None,
        is_complete: false,
        score_rule: None,
    };
    vec![
        ruleset(
            "77454fe2d30c4220b5701f6fdfb893ba",
            "Cloudflare Managed Free Ruleset",
            "The most important rules, available on every plan",
            Phase::HttpRequestFirewallManaged,
            Tier::Free,
        ),
        ruleset(
            "c2e184081120413c86c3ab7e14069605",
            "Cloudflare Exposed Credentials Check",
            "Detects logins with credentials that are known to be leaked",
            Phase::HttpRequestFirewallManaged,
            Tier::Pro,
        ),
        ruleset(
            "4d21379b4f9f4bb088e0729962c8b3cf",
            "DDoS L7 ruleset",
            "Protects against denial-of-service attacks over HTTP",
            Phase::DdosL7,
            Tier::Free,
        ),
        ruleset(
            "3b64149bfa6e4220bbbc2bd6db589552",
            "DDoS L3/4 ruleset",
            "Protects against denial-of-service attacks at the network layer",
            Phase::DdosL4,
            Tier::Enterprise,
        ),
        ruleset(
            "70339d97bdb34195bbf054b1ebe81f76",
            "Cloudflare Normalization Ruleset",
            "Normalizes request URLs",
            Phase::HttpRequestSanitize,
            Tier::Free,
        ),
        ruleset(
            "e22d83c647c64a3eae91b71b499d988e",
            "Cloudflare Sensitive Data Detection Ruleset",
            "Detects sensitive data in responses",
            Phase::HttpResponseFirewallManaged,
            Tier::Enterprise,
        ),
    ]
});
