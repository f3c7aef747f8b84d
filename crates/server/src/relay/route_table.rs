//! The relayed paths: every documented path with its methods. No other request is forwarded.
//!
//! A word in braces is a path parameter with the format of a [`SegmentPattern`].

/// The validation of a request's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyKind {
    /// No body; none is forwarded.
    None,
    /// Any object: the upstream reports problems of its members in the result.
    AnyObject,
    Filters,
    FilterUpdates,
    FilterUpdate,
    /// IDs in the query or the body; there may be none.
    FilterDeletions,
    RuleDeletions,
    /// Optional: whether to delete the filter with its rule.
    RuleDeletion,
    Rules,
    RuleUpdates,
    RuleUpdate,
    Priorities,
    Priority,
    Package,
    Group,
    WafRule,
    Override,
    OverrideUpdate,
    WafSetting,
    PageRule,
    PageRuleChange,
    Ruleset,
    RulesetUpdate,
    RulesetRule,
    RulesetRuleChange,
    EntryPoint,
    Job,
    JobUpdate,
    InstantLogs,
    Transformer,
}

/// The owners that a path has, which determine its prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OwnerScope {
    /// No owner: the path has no prefix.
    Global,
    /// `/zones/{id}`.
    Zone,
    /// `/accounts/{id}`.
    Account,
    /// `/zones/{id}` and `/accounts/{id}`.
    Either,
}

/// A documented path.
#[derive(Debug)]
pub(super) struct Route {
    pub(super) owners: OwnerScope,
    /// Path after the owner: words and parameters, separated by slashes.
    pub(super) pattern: &'static str,
    /// Methods with the validation of the body.
    pub(super) methods: &'static [(&'static str, BodyKind)],
}

