//! Zones.

use super::{Store, count};
use crate::request::Page;
use sqlx::Row;
use sqlx::any::AnyRow;
use zonewright_api::zone::{Account, Plan, Zone};
use zonewright_expression::schema::Tier;

impl Store {
    /// A page of an account's zones in the order of creation, and how many there are. `name` is the
    /// exact name to search for, or empty.
    pub(crate) async fn zones(&self, account: &str, name: &str, page: Page) -> Result<(Vec<Zone>, u64), sqlx::Error> {
        let total = sqlx::query("select count(*) from zones where account_id = $1 and ($2 = '' or name = $2)")
            .bind(account.to_owned())
            .bind(name.to_owned())
            .fetch_one(&self.pool)
            .await?;
        let rows = sqlx::query(
            "select z.id, z.name, z.tier, a.id, a.name from zones z join accounts a on a.id = z.account_id
             where z.account_id = $1 and ($2 = '' or z.name = $2) order by z.seq limit $3 offset $4",
        )
        .bind(account.to_owned())
        .bind(name.to_owned())
        .bind(page.limit())
        .bind(page.offset())
        .fetch_all(&self.pool)
        .await?;
        let zones = rows.iter().map(|row| zone(row).map(|(zone, _)| zone)).collect::<Result<_, _>>()?;
        Ok((zones, count(total.try_get(0)?)))
    }

    /// A zone of the account.
    pub(crate) async fn zone(&self, account: &str, id: &str) -> Result<Option<(Zone, Tier)>, sqlx::Error> {
        let row = sqlx::query(
            "select z.id, z.name, z.tier, a.id, a.name from zones z join accounts a on a.id = z.account_id
             where z.account_id = $1 and z.id = $2",
        )
        .bind(account.to_owned())
        .bind(id.to_owned())
        .fetch_optional(&self.pool)
        .await?;
        row.as_ref().map(zone).transpose()
    }
}

fn zone(row: &AnyRow) -> Result<(Zone, Tier), sqlx::Error> {
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
