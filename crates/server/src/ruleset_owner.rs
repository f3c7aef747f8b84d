//! Who has rulesets.

use crate::App;
use crate::actor::Actor;
use crate::auth::{Owner, Zone};
use crate::error::Error;
use crate::request::member;
use crate::store::Scope;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use zonewright_api::error_code;
use zonewright_expression::schema::Tier;
use zonewright_firewall::ruleset::Level;

/// Who has rulesets: a zone that the caller may use, or the caller's account.
#[derive(Clone, Debug)]
pub(crate) enum RulesetOwner {
    /// A zone.
    Zone(Box<Zone>),
    /// An account, by its identifier.
    Account(String, Actor),
}

impl FromRequestParts<App> for RulesetOwner {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        if member(parts, "zone_id").await.is_some() {
            return Ok(RulesetOwner::Zone(Box::new(Zone::from_request_parts(parts, app).await?)));
        }
        match Owner::from_request_parts(parts, app).await? {
            Owner::Account(id) => Ok(RulesetOwner::Account(id, Actor::from_request_parts(parts, app).await?)),
            Owner::Zone(id) => Err(Error::NoZone(id)),
        }
    }
}

impl RulesetOwner {
    /// Where its rulesets stand.
    pub(crate) fn level(&self) -> Level {
        match self {
            RulesetOwner::Zone(_) => Level::Zone,
            RulesetOwner::Account(..) => Level::Account,
        }
    }

    /// What it pays for: accounts have rulesets as Enterprise zones have them (assumption ruleset-levels).
    pub(crate) fn tier(&self) -> Tier {
        match self {
            RulesetOwner::Zone(zone) => zone.tier,
            RulesetOwner::Account(..) => Tier::Enterprise,
        }
    }

    /// Who is asking.
    pub(crate) fn actor(&self) -> &Actor {
        match self {
            RulesetOwner::Zone(zone) => &zone.actor,
            RulesetOwner::Account(_, actor) => actor,
        }
    }

    /// What a transaction changes that changes its rulesets.
    pub(crate) fn scope(&self) -> Scope {
        match self {
            RulesetOwner::Zone(zone) => zone.scope(),
            RulesetOwner::Account(id, _) => Scope::Account(id.clone()),
        }
    }

    /// The zone and the account, as statements take them: one of both is empty.
    pub(crate) fn columns(&self) -> (String, String) {
        match self {
            RulesetOwner::Zone(zone) => (zone.id().to_owned(), String::new()),
            RulesetOwner::Account(id, _) => (String::new(), id.clone()),
        }
    }

    /// The error when it has no ruleset of this identifier, or when there is no other such thing in it.
    pub(crate) fn lacks(&self, what: &str, id: &str) -> Error {
        Error::Missing(error_code::NOT_EXISTS, format!("there is no {what} `{id}` in this {}", self.level().name()))
    }
}
