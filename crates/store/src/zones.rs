//! Zones.
//!
//! - `seed`: the initial contents of a zone.

mod seed;

pub use seed::ZoneSeed;

use crate::dialect::Dialect;
use crate::error::Error;
use crate::grants::Grants;
use crate::page::Page;
use crate::principal::{Actor, Principal};
use crate::removal::delete_with_dependents;
use crate::rows::{FoundZone, FoundZoneRow, ZoneRow, found_zone_columns, to_u64, zone_columns};
use crate::scope::Scope;
use crate::store::Store;
use crate::tokens;
use serde_json::{Value, json};
use sqlx::{AnyConnection, FromRow};
use zonewright_api::zone::Zone;
use zonewright_expression::schema::Tier;

/// A zone with its initial contents.
pub struct NewZone<'a> {
    /// The ID.
    pub id: &'a str,
    /// The domain name.
    pub name: &'a str,
    /// The name of its plan.
    pub tier: &'a str,
    /// Its contents.
    pub seed: ZoneSeed,
}

/// The position of a new zone, and the number of zones with its name.
#[derive(FromRow)]
struct NextZone {
    seq: i64,
    with_this_name: i64,
}

/// The `from` and `where` clauses for the zones of the account `$1` with the name `$2` that the token `$3` has grants
/// for; an empty `$2` or `$3` matches everything.
macro_rules! from_visible_zones {
    () => {
        "from zones z join accounts a on a.id = z.account_id
         where z.account_id = $1 and ($2 = '' or z.name = $2) and ($3 = '' or exists
             (select 1 from token_grants g where g.token_id = $3 and (g.zone_id = '' or g.zone_id = z.id)))"
    };
}

impl Store {
    /// Returns a page of the principal's zones in the order of creation, and their total number. `name` is the exact
    /// name, or empty.
    pub async fn zones(&self, principal: &Principal, name: &str, page: Page) -> Result<(Vec<Zone>, u64), Error> {
        // A token with full access has no grants to check.
        let token = match &principal.token {
            Some(token) if matches!(token.grants, Grants::Only(_)) => token.id.clone(),
            _ => String::new(),
        };
        let total = sqlx::query_scalar(concat!("select count(*) ", from_visible_zones!()))
            .bind(principal.account_id.clone())
            .bind(name.to_owned())
            .bind(token.clone())
            .fetch_one(&self.pool)
            .await?;
        let statement =
            concat!("select ", zone_columns!(), " ", from_visible_zones!(), " order by z.seq limit $4 offset $5");
        let rows: Vec<ZoneRow> = sqlx::query_as(statement)
            .bind(principal.account_id.clone())
            .bind(name.to_owned())
            .bind(token)
            .bind(page.limit())
            .bind(page.offset())
            .fetch_all(&self.pool)
            .await?;
        let zones = rows.into_iter().map(Zone::try_from).collect::<Result<_, _>>()?;
        Ok((zones, to_u64(total)))
    }

    /// Returns a zone of the account.
    pub async fn zone(&self, account: &str, id: &str) -> Result<Option<FoundZone>, Error> {
        let row = sqlx::query_as::<_, FoundZoneRow>(concat!(
            "select ",
            found_zone_columns!(),
            " from zones z join accounts a on a.id = z.account_id where z.account_id = $1 and z.id = $2",
        ))
        .bind(account.to_owned())
        .bind(id.to_owned())
        .fetch_optional(&self.pool)
        .await?;
        Ok(row.map(FoundZone::try_from).transpose()?)
    }

    /// Returns all zones.
    pub async fn all_zones(&self) -> Result<Vec<Zone>, Error> {
        let rows = sqlx::query_as::<_, ZoneRow>(concat!(
            "select ",
            zone_columns!(),
            " from zones z join accounts a on a.id = z.account_id order by a.name, a.id, z.seq"
        ))
        .fetch_all(&self.pool)
        .await?;
        Ok(rows.into_iter().map(Zone::try_from).collect::<Result<_, _>>()?)
    }

