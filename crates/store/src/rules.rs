//! Firewall rules.

use crate::clock::now;
use crate::error::Error;
use crate::filters;
use crate::filters::{Duplicate, Expressions};
use crate::lists::{self, List};
use crate::migration::check_covered;
use crate::owner::Zone;
use crate::page::Page;
use crate::rows::count;
use crate::search::Conditions;
use crate::secret::new_id;
use crate::statements::{Answers, Statements};
use crate::store::Store;
use crate::unit_of_work::UnitOfWork;
use crate::usage::Usage;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};
use zonewright_api::firewall::{Action, Filter, FilterReference, FirewallRule, NewFilter, NewRule, Product};
use zonewright_api::{ErrorObject, Meta, error_code};
use zonewright_firewall::{Batch, quota};
use zonewright_migration::is_to_migrate;

/// Which rules of a zone; empty texts find all.
pub struct RuleSearch {
    /// Exact.
    pub id: String,
    /// Exact.
    pub action: Option<Action>,
    /// Anywhere in it, in any letter case.
    pub description: String,
    /// Whether the rule is paused.
    pub paused: Option<bool>,
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

impl RuleSearch {
    fn conditions(&self, zone: &str) -> Conditions {
        Conditions::new("r.zone_id = ?", zone)
            .and("r.id = ?", &self.id)
            .and("r.action = ?", self.action.map(Action::name).unwrap_or_default())
            .containing(r"lower(r.description) like ? escape '\'", &self.description)
            .flag("r.paused", self.paused)
    }
}

impl Store {
    /// Creates all rules, and the filters that come with them, or nothing. Only when the quota would be
    /// exceeded the filters stay, and the error names them (`zone-security-service` §3 rule 6).
    pub async fn create_rules(&self, zone: &Zone, batch: &Batch<NewRule>) -> Result<Vec<FirewallRule>, Error> {
        let expressions = Expressions::new(new_expressions(batch));
        let questions = |statements: &mut Statements| {
            Usage::ask(statements, zone.id());
            expressions.ask(statements, zone.id());
            for id in batch.items.iter().filter_map(existing_filter) {
                filters::ask_for(statements, zone.id(), id);
            }
        };
        let (mut writing, mut answers) = self.write_asking(zone.scope(), &zone.actor, questions).await?;
        let usage = Usage::read(&mut answers)?;
        let duplicates = expressions.duplicates(&mut answers, &[])?;
        let filters = filters_of(&mut writing, zone, &usage, batch, duplicates, answers)?;
        let errors = over_quota(zone, &usage, batch, &filters);
        if !errors.is_empty() {
            writing.commit_noted().await?;
            return Err(Error::PartlyRefused(errors, kept_filters(batch, &filters)));
        }
        let created = insert(writing.later(), zone.id(), usage.next_rule, batch.items.iter().zip(filters))?;
        for rule in &created {
            writing.record("firewall_rule.create", &rule.id, None, Some(rule));
        }
        // Of new rules, only those that are to migrate change the plan: with too many, none becomes a skip.
        if created.iter().any(is_to_migrate) {
            writing.run_later().await?;
            check_covered(&mut writing, zone).await?;
        }
        writing.commit().await?;
        Ok(created)
    }

    /// A page of the zone's rules in the order of creation, and how many there are.
    pub async fn rules(&self, zone: &str, search: &RuleSearch, page: Page) -> Result<(Vec<FirewallRule>, u64), Error> {
        let mut connection = self.pool.acquire().await?;
        let conditions = search.conditions(zone);
        let (rows, total) = if conditions.is_whole() {
            let statement = select_rules!("where r.zone_id = $1 and r.seq >= $2 order by r.seq limit $3 offset $4");
            lists::page(&mut connection, List::Rules, statement, zone, page).await?
        } else {
            let total = conditions.count("select count(*) from firewall_rules r").fetch_one(&mut *connection).await?;
            let rows = conditions.page(select_rules!(""), "r.seq", page).fetch_all(&mut *connection).await?;
            (rows, count(total.try_get(0)?))
        };
        Ok((rows.iter().map(rule).collect::<Result<_, _>>()?, total))
    }

