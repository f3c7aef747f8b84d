//! Owners of stored objects: zones and accounts to which the principal of a request has access.

use crate::error::{Error, Resource};
use crate::principal::Actor;
use crate::scope::Scope;
use std::sync::Arc;
use zonewright_api::zone;
use zonewright_expression::schema::Tier;
use zonewright_firewall::ruleset::Level;

/// A zone to which the principal has access.
#[derive(Clone, Debug)]
pub struct Zone {
    /// The zone as the API returns it.
    pub zone: Arc<zone::Zone>,
    /// Its plan.
    pub tier: Tier,
    /// The actor of the request.
    pub actor: Actor,
    /// The length of the zone's audit log when the zone was looked up. Every change of the zone increases it.
    pub revision: i64,
}

impl Zone {
    /// Returns the ID.
    pub fn id(&self) -> &str {
        &self.zone.id
    }

    /// Returns the scope of changes in the zone.
    pub fn scope(&self) -> Scope {
        Scope::Zone(self.zone.id.clone())
    }
}

/// The owner of log push jobs: a zone or an account.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Owner {
    /// The ID of a zone.
    Zone(String),
    /// The ID of an account.
    Account(String),
}

impl Owner {
    /// Returns the values of the columns `zone_id` and `account_id`.
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

/// The owner of rulesets: a zone or an account.
#[derive(Clone, Debug)]
pub enum RulesetOwner {
    /// A zone.
    Zone(Box<Zone>),
    /// The ID of an account, and the actor of the request.
    Account(String, Actor),
}

impl RulesetOwner {
    /// Returns the level of its rulesets.
    pub fn level(&self) -> Level {
        match self {
            RulesetOwner::Zone(_) => Level::Zone,
            RulesetOwner::Account(..) => Level::Account,
        }
    }

    /// Returns its plan. Accounts have rulesets like Enterprise zones (assumption ruleset-levels).
    pub fn tier(&self) -> Tier {
        match self {
            RulesetOwner::Zone(zone) => zone.tier,
            RulesetOwner::Account(..) => Tier::Enterprise,
        }
    }

    /// Returns the actor of the request.
    pub fn actor(&self) -> &Actor {
        match self {
            RulesetOwner::Zone(zone) => &zone.actor,
            RulesetOwner::Account(_, actor) => actor,
        }
    }

    /// Returns the scope of changes of its rulesets.
    pub fn scope(&self) -> Scope {
        match self {
            RulesetOwner::Zone(zone) => zone.scope(),
            RulesetOwner::Account(id, _) => Scope::Account(id.clone()),
        }
    }

    /// Returns the IDs of the zone and the account as parameters; one of them is empty.
    pub fn columns(&self) -> (String, String) {
        match self {
            RulesetOwner::Zone(zone) => (zone.id().to_owned(), String::new()),
            RulesetOwner::Account(id, _) => (String::new(), id.clone()),
        }
    }

    /// Returns the error for a ruleset that the owner does not have.
    pub fn ruleset_not_found(&self, id: &str) -> Error {
        Error::NotFound(Resource::Ruleset(self.level(), id.to_owned()))
    }

    /// Returns the error for a rule that no ruleset of the owner has.
    pub fn rule_not_found(&self, id: &str) -> Error {
        Error::NotFound(Resource::RulesetRule(self.level(), id.to_owned()))
    }
}
