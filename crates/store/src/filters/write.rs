//! Creates, updates and deletes filters.

use super::duplicates::{DigestedExpressions, expression_digest, refuse_duplicates};
use super::find;
use crate::error::{Error, missing_item};
use crate::lists::{self, CountedList};
use crate::migration::check_remains_protected;
use crate::owner::Zone;
use crate::secret::new_id;
use crate::statements::StatementBatch;
use crate::store::Store;
use crate::unit_of_work::UnitOfWork;
use crate::usage::QuotaUsage;
use sqlx::AnyConnection;
use zonewright_api::firewall::{DeletedObject, Filter, NewFilter};
use zonewright_api::{ErrorMeta, ErrorObject, error_code};
use zonewright_firewall::{Batch, quota};

impl Store {
    /// Creates all filters or none.
    pub async fn create_filters(&self, zone: &Zone, batch: &Batch<NewFilter>) -> Result<Vec<Filter>, Error> {
        let new = DigestedExpressions::new(
            batch.items.iter().enumerate().map(|(index, filter)| (index, &*filter.expression)),
        );
        let questions = |statements: &mut StatementBatch| {
            QuotaUsage::query(statements, zone.id());
            new.query(statements, zone.id());
        };
        let (mut unit, mut answers) = self.write_asking(zone.scope(), &zone.actor, questions).await?;
        let usage = QuotaUsage::from_results(&mut answers)?;
        refuse_duplicates(batch, new.duplicates(&mut answers, &[])?)?;
        let room = usage.remaining_filters(zone);
        if batch.items.len() > room {
            return Err(Error::Refused(vec![filter_quota_error(zone, batch.pointer(room))]));
        }
        let created = insert(unit.later(), zone.id(), usage.next_filter_seq, &batch.items)?;
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
        let questions = |statements: &mut StatementBatch| new.query(statements, zone.id());
        let (mut unit, mut answers) = self.write_asking(zone.scope(), &zone.actor, questions).await?;
        let before = load_filters(unit.connection(), zone.id(), batch).await?;
        let changed: Vec<&str> = batch.items.iter().map(|filter| filter.id.as_str()).collect();
        refuse_duplicates(batch, new.duplicates(&mut answers, &changed)?)?;
        if batch.items.len() > 1 {
            release_digests(unit.connection(), zone.id(), &changed).await?;
        }
        for (before, filter) in before.iter().zip(&batch.items) {
            update(unit.connection(), zone.id(), filter).await?;
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
            match rules_using(unit.connection(), id).await? {
                0 => {
                    delete_row(&mut unit, zone.id(), &filter).await?;
                    deleted.push(DeletedObject { id: filter.id });
                }
                number => errors.push(in_use(id, number)),
            }
        }
        if !errors.is_empty() {
            return Err(Error::Refused(errors));
        }
        unit.commit_noted().await?;
        Ok(deleted)
    }

    /// Deletes a filter that no rule uses (assumption filter-in-use).
    pub async fn delete_filter(&self, zone: &Zone, id: String) -> Result<DeletedObject, Error> {
        let deleted = self.delete_filters(zone, std::slice::from_ref(&id)).await?;
        deleted.into_iter().next().ok_or(Error::NotFound("filter", id))
    }
}

/// Returns the error of the first filter that exceeds the quota.
pub(crate) fn filter_quota_error(zone: &Zone, pointer: String) -> ErrorObject {
    let (limit, tier) = (quota::max_filters(zone.tier), zone.tier);
    let message = format!(
        "exceeded the maximum number of filters ({limit}) of the {tier} plan; delete filters that no rule uses"
    );
    ErrorObject::new(error_code::QUOTA_EXCEEDED, message).with_pointer(pointer)
}

