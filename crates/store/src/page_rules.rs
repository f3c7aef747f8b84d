//! Page rules.

use crate::clock::now;
use crate::error::Error;
use crate::migration::check_remains_protected;
use crate::owner::Zone;
use crate::rows::{from_json, to_json};
use crate::secret::new_id;
use crate::store::Store;
use sqlx::AnyConnection;
use zonewright_api::page_rule::PageRule;
use zonewright_api::{ErrorObject, ValidationError, error_code};
use zonewright_migration::read::page_rule_quota;

impl Store {
    /// Returns all page rules of the zone by descending priority, then in the order of creation.
    pub async fn page_rules(&self, zone: &str) -> Result<Vec<PageRule>, Error> {
        all(&mut *self.pool.acquire().await?, zone).await
    }

    /// Returns one page rule of the zone.
    pub async fn page_rule(&self, zone: &str, id: &str) -> Result<PageRule, Error> {
        find(&mut *self.pool.acquire().await?, zone, id).await
    }

    /// Creates a page rule.
    pub async fn create_page_rule(&self, zone: &Zone, new: PageRule) -> Result<PageRule, Error> {
        let mut unit = self.write(zone.scope(), &zone.actor).await?;
        let present = all(unit.connection(), zone.id()).await?;
        let quota = page_rule_quota(zone.tier);
        if present.len() >= quota {
            let message = format!("exceeded the maximum number of page rules ({quota}) of the {} plan", zone.tier);
            return Err(Error::Refused(vec![ErrorObject::new(error_code::INVALID_PAGE_RULE, message)]));
        }
        check_distinct(&present, &new)?;
        let created = insert(unit.connection(), zone.id(), new).await?;
        check_remains_protected(&mut unit, zone).await?;
        unit.record("page_rule.create", &created.id, None, Some(&created));
        unit.commit().await?;
        Ok(created)
    }

    /// Replaces a page rule with the result of `change`. Its ID and time of creation stay the same.
    pub async fn change_page_rule(
        &self,
        zone: &Zone,
        id: &str,
        change: impl FnOnce(&PageRule) -> Result<PageRule, Vec<ValidationError>>,
    ) -> Result<PageRule, Error> {
        let mut unit = self.write(zone.scope(), &zone.actor).await?;
        let present = find(unit.connection(), zone.id(), id).await?;
        let changed = PageRule {
            id: id.to_owned(),
            created_on: present.created_on.clone(),
            modified_on: Some(now()),
            ..change(&present)?
        };
        check_distinct(&all(unit.connection(), zone.id()).await?, &changed)?;
        sqlx::query("update page_rules set priority = $1, settings = $2 where zone_id = $3 and id = $4")
            .bind(changed.priority)
            .bind(to_json(&changed)?)
            .bind(zone.id().to_owned())
            .bind(id.to_owned())
            .execute(unit.connection())
            .await?;
        check_remains_protected(&mut unit, zone).await?;
        unit.record("page_rule.update", id, Some(&present), Some(&changed));
        unit.commit().await?;
        Ok(changed)
    }

    /// Deletes a page rule.
    pub async fn delete_page_rule(&self, zone: &Zone, id: &str) -> Result<(), Error> {
        let mut unit = self.write(zone.scope(), &zone.actor).await?;
        let present = find(unit.connection(), zone.id(), id).await?;
        sqlx::query("delete from page_rules where zone_id = $1 and id = $2")
            .bind(zone.id().to_owned())
            .bind(id.to_owned())
            .execute(unit.connection())
            .await?;
        check_remains_protected(&mut unit, zone).await?;
        unit.record("page_rule.delete", id, Some(&present), None);
        unit.commit().await?;
        Ok(())
    }
}

/// Rejects a page rule with the same pattern as another one, because only one of them would ever apply (observed).
fn check_distinct(present: &[PageRule], new: &PageRule) -> Result<(), Error> {
    match present.iter().find(|rule| rule.id != new.id && rule.pattern() == new.pattern()) {
        None => Ok(()),
        Some(other) => {
            let message = format!("Your zone already has an existing page rule with that URL: `{}`", other.id);
            let error = ErrorObject::new(error_code::INVALID_PAGE_RULE, message);
            Err(Error::Refused(vec![error.with_pointer("/targets/0/constraint/value")]))
        }
    }
}

/// The error for a missing page rule. Clients depend on its text (observed).
fn missing() -> Error {
    Error::Missing(error_code::LEGACY_NOT_FOUND, "Invalid Page Rule identifier".to_owned())
}

/// Returns all page rules of the zone by descending priority, then in the order of creation.
pub(crate) async fn all(connection: &mut AnyConnection, zone: &str) -> Result<Vec<PageRule>, Error> {
    let query = sqlx::query_scalar("select settings from page_rules where zone_id = $1 order by priority desc, seq");
    let settings: Vec<String> = query.bind(zone.to_owned()).fetch_all(connection).await?;
    settings.iter().map(|text| from_json(text)).collect()
}

async fn find(connection: &mut AnyConnection, zone: &str, id: &str) -> Result<PageRule, Error> {
    let settings: Option<String> = sqlx::query_scalar("select settings from page_rules where zone_id = $1 and id = $2")
        .bind(zone.to_owned())
        .bind(id.to_owned())
        .fetch_optional(connection)
        .await?;
    from_json(&settings.ok_or_else(missing)?)
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
