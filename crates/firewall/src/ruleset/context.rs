//! Describes the context of a ruleset.
//!
//! Start with [`RulesetContext`]. Every validator of rules depends on it.

use std::collections::HashSet;
use zonewright_api::ruleset::RulesetKind;
use zonewright_expression::schema::{Phase, Tier};

/// The level that owns rulesets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// A zone.
    Zone,
    /// An account; its rules run before those of its zones.
    Account,
}

impl Level {
    /// Returns the kind of the level's entry points.
    pub fn entry_point_kind(self) -> RulesetKind {
        match self {
            Level::Zone => RulesetKind::Zone,
            Level::Account => RulesetKind::Root,
        }
    }

    /// Returns the name with its article.
    pub fn name_with_article(self) -> &'static str {
        match self {
            Level::Zone => "a zone",
            Level::Account => "an account",
        }
    }

    /// Returns the name.
    pub fn name(self) -> &'static str {
        match self {
            Level::Zone => "zone",
            Level::Account => "account",
        }
    }
}

/// The context of a ruleset, which determines the permitted rules.
#[derive(Clone, Copy, Debug)]
pub struct RulesetContext<'a> {
    /// The level of the owner.
    pub level: Level,
    /// The kind of the ruleset.
    pub kind: RulesetKind,
    /// The phase in which it runs.
    pub phase: Phase,
    /// The plan of the owner.
    pub tier: Tier,
    /// The rulesets that its rules may refer to.
    pub catalog: RulesetCatalog<'a>,
}

impl<'a> RulesetContext<'a> {
    /// Returns the context of the entry point of a phase.
    pub fn entry_point(level: Level, phase: Phase, tier: Tier, catalog: RulesetCatalog<'a>) -> Self {
        RulesetContext { level, kind: level.entry_point_kind(), phase, tier, catalog }
    }
}

/// The rulesets that rules may refer to.
#[derive(Clone, Copy, Debug)]
pub struct RulesetCatalog<'a> {
    /// The managed rulesets of the provider.
    pub managed: &'a [RulesetInfo],
    /// The custom rulesets of the account.
    pub custom: &'a [RulesetInfo],
}

impl<'a> RulesetCatalog<'a> {
    /// Finds a ruleset by its identifier.
    pub fn find(&self, id: &str) -> Option<&'a RulesetInfo> {
        self.all().find(|ruleset| ruleset.id == id)
    }

    /// Iterates over all rulesets.
    pub fn all(&self) -> impl Iterator<Item = &'a RulesetInfo> + use<'a> {
        self.managed.iter().chain(self.custom)
    }
}

/// The facts that are known about a ruleset that rules may refer to.
#[derive(Clone, Debug)]
pub struct RulesetInfo {
    /// The identifier.
    pub id: String,
    /// The display name.
    pub name: String,
    /// The purpose.
    pub description: String,
    /// The phase in which it runs.
    pub phase: Phase,
    /// The smallest plan that may execute it.
    pub tier: Tier,
    /// The categories of its rules.
    pub categories: Vec<String>,
    /// The identifiers of its rules; `None` accepts any rule.
    pub rules: Option<HashSet<String>>,
    /// Whether `rules` lists every rule. It is false for managed rulesets, because the catalog has only some of their
    /// rules.
    pub is_complete: bool,
    /// The identifier of the rule that has a score threshold.
    pub score_rule: Option<String>,
}

impl RulesetInfo {
    /// Returns a ruleset whose identifier and phase are known, and nothing else. References to any rule of it are
    /// accepted.
    pub fn unknown(id: &str, phase: Phase) -> Self {
        RulesetInfo {
            id: id.to_owned(),
            name: "ruleset".to_owned(),
            description: String::new(),
            phase,
            tier: Tier::Free,
            categories: Vec::new(),
            rules: None,
            is_complete: false,
            score_rule: None,
        }
    }

    /// Returns whether the ruleset is a DDoS ruleset, whose rules have a sensitivity level.
    pub fn has_sensitivity(&self) -> bool {
        matches!(self.phase, Phase::DdosL4 | Phase::DdosL7)
    }
}