/// Adds statements that insert filters at the end of the zone's list. `next` is the `seq` of the first one.
pub(crate) fn insert<'a>(
    statements: &mut StatementBatch,
    zone: &str,
    next: i64,
    new: impl IntoIterator<Item = &'a NewFilter>,
) -> Result<Vec<Filter>, getrandom::Error> {
    let mut filters = Vec::new();
    for (seq, new) in (next..).zip(new) {
        let id = new_id()?;
        statements
            .add(
                "insert into filters (id, zone_id, seq, expression, expression_digest, paused, description, ref)
                 values ($1, $2, $3, $4, $5, $6, $7, $8)",
            )
            .bind(id.clone())
            .bind(zone.to_owned())
            .bind(seq)
            .bind(new.expression.clone())
            .bind(expression_digest(&new.expression))
            .bind(i64::from(new.paused))
            .bind(new.description.clone())
            .bind(new.reference.clone());
        let NewFilter { expression, paused, description, reference } = new.clone();
        filters.push(Filter { id, expression, paused, description, reference });
    }
    lists::count_inserted(statements, CountedList::Filters, zone, next, filters.len());
    Ok(filters)
}

/// Loads the current filters of a batch.
async fn load_filters(connection: &mut AnyConnection, zone: &str, batch: &Batch<Filter>) -> Result<Vec<Filter>, Error> {
    let mut filters = Vec::new();
    let mut errors = Vec::new();
    for (index, filter) in batch.items.iter().enumerate() {
        match find(connection, zone, &filter.id).await? {
            Some(found) => filters.push(found),
            None => errors.push(missing_item(batch, "filter", index, &filter.id)?),
        }
    }
    if errors.is_empty() { Ok(filters) } else { Err(Error::Refused(errors)) }
}

/// Clears the digests of filters that are about to change, because two of them may exchange their expressions.
async fn release_digests(connection: &mut AnyConnection, zone: &str, ids: &[&str]) -> Result<(), Error> {
    for id in ids {
        sqlx::query("update filters set expression_digest = id where zone_id = $1 and id = $2")
            .bind(zone.to_owned())
            .bind((*id).to_owned())
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

async fn update(connection: &mut AnyConnection, zone: &str, filter: &Filter) -> Result<(), Error> {
    sqlx::query(
        "update filters set expression = $1, expression_digest = $2, paused = $3, description = $4, ref = $5
         where zone_id = $6 and id = $7",
    )
    .bind(filter.expression.clone())
    .bind(expression_digest(&filter.expression))
    .bind(i64::from(filter.paused))
    .bind(filter.description.clone())
    .bind(filter.reference.clone())
    .bind(zone.to_owned())
    .bind(filter.id.clone())
    .execute(connection)
    .await?;
    Ok(())
}

/// Returns the number of rules that use a filter.
pub(crate) async fn rules_using(connection: &mut AnyConnection, id: &str) -> Result<i64, Error> {
    let query = sqlx::query_scalar("select count(*) from firewall_rules where filter_id = $1").bind(id.to_owned());
    Ok(query.fetch_one(connection).await?)
}

/// Deletes an existing filter that no rule uses.
pub(crate) async fn delete_row(unit: &mut UnitOfWork, zone: &str, filter: &Filter) -> Result<(), Error> {
    let seq = "select seq from filters where zone_id = $1 and id = $2";
    let seq =
        sqlx::query_scalar(seq).bind(zone.to_owned()).bind(filter.id.clone()).fetch_one(unit.connection()).await?;
    lists::count_deleted(unit.connection(), CountedList::Filters, zone, seq).await?;
    let delete = "delete from filters where zone_id = $1 and id = $2";
    sqlx::query(delete).bind(zone.to_owned()).bind(filter.id.clone()).execute(unit.connection()).await?;
    unit.record("filter.delete", &filter.id, Some(filter), None);
    Ok(())
}

fn in_use(id: &str, users: i64) -> ErrorObject {
    let rules = if users == 1 { "firewall rule" } else { "firewall rules" };
    let message = format!("the filter is in use by {users} {rules}; delete the rules first");
    ErrorObject::new(error_code::FILTER_IN_USE, message)
        .with_meta(ErrorMeta { id: Some(id.to_owned()), filter_id: None })
}
