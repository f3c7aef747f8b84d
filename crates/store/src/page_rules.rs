//! Page rules.

use crate::clock::now;
use crate::error::Error;
use crate::migration::check_covered;
use crate::owner::Zone;
use crate::secret::new_id;
use crate::store::Store;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};
use zonewright_api::page_rule::PageRule;
use zonewright_api::{ErrorObject, Refusal, error_code};
use zonewright_migration::read::page_rule_quota;

impl Store {
    /// All page rules of the zone, largest priority first, of the same priority in the order of creation.
    pub async fn page_rules(&self, zone: &str) -> Result<Vec<PageRule>, Error> {
        all(&mut *self.pool.acquire().await?, zone).await
    }

    /// One page rule of the zone.
    pub async fn page_rule(&self, zone: &str, id: &str) -> Result<PageRule, Error> {
        find(&mut *self.pool.acquire().await?, zone, id).await
    }

    /// Creates a page rule.
    pub async fn create_page_rule(&self, zone: &Zone, new: PageRule) -> Result<PageRule, Error> {
        let mut writing = self.write(zone.scope(), &zone.actor).await?;
        let present = all(&mut writing, zone.id()).await?;
        let quota = page_rule_quota(zone.tier);
        if present.len() >= quota {
            let message = format!("exceeded the maximum number of page rules ({quota}) of the {} plan", zone.tier);
            return Err(Error::Refused(vec![ErrorObject::new(error_code::WRONG_PAGE_RULE, message)]));
        }
        check_distinct(&present, &new)?;
        let created = insert(&mut writing, zone.id(), new).await?;
        check_covered(&mut writing, zone).await?;
        writing.record("page_rule.create", &created.id, None, Some(&created));
        writing.commit().await?;
        Ok(created)
    }

    /// Makes of a page rule what `change` makes of it; identifier and time of creation stay.
    pub async fn change_page_rule(
        &self,
        zone: &Zone,
        id: &str,
        change: impl FnOnce(&PageRule) -> Result<PageRule, Vec<Refusal>>,
    ) -> Result<PageRule, Error> {
        let mut writing = self.write(zone.scope(), &zone.actor).await?;
        let present = find(&mut writing, zone.id(), id).await?;
        let changed = PageRule {
            id: id.to_owned(),
            created_on: present.created_on.clone(),
            modified_on: Some(now()),
            ..change(&present)?
        };
        check_distinct(&all(&mut writing, zone.id()).await?, &changed)?;
        sqlx::query("update page_rules set priority = $1, settings = $2 where zone_id = $3 and id = $4")
            .bind(changed.priority)
            .bind(written(&changed)?)
            .bind(zone.id().to_owned())
            .bind(id.to_owned())
            .execute(&mut *writing)
            .await?;
        check_covered(&mut writing, zone).await?;
        writing.record("page_rule.update", id, Some(&present), Some(&changed));
        writing.commit().await?;
        Ok(changed)
    }

    /// Deletes a page rule.
    pub async fn delete_page_rule(&self, zone: &Zone, id: &str) -> Result<(), Error> {
        let mut writing = self.write(zone.scope(), &zone.actor).await?;
        let present = find(&mut writing, zone.id(), id).await?;
        sqlx::query("delete from page_rules where zone_id = $1 and id = $2")
            .bind(zone.id().to_owned())
            .bind(id.to_owned())
            .execute(&mut *writing)
            .await?;
        check_covered(&mut writing, zone).await?;
        writing.record("page_rule.delete", id, Some(&present), None);
        writing.commit().await?;
        Ok(())
    }
}

/// The text is observed; clients look for it.
fn missing() -> Error {
    Error::Missing(error_code::NOT_THERE, "Invalid Page Rule identifier".to_owned())
}

/// Refuses a page rule with the pattern of another one: only one of both would ever count (observed).
fn check_distinct(present: &[PageRule], new: &PageRule) -> Result<(), Error> {
    match present.iter().find(|rule| rule.id != new.id && rule.pattern() == new.pattern()) {
        None => Ok(()),
        Some(other) => {
            let message = format!("Your zone already has an existing page rule with that URL: `{}`", other.id);
            let error = ErrorObject::new(error_code::WRONG_PAGE_RULE, message);
            Err(Error::Refused(vec![error.at("/targets/0/constraint/value")]))
        }
    }
}

/// All page rules of the zone, largest priority first.
pub(crate) async fn all(connection: &mut AnyConnection, zone: &str) -> Result<Vec<PageRule>, Error> {
    let query = sqlx::query("select settings from page_rules where zone_id = $1 order by priority desc, seq");
    query.bind(zone.to_owned()).fetch_all(connection).await?.iter().map(read).collect()
}

async fn find(connection: &mut AnyConnection, zone: &str, id: &str) -> Result<PageRule, Error> {
    let row = sqlx::query("select settings from page_rules where zone_id = $1 and id = $2")
        .bind(zone.to_owned())
        .bind(id.to_owned())
        .fetch_optional(connection)
        .await?;
    read(&row.ok_or_else(missing)?)
}

/// Keeps a page rule under a new identifier.
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

fn written(settings: &PageRule) -> Result<String, Error> {
    serde_json::to_string(settings).map_err(|error| Error::Internal(error.into()))
}

fn read(row: &AnyRow) -> Result<PageRule, Error> {
    let text: String = row.try_get(0)?;
    serde_json::from_str(&text).map_err(|error| Error::Internal(error.into()))
}
