//! Rulesets of zones and accounts, every version of them.

mod follow;
mod versions;
mod write;

pub(super) use versions::MOST_VERSIONS;
pub(crate) use versions::missing as missing_version;
pub(crate) use write::{Next, Sent, Target};

use super::Store;
use crate::error::Error;
use crate::ruleset_owner::RulesetOwner;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};
use zonewright_api::ruleset::{Ruleset, RulesetKind, RulesetRule};
use zonewright_expression::schema::{Phase, Tier};
use zonewright_firewall::ruleset::KnownRuleset;

/// Rulesets in the columns that [`ruleset`] reads.
macro_rules! select_rulesets {
    ($rest:expr) => {
        concat!("select id, kind, phase, name, description, version, last_updated, rules from rulesets ", $rest)
    };
}

impl Store {
    /// The owner's entry point of a phase.
    pub(crate) async fn entry_point(&self, owner: &RulesetOwner, phase: &str) -> Result<Option<Ruleset>, Error> {
        entry_point_of(&mut *self.pool.acquire().await?, owner, phase).await
    }

    /// All rulesets of the owner, by phase.
    pub(crate) async fn rulesets(&self, owner: &RulesetOwner) -> Result<Vec<Ruleset>, Error> {
        all(&mut *self.pool.acquire().await?, owner).await
    }

    /// One ruleset of the owner.
    pub(crate) async fn ruleset(&self, owner: &RulesetOwner, id: &str) -> Result<Option<Ruleset>, Error> {
        by_id(&mut *self.pool.acquire().await?, owner, id).await
    }

    /// The owner's own rulesets that its rules may execute: those of an account are for its entry points.
    pub(crate) async fn executable_rulesets(&self, owner: &RulesetOwner) -> Result<Vec<KnownRuleset>, Error> {
        match owner {
            RulesetOwner::Zone(_) => Ok(Vec::new()),
            RulesetOwner::Account(..) => {
                let all = self.rulesets(owner).await?;
                Ok(all
                    .into_iter()
                    .filter(|ruleset| ruleset.kind == RulesetKind::Custom.name())
                    .filter_map(known)
                    .collect())
            }
        }
    }
}

fn known(ruleset: Ruleset) -> Option<KnownRuleset> {
    Some(KnownRuleset {
        phase: Phase::from_name(&ruleset.phase)?,
        id: ruleset.id,
        name: ruleset.name,
        description: ruleset.description,
        tier: Tier::Enterprise,
        categories: Vec::new(),
        rules: Some(ruleset.rules.into_iter().map(|rule| rule.id).collect()),
        score_rule: None,
    })
}

/// All rulesets of the owner, by phase, as a transaction sees them.
async fn all(connection: &mut AnyConnection, owner: &RulesetOwner) -> Result<Vec<Ruleset>, Error> {
    let (zone, account) = owner.columns();
    let query = sqlx::query(select_rulesets!("where zone_id = $1 or account_id = $2 order by phase, kind, name, id"));
    query.bind(zone).bind(account).fetch_all(connection).await?.iter().map(ruleset).collect()
}

/// One ruleset of the owner, as a transaction sees it.
async fn by_id(connection: &mut AnyConnection, owner: &RulesetOwner, id: &str) -> Result<Option<Ruleset>, Error> {
    let (zone, account) = owner.columns();
    let row = sqlx::query(select_rulesets!("where (zone_id = $1 or account_id = $2) and id = $3"))
        .bind(zone)
        .bind(account)
        .bind(id.to_owned())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(ruleset).transpose()
}

/// The owner's entry point of a phase, as a transaction sees it.
async fn entry_point_of(
    connection: &mut AnyConnection,
    owner: &RulesetOwner,
    phase: &str,
) -> Result<Option<Ruleset>, Error> {
    let (zone, account) = owner.columns();
    let row = sqlx::query(select_rulesets!("where (zone_id = $1 or account_id = $2) and phase = $3 and kind = $4"))
        .bind(zone)
        .bind(account)
        .bind(phase.to_owned())
        .bind(owner.level().entry_point().name())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(ruleset).transpose()
}

/// The zone's entry point of a phase, as a transaction sees it.
pub(super) async fn entry_point(
    connection: &mut AnyConnection,
    zone: &str,
    phase: &str,
) -> Result<Option<Ruleset>, Error> {
    let row = sqlx::query(select_rulesets!("where zone_id = $1 and phase = $2 and kind = $3"))
        .bind(zone.to_owned())
        .bind(phase.to_owned())
        .bind(RulesetKind::Zone.name())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(ruleset).transpose()
}

/// Rules as the database has them.
fn written(rules: &[RulesetRule]) -> Result<String, Error> {
    serde_json::to_string(rules).map_err(|error| Error::Internal(error.into()))
}

fn ruleset(row: &AnyRow) -> Result<Ruleset, Error> {
    let rules: String = row.try_get(7)?;
    Ok(Ruleset {
        id: row.try_get(0)?,
        kind: row.try_get(1)?,
        phase: row.try_get(2)?,
        name: row.try_get(3)?,
        description: row.try_get(4)?,
        version: row.try_get::<i64, _>(5)?.to_string(),
        last_updated: row.try_get(6)?,
        rules: serde_json::from_str(&rules).map_err(|error| Error::Internal(error.into()))?,
    })
}
