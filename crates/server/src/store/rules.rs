//! Firewall rules.

use super::{Store, containing, count, filters, searched};
use crate::auth::Zone;
use crate::clock::now;
use crate::error::Error;
use crate::request::Page;
use crate::secret::new_id;
use sqlx::any::{AnyArguments, AnyRow};
use sqlx::{Any, AnyConnection, Row};
use zonewright_api::firewall::{Action, Filter, FilterReference, FirewallRule, NewFilter, NewRule, Product};
use zonewright_api::{ErrorObject, Meta, error_code};
use zonewright_firewall::{Batch, quota};

/// Which rules of a zone; empty texts find all.
pub(crate) struct RuleSearch {
    /// Exact.
    pub(crate) id: String,
    /// Exact.
    pub(crate) action: String,
    /// Anywhere in it, in any letter case.
    pub(crate) description: String,
    pub(crate) paused: Option<bool>,
}

/// Rules with their filters, in the columns that [`rule`] reads.
macro_rules! select_rules {
    ($rest:expr) => {
        concat!(
            "select r.id, r.action, r.priority, r.paused, r.description, r.ref, r.products, r.created_on, r.modified_on,
             f.id, f.expression, f.paused, f.description, f.ref
             from firewall_rules r join filters f on f.id = r.filter_id ",
            $rest
        )
    };
}

/// The condition of a [`RuleSearch`], with its parameters from `$1` to `$5`.
macro_rules! found {
    () => {
        r"where r.zone_id = $1 and ($2 = '' or r.id = $2) and ($3 = '' or r.action = $3)
          and lower(coalesce(r.description, '')) like $4 escape '\' and ($5 = -1 or r.paused = $5)"
    };
}

impl Store {
    /// Creates all rules, and the filters that come with them, or nothing. Only when the quota would be
    /// exceeded the filters stay, and the error names them (`zone-security-service` §3 rule 6).
    pub(crate) async fn create_rules(&self, zone: &Zone, batch: &Batch<NewRule>) -> Result<Vec<FirewallRule>, Error> {
        let mut writing = self.write(zone.scope(), &zone.actor).await?;
        let filters = filters_of(&mut writing, zone, batch).await?;
        let errors = over_quota(&mut writing, zone, batch, &filters).await?;
        if !errors.is_empty() {
            writing.commit().await?;
            return Err(Error::RefusedWithMessages(errors, kept_filters(batch, &filters)));
        }
        let mut created = Vec::new();
        for (new, filter) in batch.items.iter().zip(filters) {
            created.push(insert(&mut writing, zone.id(), new, filter).await?);
        }
        writing.commit().await?;
        Ok(created)
    }

    /// A page of the zone's rules in the order of creation, and how many there are.
    pub(crate) async fn rules(
        &self,
        zone: &str,
        search: &RuleSearch,
        page: Page,
    ) -> Result<(Vec<FirewallRule>, u64), sqlx::Error> {
        let total = concat!("select count(*) from firewall_rules r ", found!());
        let total = searching(total, zone, search).fetch_one(&self.pool).await?;
        let statement = select_rules!(concat!(found!(), " order by r.seq limit $6 offset $7"));
        let query = searching(statement, zone, search).bind(page.limit()).bind(page.offset());
        let rows = query.fetch_all(&self.pool).await?;
        Ok((rows.iter().map(rule).collect::<Result<_, _>>()?, count(total.try_get(0)?)))
    }

    /// One rule of the zone.
    pub(crate) async fn rule(&self, zone: &str, id: &str) -> Result<Option<FirewallRule>, sqlx::Error> {
        let row = sqlx::query(select_rules!("where r.zone_id = $1 and r.id = $2"))
            .bind(zone.to_owned())
            .bind(id.to_owned())
            .fetch_optional(&self.pool)
            .await?;
        row.as_ref().map(rule).transpose()
    }

