//! Page rules. Their changes are in `changes::page_rules`, because a migration depends on them.

use crate::clock::now;
use crate::error::{Error, Resource};
use crate::rows::{from_json, to_json};
use crate::secret::new_id;
use crate::store::Store;
use sqlx::AnyConnection;
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

/// Returns all page rules of the zone by descending priority, then in the order of creation.
pub(crate) async fn all(connection: &mut AnyConnection, zone: &str) -> Result<Vec<PageRule>, Error> {
    let query = sqlx::query_scalar("select settings from page_rules where zone_id = $1 order by priority desc, seq");
    let settings: Vec<String> = query.bind(zone.to_owned()).fetch_all(connection).await?;
    settings.iter().map(|text| from_json(text)).collect()
}

/// Returns one page rule of the zone.
pub(crate) async fn find(connection: &mut AnyConnection, zone: &str, id: &str) -> Result<PageRule, Error> {
    let settings: Option<String> = sqlx::query_scalar("select settings from page_rules where zone_id = $1 and id = $2")
        .bind(zone.to_owned())
        .bind(id.to_owned())
        .fetch_optional(connection)
        .await?;
    from_json(&settings.ok_or_else(|| Error::NotFound(Resource::PageRule(id.to_owned())))?)
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
    .bind(to_json(&new)?)
    .execute(connection)
    .await?;
    Ok(new)
}

/// Replaces the page rule with the same ID.
pub(crate) async fn update(connection: &mut AnyConnection, zone: &str, rule: &PageRule) -> Result<(), Error> {
    sqlx::query("update page_rules set priority = $1, settings = $2 where zone_id = $3 and id = $4")
        .bind(rule.priority)
        .bind(to_json(rule)?)
        .bind(zone.to_owned())
        .bind(rule.id.clone())
        .execute(connection)
        .await?;
    Ok(())
}

/// Deletes a page rule.
pub(crate) async fn delete(connection: &mut AnyConnection, zone: &str, id: &str) -> Result<(), Error> {
    sqlx::query("delete from page_rules where zone_id = $1 and id = $2")
        .bind(zone.to_owned())
        .bind(id.to_owned())
        .execute(connection)
        .await?;
    Ok(())
}
