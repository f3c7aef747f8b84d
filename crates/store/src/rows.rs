//! Rows of zones, which the auth lookup and tokens read too, and conversions of values in rows.

use crate::error::Error;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::{AnyConnection, FromRow};
use std::sync::Arc;
use zonewright_api::zone::{Account, Plan, Zone};
use zonewright_expression::schema::Tier;

/// Converts a count or an ID of the database, which is never negative.
pub(crate) fn to_u64(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}

/// Returns the error for a stored name that this program does not know, such as that of an action.
pub(crate) fn unknown_name(noun: &str, name: &str) -> sqlx::Error {
    sqlx::Error::Decode(format!("unknown {noun} {name}").into())
}

/// Reads a column that contains JSON.
pub(crate) fn from_json<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    serde_json::from_str(text).map_err(|error| Error::Internal(error.into()))
}

/// Returns a value in the format of a column that contains JSON.
pub(crate) fn to_json<T: Serialize + ?Sized>(value: &T) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|error| Error::Internal(error.into()))
}

/// A zone that was looked up.
#[derive(Clone)]
pub struct FoundZone {
    /// The zone as the API returns it.
    pub zone: Arc<Zone>,
    /// Its plan.
    pub tier: Tier,
    /// The length of the zone's audit log, which grows with every change of the zone.
    pub revision: i64,
}

/// A zone with its account.
#[derive(FromRow)]
pub(crate) struct ZoneRow {
    zone_id: String,
    zone_name: String,
    zone_tier: String,
    account_id: String,
    account_name: String,
}

impl ZoneRow {
    fn tier(&self) -> Result<Tier, sqlx::Error> {
        Tier::from_name(&self.zone_tier).ok_or_else(|| unknown_name("plan", &self.zone_tier))
    }
}

impl TryFrom<ZoneRow> for Zone {
    type Error = sqlx::Error;

    fn try_from(row: ZoneRow) -> Result<Zone, sqlx::Error> {
        let name = row.tier()?.display_name().to_owned();
        Ok(Zone {
            id: row.zone_id,
            name: row.zone_name,
            status: "active".to_owned(),
            paused: false,
            account: Account { id: row.account_id, name: row.account_name },
            plan: Plan { name, legacy_id: row.zone_tier },
        })
    }
}

/// Returns whether the account has a zone with this ID.
pub(crate) async fn account_has_zone(connection: &mut AnyConnection, account: &str, id: &str) -> Result<bool, Error> {
    let query = sqlx::query("select id from zones where account_id = $1 and id = $2");
    Ok(query.bind(account.to_owned()).bind(id.to_owned()).fetch_optional(connection).await?.is_some())
}

/// The columns of [`ZoneRow`].
macro_rules! zone_columns {
    () => {
        "z.id as zone_id, z.name as zone_name, z.tier as zone_tier, a.id as account_id, a.name as account_name"
    };
}
pub(crate) use zone_columns;

/// A zone with the length of its audit log.
#[derive(FromRow)]
pub(crate) struct FoundZoneRow {
    #[sqlx(flatten)]
    zone: ZoneRow,
    zone_revision: Option<i64>,
}

impl TryFrom<FoundZoneRow> for FoundZone {
    type Error = sqlx::Error;

    fn try_from(FoundZoneRow { zone, zone_revision }: FoundZoneRow) -> Result<FoundZone, sqlx::Error> {
        let tier = zone.tier()?;
        Ok(FoundZone { zone: Arc::new(zone.try_into()?), tier, revision: zone_revision.unwrap_or_default() })
    }
}

/// The columns of [`FoundZoneRow`].
macro_rules! found_zone_columns {
    () => {
        concat!(
            $crate::rows::zone_columns!(),
            ", (select l.seq from audit_log l where l.scope = z.id order by l.seq desc limit 1) as zone_revision"
        )
    };
}
pub(crate) use found_zone_columns;
