//! Conversions of rows that several files share.

use sqlx::Row;
use sqlx::any::AnyRow;
use std::sync::Arc;
use zonewright_api::zone::{Account, Plan, Zone};
use zonewright_expression::schema::Tier;

/// Converts a count of the database, which is never negative.
pub(crate) fn count(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}

/// A zone that was looked up.
#[derive(Clone)]
pub struct FoundZone {
    /// The zone as the interface returns it.
    pub zone: Arc<Zone>,
    /// Its plan.
    pub tier: Tier,
    /// The length of the zone's audit log.
    pub changes: i64,
}

/// The columns that [`zone`] reads.
macro_rules! zone_columns {
    () => {
        "z.id as zone_id, z.name as zone_name, z.tier as zone_tier, a.id as account_id, a.name as account_name"
    };
}
pub(crate) use zone_columns;

/// The columns that [`found`] reads.
macro_rules! columns_of_found {
    () => {
        concat!(
            $crate::rows::zone_columns!(),
            ", (select l.seq from audit_log l where l.scope = z.id order by l.seq desc limit 1) as zone_changes"
        )
    };
}
pub(crate) use columns_of_found;

/// Reads a zone from the columns of [`columns_of_found`].
pub(crate) fn found(row: &AnyRow) -> Result<FoundZone, sqlx::Error> {
    let (zone, tier) = zone(row)?;
    Ok(FoundZone {
        zone: Arc::new(zone),
        tier,
        changes: row.try_get::<Option<i64>, _>("zone_changes")?.unwrap_or_default(),
    })
}

/// Reads a zone and its plan from the columns of [`zone_columns`].
pub(crate) fn zone(row: &AnyRow) -> Result<(Zone, Tier), sqlx::Error> {
    let name: String = row.try_get("zone_tier")?;
    let tier = Tier::from_name(&name).ok_or_else(|| sqlx::Error::Decode(format!("unknown plan {name}").into()))?;
    let zone = Zone {
        id: row.try_get("zone_id")?,
        name: row.try_get("zone_name")?,
        status: "active".to_owned(),
        paused: false,
        account: Account { id: row.try_get("account_id")?, name: row.try_get("account_name")? },
        plan: Plan { name: tier.display_name().to_owned(), legacy_id: name },
    };
    Ok((zone, tier))
}
