//! Zones.

use super::{Store, count};
use crate::access::Grants;
use crate::auth::Caller;
use crate::request::Page;
use sqlx::Row;
use sqlx::any::AnyRow;
use std::sync::Arc;
use zonewright_api::zone::{Account, Plan, Zone};
use zonewright_expression::schema::Tier;

/// Zones of the account `$1` with the name `$2` that the token `$3` is for; empty texts find all.
macro_rules! found {
    () => {
        "from zones z join accounts a on a.id = z.account_id
         where z.account_id = $1 and ($2 = '' or z.name = $2) and ($3 = '' or exists
             (select 1 from token_grants g where g.token_id = $3 and (g.zone_id = '' or g.zone_id = z.id)))"
    };
}

/// A zone that was asked for.
#[derive(Clone)]
pub(crate) struct Found {
    /// As callers see it.
    pub(crate) zone: Arc<Zone>,
    pub(crate) tier: Tier,
    /// How often something in it was changed.
    pub(crate) changes: i64,
}

/// What [`found`] reads.
macro_rules! columns_of_found {
    () => {
        "z.id, z.name, z.tier, a.id, a.name,
         (select l.seq from audit_log l where l.scope = z.id order by l.seq desc limit 1)"
    };
}
pub(super) use columns_of_found;

impl Store {
    /// A page of the caller's zones in the order of creation, and how many there are. `name` is the exact name to
    /// search for, or empty.
    pub(crate) async fn zones(&self, caller: &Caller, name: &str, page: Page) -> Result<(Vec<Zone>, u64), sqlx::Error> {
        // A token that may do everything has no grants to look at.
        let token = match &caller.token {
            Some(token) if matches!(token.grants, Grants::Only(_)) => token.id.clone(),
            _ => String::new(),
        };
        let searching = |statement| {
            sqlx::query(statement).bind(caller.account_id.clone()).bind(name.to_owned()).bind(token.clone())
        };
        let total = searching(concat!("select count(*) ", found!())).fetch_one(&self.pool).await?;
        let statement =
            concat!("select z.id, z.name, z.tier, a.id, a.name ", found!(), " order by z.seq limit $4 offset $5");
        let rows = searching(statement).bind(page.limit()).bind(page.offset()).fetch_all(&self.pool).await?;
        let zones = rows.iter().map(|row| zone(row).map(|(zone, _)| zone)).collect::<Result<_, _>>()?;
        Ok((zones, count(total.try_get(0)?)))
    }

    /// A zone of the account.
    pub(crate) async fn zone(&self, account: &str, id: &str) -> Result<Option<Found>, sqlx::Error> {
        let row = sqlx::query(concat!(
            "select ",
            columns_of_found!(),
            " from zones z join accounts a on a.id = z.account_id where z.account_id = $1 and z.id = $2",
        ))
        .bind(account.to_owned())
        .bind(id.to_owned())
        .fetch_optional(&self.pool)
        .await?;
        row.as_ref().map(found).transpose()
    }
}

/// A zone, in the columns of [`columns_of_found`].
pub(super) fn found(row: &AnyRow) -> Result<Found, sqlx::Error> {
    let (zone, tier) = zone(row)?;
    Ok(Found { zone: Arc::new(zone), tier, changes: row.try_get::<Option<i64>, _>(5)?.unwrap_or_default() })
}

pub(super) fn zone(row: &AnyRow) -> Result<(Zone, Tier), sqlx::Error> {
    let name: String = row.try_get(2)?;
    let tier = Tier::from_name(&name).ok_or_else(|| sqlx::Error::Decode(format!("there is no tier {name}").into()))?;
    let zone = Zone {
        id: row.try_get(0)?,
        name: row.try_get(1)?,
        status: "active".to_owned(),
        paused: false,
        account: Account { id: row.try_get(3)?, name: row.try_get(4)? },
        plan: Plan { name: tier.title().to_owned(), legacy_id: name },
    };
    Ok((zone, tier))
}
