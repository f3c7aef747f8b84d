//! How much a zone has of what its plan limits.

use super::count;
use super::lists::List;
use crate::auth::Zone;
use sqlx::{AnyConnection, Row};
use zonewright_firewall::quota;

/// How much there is.
pub(super) struct Usage {
    filters: u64,
    /// Rules that are not paused.
    pub(super) rules: u64,
}

impl Usage {
    /// How many more filters the zone may have (assumption filter-limit).
    pub(super) fn room(&self, zone: &Zone) -> usize {
        usize::try_from(quota::filters(zone.tier).saturating_sub(self.filters)).unwrap_or(usize::MAX)
    }
}

/// What the zone has now.
pub(super) async fn usage(connection: &mut AnyConnection, zone: &str) -> Result<Usage, sqlx::Error> {
    // Sums are no bigint on PostgreSQL.
    let row = sqlx::query(
        "select (select cast(coalesce(sum(items), 0) as bigint) from list_counts where zone_id = $1 and list = $2),
         (select count(*) from firewall_rules where zone_id = $1 and paused = 0)",
    )
    .bind(zone.to_owned())
    .bind(List::Filters.name())
    .fetch_one(connection)
    .await?;
    Ok(Usage { filters: count(row.try_get(0)?), rules: count(row.try_get(1)?) })
}
