//! Creates, updates and deletes page rules.

use crate::clock::now;
use crate::error::Error;
use crate::migration::check_remains_protected;
use crate::owner::Zone;
use crate::page_rules;
use crate::store::Store;
use zonewright_api::page_rule::PageRule;
use zonewright_api::{ErrorObject, ValidationError, error_code};
use zonewright_migration::read::page_rule_quota;

impl Store {
    /// Creates a page rule.
    pub async fn create_page_rule(&self, zone: &Zone, new: PageRule) -> Result<PageRule, Error> {
        let mut unit = self.write(zone.scope(), &zone.actor).await?;
        let current = page_rules::all(unit.connection(), zone.id()).await?;
        let quota = page_rule_quota(zone.tier);
        if current.len() >= quota {
            let message = format!("exceeded the maximum number of page rules ({quota}) of the {} plan", zone.tier);
            return Err(Error::Refused(vec![ErrorObject::new(error_code::INVALID_PAGE_RULE, message)]));
        }
        check_distinct(&current, &new)?;
        let created = page_rules::insert(unit.connection(), zone.id(), new).await?;
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
        let current = page_rules::find(unit.connection(), zone.id(), id).await?;
        let changed = PageRule {
            id: id.to_owned(),
            created_on: current.created_on.clone(),
            modified_on: Some(now()),
            ..change(&current)?
        };
        check_distinct(&page_rules::all(unit.connection(), zone.id()).await?, &changed)?;
        page_rules::update(unit.connection(), zone.id(), &changed).await?;
        check_remains_protected(&mut unit, zone).await?;
        unit.record("page_rule.update", id, Some(&current), Some(&changed));
        unit.commit().await?;
        Ok(changed)
    }

    /// Deletes a page rule.
    pub async fn delete_page_rule(&self, zone: &Zone, id: &str) -> Result<(), Error> {
        let mut unit = self.write(zone.scope(), &zone.actor).await?;
        let current = page_rules::find(unit.connection(), zone.id(), id).await?;
        page_rules::delete(unit.connection(), zone.id(), id).await?;
        check_remains_protected(&mut unit, zone).await?;
        unit.record("page_rule.delete", id, Some(&current), None);
        unit.commit().await?;
        Ok(())
    }
}

/// Rejects a page rule with the same pattern as another one, because only one of them would ever apply (observed).
fn check_distinct(current: &[PageRule], new: &PageRule) -> Result<(), Error> {
    match current.iter().find(|rule| rule.id != new.id && rule.pattern() == new.pattern()) {
        None => Ok(()),
        Some(other) => {
            let message = format!("Your zone already has an existing page rule with that URL: `{}`", other.id);
            let error = ErrorObject::new(error_code::INVALID_PAGE_RULE, message);
            Err(Error::Refused(vec![error.with_pointer("/targets/0/constraint/value")]))
        }
    }
}