const fn route(owners: OwnerScope, pattern: &'static str, methods: &'static [(&'static str, BodyKind)]) -> Route {
    Route { owners, pattern, methods }
}

/// A method without a body.
const GET: (&str, BodyKind) = ("GET", BodyKind::None);
/// Deletion of the object at the path.
const DELETE: (&str, BodyKind) = ("DELETE", BodyKind::None);

use OwnerScope::{Account, Either, Global, Zone};

/// All relayed paths; if two match, the first one applies.
pub(super) const ROUTES: &[Route] = &[
    route(Global, "user", &[GET]),
    route(Global, "user/tokens/verify", &[GET]),
    route(Global, "accounts", &[GET]),
    route(Account, "", &[GET]),
    route(Account, "tokens/verify", &[GET]),
    route(Global, "zones", &[GET]),
    route(Zone, "", &[GET]),
    route(Account, "audit_logs", &[GET]),
    // Filters and firewall rules.
    route(Global, "filters/validate-expr", &[GET, ("POST", BodyKind::AnyObject)]),
    route(
        Zone,
        "filters",
        &[GET, ("POST", BodyKind::Filters), ("PUT", BodyKind::FilterUpdates), ("DELETE", BodyKind::FilterDeletions)],
    ),
    route(Zone, "filters/{id}", &[GET, ("PUT", BodyKind::FilterUpdate), DELETE]),
    route(
        Zone,
        "firewall/rules",
        &[
            GET,
            ("POST", BodyKind::Rules),
            ("PUT", BodyKind::RuleUpdates),
            ("PATCH", BodyKind::Priorities),
            ("DELETE", BodyKind::RuleDeletions),
        ],
    ),
    route(
        Zone,
        "firewall/rules/{id}",
        &[GET, ("PUT", BodyKind::RuleUpdate), ("PATCH", BodyKind::Priority), ("DELETE", BodyKind::RuleDeletion)],
    ),
    // The previous managed rules.
    route(Zone, "firewall/waf/packages", &[GET]),
    route(Zone, "firewall/waf/packages/{id}", &[GET, ("PATCH", BodyKind::Package)]),
    route(Zone, "firewall/waf/packages/{id}/groups", &[GET]),
    route(Zone, "firewall/waf/packages/{id}/groups/{id}", &[GET, ("PATCH", BodyKind::Group)]),
    route(Zone, "firewall/waf/packages/{id}/rules", &[GET]),
    route(Zone, "firewall/waf/packages/{id}/rules/{name}", &[GET, ("PATCH", BodyKind::WafRule)]),
    route(Zone, "firewall/waf/overrides", &[GET, ("POST", BodyKind::Override)]),
    route(Zone, "firewall/waf/overrides/{id}", &[GET, ("PUT", BodyKind::OverrideUpdate), DELETE]),
    route(Zone, "settings/waf", &[GET, ("PATCH", BodyKind::WafSetting)]),
    route(Zone, "pagerules", &[GET, ("POST", BodyKind::PageRule)]),
    route(Zone, "pagerules/{id}", &[GET, ("PUT", BodyKind::PageRule), ("PATCH", BodyKind::PageRuleChange), DELETE]),
    // Rulesets and the migration to them.
    route(Either, "rulesets", &[GET, ("POST", BodyKind::Ruleset)]),
    route(Either, "rulesets/{id}", &[GET, ("PUT", BodyKind::RulesetUpdate), DELETE]),
    route(Either, "rulesets/{id}/versions", &[GET]),
    route(Either, "rulesets/{id}/versions/{number}", &[GET, DELETE]),
    route(Account, "rulesets/{id}/versions/{number}/by_tag/{name}", &[GET]),
    route(Either, "rulesets/{id}/rules", &[("POST", BodyKind::RulesetRule)]),
    route(Either, "rulesets/{id}/rules/{id}", &[("PATCH", BodyKind::RulesetRuleChange), DELETE]),
    route(Either, "rulesets/phases/{phase}/entrypoint", &[GET, ("PUT", BodyKind::EntryPoint)]),
    route(Either, "rulesets/phases/{phase}/entrypoint/versions", &[GET]),
    route(Either, "rulesets/phases/{phase}/entrypoint/versions/{number}", &[GET]),
    route(Zone, "waf_migration/check", &[GET]),
    route(Zone, "waf_migration/config", &[GET]),
    route(Zone, "waf_migration/status", &[GET]),
    // Log push.
    route(Either, "logpush/jobs", &[GET, ("POST", BodyKind::Job)]),
    route(Either, "logpush/jobs/{number}", &[GET, ("PUT", BodyKind::JobUpdate), DELETE]),
    route(Either, "logpush/datasets/{dataset}/jobs", &[GET]),
    route(Either, "logpush/datasets/{dataset}/fields", &[GET]),
    route(Either, "logpush/datasets/{dataset}/fields/default", &[GET]),
    route(Either, "logpush/ownership", &[("POST", BodyKind::AnyObject)]),
    route(Either, "logpush/ownership/validate", &[("POST", BodyKind::AnyObject)]),
    route(Either, "logpush/validate/destination", &[("POST", BodyKind::AnyObject)]),
    route(Either, "logpush/validate/destination/exists", &[("POST", BodyKind::AnyObject)]),
    route(Either, "logpush/validate/origin", &[("POST", BodyKind::AnyObject)]),
    route(Zone, "logpush/edge", &[GET, ("POST", BodyKind::InstantLogs)]),
    route(Zone, "logpush/edge/jobs", &[GET, ("POST", BodyKind::InstantLogs)]),
    route(Account, "logpush/transformers", &[GET, ("POST", BodyKind::Transformer)]),
    route(Account, "logpush/transformers/preview", &[("POST", BodyKind::AnyObject)]),
    route(Account, "logpush/transformers/{name}", &[GET, ("PUT", BodyKind::Transformer), DELETE]),
    route(Account, "logpush/transformers/{name}/content", &[GET]),
    route(Account, "logpush/transformers/{name}/versions", &[GET]),
];

/// The format of a path segment. No format needs percent-encoding or allows a dot, so a matching path has only one
/// interpretation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SegmentPattern {
    /// Exactly this word.
    Word(&'static str),
    /// 32 lowercase hexadecimal digits.
    Id,
    /// An integer without leading zeros.
    Number,
    /// A phase of the Rules language.
    Phase,
    /// A dataset of log push.
    Dataset,
    /// Letters, digits, `-` and `_`: rules of the previous managed rules, tags, transformers.
    Name,
}

/// Maximum length of a [`SegmentPattern::Name`] in bytes.
const MAX_NAME_BYTES: usize = 64;

impl Route {
    /// Iterates over the segments after the owner.
    pub(super) fn segments(&self) -> impl Iterator<Item = SegmentPattern> + use<> {
        self.pattern.split('/').filter(|word| !word.is_empty()).map(|word| match word {
            "{id}" => SegmentPattern::Id,
            "{number}" => SegmentPattern::Number,
            "{phase}" => SegmentPattern::Phase,
            "{dataset}" => SegmentPattern::Dataset,
            "{name}" => SegmentPattern::Name,
            word => SegmentPattern::Word(word),
        })
    }
}

impl SegmentPattern {
    /// Returns whether a path segment has this format.
    pub(super) fn matches(self, text: &str) -> bool {
        match self {
            SegmentPattern::Word(word) => word == text,
            SegmentPattern::Id => zonewright_firewall::is_identifier(text),
            SegmentPattern::Number => text.parse().is_ok_and(|number: u64| number.to_string() == text),
            SegmentPattern::Phase => zonewright_expression::schema::Phase::from_name(text).is_some(),
            SegmentPattern::Dataset => zonewright_logpush::Dataset::from_name(text).is_some(),
            SegmentPattern::Name => {
                let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
                !text.is_empty() && text.len() <= MAX_NAME_BYTES && text.bytes().all(allowed)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Returns a path without the names of its parameters.
    fn without_parameter_names(path: &str) -> String {
        let words: Vec<&str> = path.split('/').map(|word| if word.starts_with('{') { "{}" } else { word }).collect();
        words.join("/").replace("/settings/{}", "/settings/waf")
    }

    #[test]
    fn relayed_routes_are_exactly_the_documented_routes() {
        let document: serde_json::Value = serde_json::from_str(crate::router::openapi()).unwrap();
        let mut documented = BTreeSet::new();
        for (path, item) in document["paths"].as_object().unwrap() {
            for (method, operation) in item.as_object().unwrap() {
                if !crate::openapi::is_extension(operation) && !path.contains("/transformers") {
                    documented.insert(format!("{} {}", method.to_uppercase(), without_parameter_names(path)));
                }
            }
        }
        let mut relayed = BTreeSet::new();
        for route in ROUTES.iter().filter(|route| !route.pattern.contains("transformers")) {
            let owners: &[&str] = match route.owners {
                Global => &[""],
                Zone => &["/zones/{}"],
                Account => &["/accounts/{}"],
                Either => &["/zones/{}", "/accounts/{}"],
            };
            for (owner, (method, _)) in
                owners.iter().flat_map(|owner| route.methods.iter().map(move |method| (owner, method)))
            {
                let slash = if route.pattern.is_empty() { "" } else { "/" };
                relayed.insert(format!(
                    "{method} {}",
                    without_parameter_names(&format!("{owner}{slash}{}", route.pattern))
                ));
            }
        }
        assert_eq!(relayed, documented);
    }
}