    /// Creates an empty zone. Returns false if the account already has a zone with this name.
    pub async fn create_zone(&self, actor: &Actor, account: &str, zone: (&str, &str, Tier)) -> Result<bool, Error> {
        let mut unit = self.write(Scope::Account(account.to_owned()), actor).await?;
        let (id, name, tier) = zone;
        let next: NextZone = sqlx::query_as(
            "select coalesce(max(seq), 0) + 1 as seq, count(case when name = $2 then 1 end) as with_this_name
             from zones where account_id = $1",
        )
        .bind(account.to_owned())
        .bind(name.to_owned())
        .fetch_one(unit.connection())
        .await?;
        if next.with_this_name > 0 {
            return Ok(false);
        }
        insert_zone(unit.connection(), account, next.seq, (id, name, tier.name())).await?;
        unit.record("zone.create", id, None, Some(&json!({"id": id, "name": name, "plan": tier.name()})));
        unit.commit().await?;
        Ok(true)
    }

    /// Changes the plan of a zone. Its contents stay, even those that the new plan does not allow. Returns false if the
    /// zone already has that plan.
    pub async fn set_plan(&self, actor: &Actor, zone: &Zone, tier: Tier) -> Result<bool, Error> {
        let mut unit = self.write(Scope::Zone(zone.id.clone()), actor).await?;
        let before = sqlx::query_scalar("select tier from zones where id = $1").bind(zone.id.clone());
        let before: String = before.fetch_optional(unit.connection()).await?.ok_or(Error::ScopeGone)?;
        if before == tier.name() {
            return Ok(false);
        }
        sqlx::query("update zones set tier = $1 where id = $2")
            .bind(tier.name().to_owned())
            .bind(zone.id.clone())
            .execute(unit.connection())
            .await?;
        let after = audit_value(zone, tier.name());
        unit.record("zone.change_plan", &zone.id, Some(&audit_value(zone, &before)), Some(&after));
        unit.commit().await?;
        Ok(true)
    }

    /// Deletes a zone with its contents and all grants for it, and the tokens that were limited to it alone. Returns
    /// false if it no longer exists.
    pub async fn delete_zone(&self, actor: &Actor, zone: &Zone) -> Result<bool, Error> {
        let mut unit = self.write(Scope::Account(zone.account.id.clone()), actor).await?;
        // Waits for transactions that change something in the zone.
        if self.dialect == Dialect::Postgres {
            let lock = sqlx::query("select id from zones where id = $1 for update").bind(zone.id.clone());
            lock.fetch_optional(unit.connection()).await?;
        }
        for token in tokens::delete_grants_for_zone(unit.connection(), &zone.id).await? {
            unit.record("token.revoke", &token.id, Some(&token), None);
        }
        if !delete_with_dependents(&mut unit, "zones", &zone.id).await? {
            return Ok(false);
        }
        unit.record("zone.delete", &zone.id, Some(&audit_value(zone, &zone.plan.legacy_id)), None);
        unit.commit().await?;
        Ok(true)
    }
}

/// Returns a zone as the audit log contains it.
fn audit_value(zone: &Zone, plan: &str) -> Value {
    json!({ "id": zone.id, "name": zone.name, "plan": plan })
}

/// Returns the number of zones of an account.
pub(crate) async fn count_zones(connection: &mut AnyConnection, account: &str) -> Result<i64, Error> {
    let query = sqlx::query_scalar("select count(*) from zones where account_id = $1").bind(account.to_owned());
    Ok(query.fetch_one(connection).await?)
}

/// Inserts a zone; the last argument has its ID, name and plan.
pub(crate) async fn insert_zone(
    connection: &mut AnyConnection,
    account: &str,
    seq: i64,
    (id, name, tier): (&str, &str, &str),
) -> Result<(), Error> {
    sqlx::query("insert into zones (id, account_id, seq, name, tier) values ($1, $2, $3, $4, $5)")
        .bind(id.to_owned())
        .bind(account.to_owned())
        .bind(seq)
        .bind(name.to_owned())
        .bind(tier.to_owned())
        .execute(connection)
        .await?;
    Ok(())
}