    /// Deletes a rule; its filter stays (`zone-security-service` §4.2 rule 2). False when the zone has
    /// no such rule.
    pub(crate) async fn delete_rule(&self, zone: &Zone, id: &str) -> Result<bool, sqlx::Error> {
        let mut writing = self.write(zone.scope(), &zone.actor).await?;
        let deleted = sqlx::query("delete from firewall_rules where zone_id = $1 and id = $2")
            .bind(zone.id().to_owned())
            .bind(id.to_owned())
            .execute(&mut *writing)
            .await?;
        writing.commit().await?;
        Ok(deleted.rows_affected() > 0)
    }
}

/// A statement with [`found!`] in it and its parameters.
fn searching(
    statement: &'static str,
    zone: &str,
    search: &RuleSearch,
) -> sqlx::query::Query<'static, Any, AnyArguments> {
    sqlx::query(statement)
        .bind(zone.to_owned())
        .bind(search.id.clone())
        .bind(search.action.clone())
        .bind(containing(&search.description))
        .bind(searched(search.paused))
}

/// The filter of each rule: those that exist are looked up, the others made.
async fn filters_of(connection: &mut AnyConnection, zone: &Zone, batch: &Batch<NewRule>) -> Result<Vec<Filter>, Error> {
    let mut errors = duplicates(connection, zone.id(), batch).await?;
    let mut existing = Vec::new();
    for (index, rule) in batch.items.iter().enumerate() {
        let FilterReference::Existing { id } = &rule.filter else {
            existing.push(None);
            continue;
        };
        let found = filters::find(connection, zone.id(), id).await?;
        if found.is_none() {
            let message = format!("there is no filter `{id}` in this zone");
            let pointer = format!("{}/filter/id", batch.pointer(index));
            errors.push(ErrorObject::new(error_code::NOT_EXISTS, message).at(pointer));
        }
        existing.push(found);
    }
    if !errors.is_empty() {
        return Err(Error::Refused(errors));
    }
    let mut new = batch.items.iter().enumerate().filter(|(_, rule)| new_filter(rule).is_some());
    if let Some((index, _)) = new.nth(filters::room(connection, zone).await?) {
        let pointer = format!("{}/filter", batch.pointer(index));
        return Err(Error::Refused(vec![filters::too_many(zone, pointer)]));
    }
    let mut all = Vec::new();
    for (rule, existing) in batch.items.iter().zip(existing) {
        match (existing, &rule.filter) {
            (None, FilterReference::New(new)) => all.push(filters::insert(connection, zone.id(), new).await?),
            (existing, _) => all.extend(existing),
        }
    }
    Ok(all)
}

async fn duplicates(
    connection: &mut AnyConnection,
    zone: &str,
    batch: &Batch<NewRule>,
) -> Result<Vec<ErrorObject>, sqlx::Error> {
    let new = batch.items.iter().enumerate().filter_map(|(index, rule)| Some((index, new_filter(rule)?)));
    let found = filters::duplicates(connection, zone, new).await?;
    let error = |duplicate: filters::Duplicate| {
        let pointer = format!("{}/filter/expression", batch.pointer(duplicate.index));
        let message = format!("filter at index {}: {}", duplicate.index, duplicate.message());
        duplicate.error(error_code::DUPLICATE_FILTER_OF_RULE, message, pointer)
    };
    Ok(found.into_iter().map(error).collect())
}

fn new_filter(rule: &NewRule) -> Option<&NewFilter> {
    match &rule.filter {
        FilterReference::New(filter) => Some(filter),
        FilterReference::Existing { .. } => None,
    }
}

/// One error for each active rule that is too many; none when all fit.
async fn over_quota(
    connection: &mut AnyConnection,
    zone: &Zone,
    batch: &Batch<NewRule>,
    filters: &[Filter],
) -> Result<Vec<ErrorObject>, sqlx::Error> {
    let row = sqlx::query("select count(*) from firewall_rules where zone_id = $1 and paused = 0")
        .bind(zone.id().to_owned())
        .fetch_one(connection)
        .await?;
    let added: Vec<usize> =
        batch.items.iter().enumerate().filter(|(_, rule)| !rule.paused).map(|(index, _)| index).collect();
    let fitting = quota::fitting(zone.tier, count(row.try_get(0)?), added.len() as u64);
    let limit = quota::active_rules(zone.tier);
    let message = format!("exceeded the maximum number of active firewall rules ({limit}) of the {} plan", zone.tier);
    let too_many = added.into_iter().skip(usize::try_from(fitting).unwrap_or(usize::MAX));
    let errors = too_many.map(|index| {
        let filter_id = filters.get(index).map(|filter| filter.id.clone());
        let error = ErrorObject::new(error_code::QUOTA_EXCEEDED, message.clone()).at(batch.pointer(index));
        error.about(Meta { id: None, filter_id })
    });
    Ok(errors.collect())
}

