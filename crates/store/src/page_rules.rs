//! Page rules: lists and finds them.

use crate::clock::now;
use crate::error::Error;
use crate::secret::new_id;
use crate::store::Store;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};
use zonewright_api::error_code;
use zonewright_api::page_rule::PageRule;

impl Store {
    /// Returns all page rules of the zone by descending priority, then in the order of creation.
    pub async fn page_rules(&self, zone: &str) -> Result<Vec<PageRule>, Error> {
        all(&mut *self.pool.acquire().await?, zone).await
    }

    /// Returns one page rule of the zone.
    pub async fn page_rule(&self, zone: &str, id: &str) -> Result<PageRule, Error> {
        find(&mut *self.pool.acquire().await?, zone, id).await
    }
}

/// The error for a missing page rule. Clients depend on its text (observed).
fn missing() -> Error {
    Error::Missing(error_code::LEGACY_NOT_FOUND, "Invalid Page Rule identifier".to_owned())
}

/// Returns all page rules of the zone by descending priority, then in the order of creation.
pub(crate) async fn all(connection: &mut AnyConnection, zone: &str) -> Result<Vec<PageRule>, Error> {
    let query = sqlx::query("select settings from page_rules where zone_id = $1 order by priority desc, seq");
    query.bind(zone.to_owned()).fetch_all(connection).await?.iter().map(read).collect()
}

pub(crate) async fn find(connection: &mut AnyConnection, zone: &str, id: &str) -> Result<PageRule, Error> {
    let row = sqlx::query("select settings from page_rules where zone_id = $1 and id = $2")
        .bind(zone.to_owned())
        .bind(id.to_owned())
        .fetch_optional(connection)
        .await?;
    read(&row.ok_or_else(missing)?)
}

/// Inserts a page rule with a new ID.
pub(crate) async fn insert(connection: &mut AnyConnection, zone: &str, new: PageRule) -> Result<PageRule, Error> {
    let time = now();
    let new = PageRule { id: new_id()?, created_on: Some(time.clone()), modified_on: Some(time), ..new };
    sqlx::query(
        "insert into page_rules (id, zone_id, seq, priority, settings)
         values ($1, $2, (select coalesce(max(seq), 0) + 1 from page_rules where zone_id = $2), $3, $4)",
    )
    .bind(new.id.clone())
    .bind(zone.to_owned())
    .bind(new.priority)
    .bind(written(&new)?)
    .execute(connection)
    .await?;
    Ok(new)
}

pub(crate) fn written(settings: &PageRule) -> Result<String, Error> {
    serde_json::to_string(settings).map_err(|error| Error::Internal(error.into()))
}

fn read(row: &AnyRow) -> Result<PageRule, Error> {
    let text: String = row.try_get(0)?;
    serde_json::from_str(&text).map_err(|error| Error::Internal(error.into()))
}
