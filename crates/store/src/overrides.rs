//! Overrides of the previous managed rules by URL.

use crate::error::{Error, Resource};
use crate::owner::Zone;
use crate::page::Page;
use crate::rows::{from_json, to_json, to_u64};
use crate::secret::new_id;
use crate::store::Store;
use sqlx::AnyConnection;
use zonewright_api::legacy_waf::UrlOverride;
use zonewright_api::{ErrorObject, error_code};
use zonewright_migration::read::MAX_OVERRIDES;

impl Store {
    /// Returns a page of the zone's overrides, ordered by ascending priority, and their total number.
    pub async fn overrides(&self, zone: &str, page: Page) -> Result<(Vec<UrlOverride>, u64), Error> {
        let mut connection = self.pool.acquire().await?;
        let total = count_overrides(&mut connection, zone).await?;
        let settings: Vec<String> = sqlx::query_scalar(
            "select settings from waf_overrides where zone_id = $1 order by priority, seq limit $2 offset $3",
        )
        .bind(zone.to_owned())
        .bind(page.limit())
        .bind(page.offset())
        .fetch_all(&mut *connection)
        .await?;
        Ok((settings.iter().map(|text| from_json(text)).collect::<Result<_, _>>()?, total))
    }

    /// Returns one override of the zone.
    pub async fn waf_override(&self, zone: &str, id: &str) -> Result<UrlOverride, Error> {
        find(&mut *self.pool.acquire().await?, zone, id).await
    }

    /// Creates an override.
    pub async fn create_override(&self, zone: &Zone, new: UrlOverride) -> Result<UrlOverride, Error> {
        let mut unit = self.write_legacy(zone).await?;
        if count_overrides(unit.connection(), zone.id()).await? >= MAX_OVERRIDES as u64 {
            let message = format!("a zone can have at most {MAX_OVERRIDES} overrides");
            return Err(Error::Refused(vec![ErrorObject::new(error_code::QUOTA_EXCEEDED, message)]));
        }
        let created = insert(unit.connection(), zone.id(), new).await?;
        unit.record("waf_override.create", &created.id, None, Some(&created));
        unit.commit().await?;
        Ok(created)
    }

    /// Replaces the override with the same ID.
    pub async fn replace_override(&self, zone: &Zone, new: UrlOverride) -> Result<UrlOverride, Error> {
        let mut unit = self.write_legacy(zone).await?;
        let current = find(unit.connection(), zone.id(), &new.id).await?;
        sqlx::query("update waf_overrides set priority = $1, settings = $2 where zone_id = $3 and id = $4")
            .bind(new.priority)
            .bind(to_json(&new)?)
            .bind(zone.id().to_owned())
            .bind(new.id.clone())
            .execute(unit.connection())
            .await?;
        unit.record("waf_override.update", &new.id, Some(&current), Some(&new));
        unit.commit().await?;
        Ok(new)
    }

    /// Deletes an override.
    pub async fn delete_override(&self, zone: &Zone, id: &str) -> Result<(), Error> {
        let mut unit = self.write_legacy(zone).await?;
        let current = find(unit.connection(), zone.id(), id).await?;
        sqlx::query("delete from waf_overrides where zone_id = $1 and id = $2")
            .bind(zone.id().to_owned())
            .bind(id.to_owned())
            .execute(unit.connection())
            .await?;
        unit.record("waf_override.delete", id, Some(&current), None);
        unit.commit().await?;
        Ok(())
    }
}

async fn count_overrides(connection: &mut AnyConnection, zone: &str) -> Result<u64, Error> {
    let query = sqlx::query_scalar("select count(*) from waf_overrides where zone_id = $1").bind(zone.to_owned());
    Ok(to_u64(query.fetch_one(connection).await?))
}

async fn find(connection: &mut AnyConnection, zone: &str, id: &str) -> Result<UrlOverride, Error> {
    let settings: Option<String> =
        sqlx::query_scalar("select settings from waf_overrides where zone_id = $1 and id = $2")
            .bind(zone.to_owned())
            .bind(id.to_owned())
            .fetch_optional(connection)
            .await?;
    from_json(&settings.ok_or_else(|| Error::NotFound(Resource::UrlOverride(id.to_owned())))?)
}

/// Returns all overrides of the zone, ordered by ascending priority.
pub(crate) async fn all(connection: &mut AnyConnection, zone: &str) -> Result<Vec<UrlOverride>, Error> {
    let query = sqlx::query_scalar("select settings from waf_overrides where zone_id = $1 order by priority, seq");
    let settings: Vec<String> = query.bind(zone.to_owned()).fetch_all(connection).await?;
    settings.iter().map(|text| from_json(text)).collect()
}

/// Inserts an override with a new ID.
pub(crate) async fn insert(connection: &mut AnyConnection, zone: &str, new: UrlOverride) -> Result<UrlOverride, Error> {
    let new = UrlOverride { id: new_id()?, ..new };
    sqlx::query(
        "insert into waf_overrides (id, zone_id, seq, priority, settings)
         values ($1, $2, (select coalesce(max(seq), 0) + 1 from waf_overrides where zone_id = $2), $3, $4)",
    )
    .bind(new.id.clone())
    .bind(zone.to_owned())
    .bind(new.priority)
    .bind(to_json(&new)?)
    .execute(connection)
    .await?;
    Ok(new)
}
