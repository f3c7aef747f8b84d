//! Filters: creates, lists and finds them.

use crate::error::Error;
use crate::lists::{self, CountedList};
use crate::owner::Zone;
use crate::page::Page;
use crate::rows::count;
use crate::search::Conditions;
use crate::secret::{digest, new_id};
use crate::statements::{BatchResults, StatementBatch};
use crate::store::Store;
use crate::usage::QuotaUsage;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};
use std::collections::{HashMap, HashSet};
use zonewright_api::firewall::{Filter, NewFilter};
use zonewright_api::{ErrorMeta, ErrorObject, error_code};
use zonewright_firewall::{Batch, quota};

/// The conditions of a list of filters; empty texts match everything.
pub struct FilterSearch {
    /// The exact ID.
    pub id: String,
    /// A substring of the expression, case-insensitive.
    pub expression: String,
    /// A substring of the description, case-insensitive.
    pub description: String,
    /// The exact reference.
    pub reference: String,
    /// Whether the filter is paused.
    pub paused: Option<bool>,
}

impl FilterSearch {
    fn conditions(&self, zone: &str) -> Conditions {
        Conditions::new("zone_id = ?", zone)
            .and("id = ?", &self.id)
            .containing(r"lower(expression) like ? escape '\'", &self.expression)
            .containing(r"lower(description) like ? escape '\'", &self.description)
            .and("ref = ?", &self.reference)
            .flag("paused", self.paused)
    }
}

/// Selects filters in the columns that [`filter`] reads.
macro_rules! select_filters {
    ($rest:expr) => {
        concat!("select id, expression, paused, description, ref from filters ", $rest)
    };
}

const SELECT_BY_ID: &str = select_filters!("where zone_id = $1 and id = $2");

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

    /// Returns a page of the zone's filters in the order of creation, and their total number.
    pub async fn filters(&self, zone: &str, search: &FilterSearch, page: Page) -> Result<(Vec<Filter>, u64), Error> {
        let mut connection = self.pool.acquire().await?;
        let conditions = search.conditions(zone);
        let (rows, total) = if conditions.is_unfiltered() {
            let statement = select_filters!("where zone_id = $1 and seq >= $2 order by seq limit $3 offset $4");
            lists::page(&mut connection, CountedList::Filters, statement, zone, page).await?
        } else {
            let total = conditions.count("select count(*) from filters").fetch_one(&mut *connection).await?;
            let rows = conditions.page(select_filters!(""), "seq", page).fetch_all(&mut *connection).await?;
            (rows, count(total.try_get(0)?))
        };
        Ok((rows.iter().map(filter).collect::<Result<_, _>>()?, total))
    }

    /// Returns one filter of the zone.
    pub async fn filter(&self, zone: &str, id: &str) -> Result<Option<Filter>, Error> {
        find(&mut *self.pool.acquire().await?, zone, id).await
    }
}

/// A filter that duplicates an existing one, or an earlier item of the same request.
pub(crate) struct Duplicate {
    /// The index of the item in the request.
    pub(crate) index: usize,
    original: DuplicateOf,
}

enum DuplicateOf {
    Kept { id: String },
    Earlier { index: usize },
}

impl Duplicate {
    /// Returns the message: the observed text, or a similar one for an earlier item.
    pub(crate) fn message(&self) -> String {
        match &self.original {
            DuplicateOf::Kept { .. } => "config duplicates an already existing config".to_owned(),
            DuplicateOf::Earlier { index } => format!("config duplicates the config at index {index} of this request"),
        }
    }

    pub(crate) fn error(&self, code: u32, message: String, pointer: String) -> ErrorObject {
        let error = ErrorObject::new(code, message).with_pointer(pointer);
        match &self.original {
            DuplicateOf::Kept { id } => error.with_meta(ErrorMeta { id: Some(id.clone()), filter_id: None }),
            DuplicateOf::Earlier { .. } => error,
        }
    }
}

/// Rejects a request for filters that contains duplicates.
pub(crate) fn refuse_duplicates<T>(batch: &Batch<T>, duplicates: Vec<Duplicate>) -> Result<(), Error> {
    if duplicates.is_empty() {
        return Ok(());
    }
    let errors = duplicates.into_iter().map(|duplicate| {
        let pointer = format!("{}/expression", batch.pointer(duplicate.index));
        duplicate.error(error_code::DUPLICATE_FILTER, duplicate.message(), pointer)
    });
    Err(Error::Refused(errors.collect()))
}

/// The digests of the expressions in a request, each with the index of its item.
pub(crate) struct DigestedExpressions(Vec<(usize, String)>);

impl DigestedExpressions {
    pub(crate) fn new<'a>(all: impl Iterator<Item = (usize, &'a str)>) -> DigestedExpressions {
        DigestedExpressions(all.map(|(index, expression)| (index, expression_digest(expression))).collect())
    }

    /// Adds queries for filters of the zone with these expressions. [`DigestedExpressions::duplicates`] reads the
    /// results.
    pub(crate) fn query(&self, statements: &mut StatementBatch, zone: &str) {
        for (_, digest) in &self.0 {
            let same = "select id from filters where zone_id = $1 and expression_digest = $2";
            statements.select_value(same).bind(zone.to_owned()).bind(digest.clone());
        }
    }

    /// Returns the items whose expression another filter has (assumption duplicate-filter). Filters that the request
    /// changes do not count.
    pub(crate) fn duplicates(&self, answers: &mut BatchResults, changed: &[&str]) -> Result<Vec<Duplicate>, Error> {
        let mut duplicates = Vec::new();
        let mut first: HashMap<&str, usize> = HashMap::new();
        let changed: HashSet<&str> = changed.iter().copied().collect();
        for (index, digest) in &self.0 {
            let (index, kept) = (*index, answers.value::<Option<String>>()?);
            if let Some(earlier) = first.get(&**digest) {
                duplicates.push(Duplicate { index, original: DuplicateOf::Earlier { index: *earlier } });
                continue;
            }
            if let Some(id) = kept.filter(|id| !changed.contains(id.as_str())) {
                duplicates.push(Duplicate { index, original: DuplicateOf::Kept { id } });
            }
            first.insert(digest, index);
        }
        Ok(duplicates)
    }
}

/// Returns the digest that identifies equal filters. Surrounding whitespace does not count, because the engine ignores
/// it.
pub(crate) fn expression_digest(expression: &str) -> String {
    digest(expression.trim())
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

/// Returns one filter of the zone.
pub(crate) async fn find(connection: &mut AnyConnection, zone: &str, id: &str) -> Result<Option<Filter>, Error> {
    let query = sqlx::query(SELECT_BY_ID).bind(zone.to_owned()).bind(id.to_owned());
    query.fetch_optional(connection).await?.as_ref().map(filter).transpose()
}

/// Adds the query for one filter of the zone. [`filter_from_result`] reads the result.
pub(crate) fn query_filter(statements: &mut StatementBatch, zone: &str, id: &str) {
    statements.add(SELECT_BY_ID).bind(zone.to_owned()).bind(id.to_owned());
}

/// Reads the result of [`query_filter`].
pub(crate) fn filter_from_result(answers: &mut BatchResults) -> Result<Option<Filter>, Error> {
    answers.next_row().as_ref().map(filter).transpose()
}

fn filter(row: &AnyRow) -> Result<Filter, Error> {
    Ok(Filter {
        id: row.try_get("id")?,
        expression: row.try_get("expression")?,
        paused: row.try_get::<i64, _>("paused")? != 0,
        description: row.try_get("description")?,
        reference: row.try_get("ref")?,
    })
}
