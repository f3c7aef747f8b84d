//! Who owns what is stored: a zone or an account, as a caller may use it.

use crate::error::Error;
use crate::principal::Actor;
use crate::scope::Scope;
use std::sync::Arc;
use zonewright_api::{error_code, zone};
use zonewright_expression::schema::Tier;
use zonewright_firewall::ruleset::Level;

/// A zone that the caller may use.
#[derive(Clone, Debug)]
pub struct Zone {
    /// As the caller sees it.
    pub zone: Arc<zone::Zone>,
    /// Its plan.
    pub tier: Tier,
    /// Who uses it.
    pub actor: Actor,
    /// How often something in it was changed before the request.
    pub changes: i64,
}

impl Zone {
    /// Identifier.
    pub fn id(&self) -> &str {
        &self.zone.id
    }

    /// What a transaction changes that changes the zone.
    pub fn scope(&self) -> Scope {
        Scope::Zone(self.zone.id.clone())
    }
}

/// Who has log push jobs: a zone that the caller may use, or the caller's account.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Owner {
    /// Identifier of a zone.
    Zone(String),
    /// Identifier of an account.
    Account(String),
}

impl Owner {
    /// As the database has it: the zone, and the account.
    pub fn columns(&self) -> (Option<String>, Option<String>) {
        match self {
            Owner::Zone(id) => (Some(id.clone()), None),
            Owner::Account(id) => (None, Some(id.clone())),
        }
    }
}

impl From<&Owner> for Scope {
    fn from(owner: &Owner) -> Self {
        match owner {
            Owner::Zone(id) => Scope::Zone(id.clone()),
            Owner::Account(id) => Scope::Account(id.clone()),
        }
    }
}

/// Who has rulesets: a zone that the caller may use, or the caller's account.
#[derive(Clone, Debug)]
pub enum RulesetOwner {
    /// A zone.
    Zone(Box<Zone>),
    /// An account, by its identifier.
    Account(String, Actor),
}

impl RulesetOwner {
    /// Where its rulesets stand.
    pub fn level(&self) -> Level {
        match self {
            RulesetOwner::Zone(_) => Level::Zone,
            RulesetOwner::Account(..) => Level::Account,
        }
    }

    /// What it pays for: accounts have rulesets as Enterprise zones have them (assumption ruleset-levels).
    pub fn tier(&self) -> Tier {
        match self {
            RulesetOwner::Zone(zone) => zone.tier,
            RulesetOwner::Account(..) => Tier::Enterprise,
        }
    }

    /// Who is asking.
    pub fn actor(&self) -> &Actor {
        match self {
            RulesetOwner::Zone(zone) => &zone.actor,
            RulesetOwner::Account(_, actor) => actor,
        }
    }

    /// What a transaction changes that changes its rulesets.
    pub fn scope(&self) -> Scope {
        match self {
            RulesetOwner::Zone(zone) => zone.scope(),
            RulesetOwner::Account(id, _) => Scope::Account(id.clone()),
        }
    }

    /// The zone and the account, as statements take them: one of both is empty.
    pub fn columns(&self) -> (String, String) {
        match self {
            RulesetOwner::Zone(zone) => (zone.id().to_owned(), String::new()),
            RulesetOwner::Account(id, _) => (String::new(), id.clone()),
        }
    }

    /// The error when it has no ruleset of this identifier, or when there is no other such thing in it.
    pub fn lacks(&self, what: &str, id: &str) -> Error {
        Error::Missing(error_code::NOT_EXISTS, format!("there is no {what} `{id}` in this {}", self.level().name()))
    }
}