/// What to tell about the filters that stay although their rules do not.
fn kept_filters(batch: &Batch<NewRule>, filters: &[Filter]) -> Vec<ErrorObject> {
    let items = batch.items.iter().zip(filters).enumerate();
    let new = items.filter(|(_, (rule, _))| new_filter(rule).is_some());
    let message = |(index, (_, filter)): (usize, (&NewRule, &Filter))| {
        let text = format!("no rule was created, but the filter `{}` was; refer to it by its id", filter.id);
        let meta = Meta { id: None, filter_id: Some(filter.id.clone()) };
        ErrorObject::new(error_code::QUOTA_EXCEEDED, text).at(format!("{}/filter", batch.pointer(index))).about(meta)
    };
    new.map(message).collect()
}

/// Keeps a new rule at the end of the zone's list.
pub(super) async fn insert(
    connection: &mut AnyConnection,
    zone: &str,
    new: &NewRule,
    filter: Filter,
) -> Result<FirewallRule, Error> {
    let (id, time) = (new_id()?, now());
    let products: Vec<&str> = new.products.iter().map(|product| product.name()).collect();
    sqlx::query(
        "insert into firewall_rules
         (id, zone_id, seq, filter_id, action, priority, paused, description, ref, products, created_on, modified_on)
         values ($1, $2, (select coalesce(max(seq), 0) + 1 from firewall_rules where zone_id = $2),
                 $3, $4, $5, $6, $7, $8, $9, $10, $10)",
    )
    .bind(id.clone())
    .bind(zone.to_owned())
    .bind(filter.id.clone())
    .bind(new.action.name().to_owned())
    .bind(new.priority.map(i64::from))
    .bind(i64::from(new.paused))
    .bind(new.description.clone())
    .bind(new.reference.clone())
    .bind(products.join(","))
    .bind(time.clone())
    .execute(connection)
    .await?;
    let NewRule { action, priority, paused, description, reference, products, .. } = new.clone();
    let (created_on, modified_on) = (Some(time.clone()), Some(time));
    Ok(FirewallRule { id, paused, description, action, priority, filter, products, reference, created_on, modified_on })
}

/// All rules of the zone in the order of creation.
pub(super) async fn all(connection: &mut AnyConnection, zone: &str) -> Result<Vec<FirewallRule>, sqlx::Error> {
    let query = sqlx::query(select_rules!("where r.zone_id = $1 order by r.seq")).bind(zone.to_owned());
    query.fetch_all(connection).await?.iter().map(rule).collect()
}

fn rule(row: &AnyRow) -> Result<FirewallRule, sqlx::Error> {
    let unknown = |name: &str| sqlx::Error::Decode(format!("there is no action or product {name}").into());
    let action: String = row.try_get(1)?;
    let products: String = row.try_get(6)?;
    let names = products.split(',').filter(|name| !name.is_empty());
    Ok(FirewallRule {
        id: row.try_get(0)?,
        action: Action::from_name(&action).ok_or_else(|| unknown(&action))?,
        priority: row.try_get::<Option<i64>, _>(2)?.and_then(|number| u32::try_from(number).ok()),
        paused: row.try_get::<i64, _>(3)? != 0,
        description: row.try_get(4)?,
        reference: row.try_get(5)?,
        products: names.map(|name| Product::from_name(name).ok_or_else(|| unknown(name))).collect::<Result<_, _>>()?,
        created_on: row.try_get(7)?,
        modified_on: row.try_get(8)?,
        filter: Filter {
            id: row.try_get(9)?,
            expression: row.try_get(10)?,
            paused: row.try_get::<i64, _>(11)? != 0,
            description: row.try_get(12)?,
            reference: row.try_get(13)?,
        },
    })
}
