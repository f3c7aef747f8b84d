//! Creates, updates and deletes filters.

use crate::error::{Error, Resource, missing_item};
use crate::filters::{self, DigestedExpressions, filter_quota_error, find, refuse_duplicates, release_digests};
use crate::migration::check_remains_protected;
use crate::owner::Zone;
use crate::rules::count_using_filter;
use crate::statements::StatementBatch;
use crate::store::Store;
use crate::usage::QuotaUsage;
use sqlx::AnyConnection;
use zonewright_api::firewall::{DeletedObject, Filter, NewFilter};
use zonewright_api::{ErrorMeta, ErrorObject, error_code};
use zonewright_firewall::Batch;

impl Store {
    /// Creates all filters or none.
    pub async fn create_filters(&self, zone: &Zone, batch: &Batch<NewFilter>) -> Result<Vec<Filter>, Error> {
        let new = DigestedExpressions::new(
            batch.items.iter().enumerate().map(|(index, filter)| (index, &*filter.expression)),
        );
        let queries = |statements: &mut StatementBatch| {
            QuotaUsage::query(statements, zone.id());
            new.query(statements, zone.id());
        };
        let (mut unit, results) = self.write_with_queries(zone.scope(), &zone.actor, queries).await?;
        let usage = QuotaUsage::from_results(&results)?;
        refuse_duplicates(batch, new.duplicates(&results, &[])?)?;
        let remaining = usage.remaining_filters(zone);
        if batch.items.len() > remaining {
            return Err(Error::Refused(vec![filter_quota_error(zone, batch.pointer(remaining))]));
        }
        let created = filters::insert(unit.deferred(), zone.id(), usage.next_filter_seq, &batch.items)?;
        for filter in &created {
            unit.record("filter.create", &filter.id, None, Some(filter));
        }
        unit.commit().await?;
        Ok(created)
    }

    /// Updates all filters or none. Every filter must exist.
    pub async fn update_filters(&self, zone: &Zone, batch: &Batch<Filter>) -> Result<Vec<Filter>, Error> {
        let new = DigestedExpressions::new(
            batch.items.iter().enumerate().map(|(index, filter)| (index, &*filter.expression)),
        );
        let queries = |statements: &mut StatementBatch| new.query(statements, zone.id());
        let (mut unit, results) = self.write_with_queries(zone.scope(), &zone.actor, queries).await?;
        let before = load_filters(unit.connection(), zone.id(), batch).await?;
        let changed: Vec<&str> = batch.items.iter().map(|filter| filter.id.as_str()).collect();
        refuse_duplicates(batch, new.duplicates(&results, &changed)?)?;
        if batch.items.len() > 1 {
            release_digests(unit.connection(), zone.id(), &changed).await?;
        }
        for (before, filter) in before.iter().zip(&batch.items) {
            filters::update(unit.connection(), zone.id(), filter).await?;
            unit.record("filter.update", &filter.id, Some(before), Some(filter));
        }
        check_remains_protected(&mut unit, zone).await?;
        unit.commit().await?;
        Ok(batch.items.clone())
    }

    /// Deletes all of the filters, or none if a rule uses one of them (assumption filter-in-use). Filters that do not
    /// exist are ignored.
    pub async fn delete_filters(&self, zone: &Zone, ids: &[String]) -> Result<Vec<DeletedObject>, Error> {
        let mut unit = self.write(zone.scope(), &zone.actor).await?;
        let mut deleted = Vec::new();
        let mut errors = Vec::new();
        for id in ids {
            let Some(filter) = find(unit.connection(), zone.id(), id).await? else {
                continue;
            };
            match count_using_filter(unit.connection(), id).await? {
                0 => {
                    filters::delete(&mut unit, zone.id(), &filter).await?;
                    deleted.push(DeletedObject { id: filter.id });
                }
                number => errors.push(filter_in_use_error(id, number)),
            }
        }
        if !errors.is_empty() {
            return Err(Error::Refused(errors));
        }
        unit.commit_if_recorded().await?;
        Ok(deleted)
    }

    /// Deletes a filter that no rule uses (assumption filter-in-use).
    pub async fn delete_filter(&self, zone: &Zone, id: String) -> Result<DeletedObject, Error> {
        let deleted = self.delete_filters(zone, std::slice::from_ref(&id)).await?;
        deleted.into_iter().next().ok_or(Error::NotFound(Resource::Filter(id)))
    }
}

/// Loads the current filters of a batch.
async fn load_filters(connection: &mut AnyConnection, zone: &str, batch: &Batch<Filter>) -> Result<Vec<Filter>, Error> {
    let mut filters = Vec::new();
    let mut errors = Vec::new();
    for (index, filter) in batch.items.iter().enumerate() {
        match find(connection, zone, &filter.id).await? {
            Some(found) => filters.push(found),
            None => errors.push(missing_item(batch, index, Resource::Filter(filter.id.clone()))?),
        }
    }
    if errors.is_empty() { Ok(filters) } else { Err(Error::Refused(errors)) }
}

fn filter_in_use_error(id: &str, rule_count: i64) -> ErrorObject {
    let rules = if rule_count == 1 { "firewall rule" } else { "firewall rules" };
    let message = format!("the filter is in use by {rule_count} {rules}; delete the rules first");
    ErrorObject::new(error_code::FILTER_IN_USE, message)
        .with_meta(ErrorMeta { id: Some(id.to_owned()), filter_id: None })
}