    /// One rule of the zone.
    pub async fn rule(&self, zone: &str, id: &str) -> Result<Option<FirewallRule>, Error> {
        find(&mut *self.pool.acquire().await?, zone, id).await
    }
}

/// The filter of each rule: those that exist were looked up, the others are made.
fn filters_of(
    writing: &mut UnitOfWork,
    zone: &Zone,
    usage: &Usage,
    batch: &Batch<NewRule>,
    duplicates: Vec<Duplicate>,
    mut answers: Answers,
) -> Result<Vec<Filter>, Error> {
    let mut errors = refused(duplicates, batch);
    let mut existing = Vec::new();
    for (index, rule) in batch.items.iter().enumerate() {
        let Some(id) = existing_filter(rule) else {
            existing.push(None);
            continue;
        };
        let found = filters::found(&mut answers)?;
        if found.is_none() {
            errors.push(no_filter(id).at(format!("{}/filter/id", batch.pointer(index))));
        }
        existing.push(found);
    }
    if !errors.is_empty() {
        return Err(Error::Refused(errors));
    }
    let mut new = batch.items.iter().enumerate().filter(|(_, rule)| new_filter(rule).is_some());
    if let Some((index, _)) = new.nth(usage.room(zone)) {
        let pointer = format!("{}/filter", batch.pointer(index));
        return Err(Error::Refused(vec![filters::too_many(zone, pointer)]));
    }
    let new: Vec<&NewFilter> = batch.items.iter().filter_map(new_filter).collect();
    let made = filters::insert(writing.later(), zone.id(), usage.next_filter, new)?;
    for filter in &made {
        writing.record("filter.create", &filter.id, None, Some(filter));
    }
    let mut made = made.into_iter();
    Ok(existing.into_iter().filter_map(|existing| existing.or_else(|| made.next())).collect())
}

/// The error of a rule whose filter the zone does not have.
pub(crate) fn no_filter(id: &str) -> ErrorObject {
    ErrorObject::new(error_code::NOT_EXISTS, format!("there is no filter `{id}` in this zone"))
}

/// The expressions of new filters, each with the index of its rule.
fn new_expressions(batch: &Batch<NewRule>) -> impl Iterator<Item = (usize, &str)> {
    let rules = batch.items.iter().enumerate();
    rules.filter_map(|(index, rule)| Some((index, new_filter(rule)?.expression.as_str())))
}

fn refused(duplicates: Vec<Duplicate>, batch: &Batch<NewRule>) -> Vec<ErrorObject> {
    let error = |duplicate: Duplicate| {
        let pointer = format!("{}/filter/expression", batch.pointer(duplicate.index));
        let message = format!("filter at index {}: {}", duplicate.index, duplicate.message());
        duplicate.error(error_code::DUPLICATE_FILTER_OF_RULE, message, pointer)
    };
    duplicates.into_iter().map(error).collect()
}

fn new_filter(rule: &NewRule) -> Option<&NewFilter> {
    match &rule.filter {
        FilterReference::New(filter) => Some(filter),
        FilterReference::Existing { .. } => None,
    }
}

fn existing_filter(rule: &NewRule) -> Option<&str> {
    match &rule.filter {
        FilterReference::New(_) => None,
        FilterReference::Existing { id } => Some(id),
    }
}

/// One error for each active rule that is too many; none when all fit.
fn over_quota(zone: &Zone, usage: &Usage, batch: &Batch<NewRule>, filters: &[Filter]) -> Vec<ErrorObject> {
    let added: Vec<usize> =
        batch.items.iter().enumerate().filter(|(_, rule)| !rule.paused).map(|(index, _)| index).collect();
    let fitting = quota::fitting(zone.tier, usage.rules, added.len() as u64);
    let too_many = added.into_iter().skip(usize::try_from(fitting).unwrap_or(usize::MAX));
    let error = |index: usize| {
        let filter_id = filters.get(index).map(|filter| filter.id.clone());
        too_many_rules(zone).at(batch.pointer(index)).about(Meta { id: None, filter_id })
    };
    too_many.map(error).collect()
}

/// The error of an active rule for which there is no room.
pub(crate) fn too_many_rules(zone: &Zone) -> ErrorObject {
    let limit = quota::active_rules(zone.tier);
    let message = format!("exceeded the maximum number of active firewall rules ({limit}) of the {} plan", zone.tier);
    ErrorObject::new(error_code::QUOTA_EXCEEDED, message)
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

/// Keeps new rules, each with its filter, at the end of the zone's list, the first of them with the `seq` that is next
/// there.
pub(crate) fn insert<'a>(
    statements: &mut Statements,
    zone: &str,
    next: i64,
    new: impl IntoIterator<Item = (&'a NewRule, Filter)>,
) -> Result<Vec<FirewallRule>, getrandom::Error> {
    let mut rules = Vec::new();
    for (seq, (new, filter)) in (next..).zip(new) {
        let (id, time) = (new_id()?, now());
        statements
            .add(
                "insert into firewall_rules
                 (id, zone_id, seq, filter_id, action, priority, paused, description, ref, products, created_on,
                  modified_on)
                 values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)",
            )
            .bind(id.clone())
            .bind(zone.to_owned())
            .bind(seq)
            .bind(filter.id.clone())
            .bind(new.action.name())
            .bind(new.priority.map(i64::from))
            .bind(i64::from(new.paused))
            .bind(new.description.clone())
            .bind(new.reference.clone())
            .bind(written(&new.products))
            .bind(time.clone());
        let NewRule { action, priority, paused, description, reference, products, .. } = new.clone();
        let (created_on, modified_on) = (Some(time.clone()), Some(time));
        rules.push(FirewallRule {
            id,
            paused,
            description,
            action,
            priority,
            filter,
            products,
            reference,
            created_on,
            modified_on,
        });
    }
    lists::extend(statements, List::Rules, zone, next, rules.len());
    Ok(rules)
}

/// Products as the database has them.
pub(crate) fn written(products: &[Product]) -> String {
    products.iter().map(|product| product.name()).collect::<Vec<_>>().join(",")
}

/// One rule of the zone.
pub(crate) async fn find(connection: &mut AnyConnection, zone: &str, id: &str) -> Result<Option<FirewallRule>, Error> {
    let row = sqlx::query(select_rules!("where r.zone_id = $1 and r.id = $2"))
        .bind(zone.to_owned())
        .bind(id.to_owned())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(rule).transpose()
}

/// All rules of the zone in the order of creation.
pub(crate) async fn all(connection: &mut AnyConnection, zone: &str) -> Result<Vec<FirewallRule>, Error> {
    let query = sqlx::query(select_rules!("where r.zone_id = $1 order by r.seq")).bind(zone.to_owned());
    query.fetch_all(connection).await?.iter().map(rule).collect()
}

fn rule(row: &AnyRow) -> Result<FirewallRule, Error> {
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
