//! Where a ruleset stands.

use std::collections::HashSet;
use zonewright_api::ruleset::RulesetKind;
use zonewright_expression::schema::{Phase, Tier};

/// Who has rulesets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// A zone.
    Zone,
    /// An account; its rules run before those of its zones.
    Account,
}

impl Level {
    /// The kind of its entry points.
    pub fn entry_point(self) -> RulesetKind {
        match self {
            Level::Zone => RulesetKind::Zone,
            Level::Account => RulesetKind::Root,
        }
    }

    /// What it is called with its article.
    pub fn noun(self) -> &'static str {
        match self {
            Level::Zone => "a zone",
            Level::Account => "an account",
        }
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Level::Zone => "zone",
            Level::Account => "account",
        }
    }
}

/// Where a ruleset stands: what its rules may do depends on it.
#[derive(Clone, Copy, Debug)]
pub struct RulesetContext<'a> {
    /// Who has it.
    pub level: Level,
    /// What it is.
    pub kind: RulesetKind,
    /// When it runs.
    pub phase: Phase,
    /// What its owner pays for.
    pub tier: Tier,
    /// The rulesets that its rules may name.
    pub catalog: RulesetCatalog<'a>,
}

impl<'a> RulesetContext<'a> {
    /// The entry point of a phase.
    pub fn entry_point(level: Level, phase: Phase, tier: Tier, catalog: RulesetCatalog<'a>) -> Self {
        RulesetContext { level, kind: level.entry_point(), phase, tier, catalog }
    }
}

/// Rulesets that rules may name.
#[derive(Clone, Copy, Debug)]
pub struct RulesetCatalog<'a> {
    /// Those of the provider.
    pub managed: &'a [RulesetInfo],
    /// Those of the account.
    pub custom: &'a [RulesetInfo],
}

impl<'a> RulesetCatalog<'a> {
    /// The ruleset of this identifier.
    pub fn find(&self, id: &str) -> Option<&'a RulesetInfo> {
        self.all().find(|ruleset| ruleset.id == id)
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &'a RulesetInfo> + use<'a> {
        self.managed.iter().chain(self.custom)
    }
}

/// What is known of a ruleset that rules may name.
#[derive(Clone, Debug)]
pub struct RulesetInfo {
    /// Identifier.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// When it runs.
    pub phase: Phase,
    /// The smallest plan that may execute it.
    pub tier: Tier,
    /// The categories of its rules.
    pub categories: Vec<String>,
    /// Identifiers of its rules; without them, any is taken.
    pub rules: Option<HashSet<String>>,
    /// Whether `rules` lists every rule. The catalogue of managed rulesets does not.
    pub is_complete: bool,
    /// Its rule that has a threshold.
    pub score_rule: Option<String>,
}

impl RulesetInfo {
    /// A ruleset of which nothing is known but its name: whatever is said of its rules is taken.
    pub fn unseen(id: &str, phase: Phase) -> Self {
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

    /// Whether it guards against denial of service, so that its rules have a sensitivity.
    pub fn has_sensitivity(&self) -> bool {
        matches!(self.phase, Phase::DdosL4 | Phase::DdosL7)
    }
}
