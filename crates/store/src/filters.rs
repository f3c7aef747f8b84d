//! Filters. Their changes are in `changes::filters`, because a migration depends on them.
//!
//! - `duplicates`: finds filters with the same expression.

mod duplicates;

pub(crate) use duplicates::{DigestedExpressions, Duplicate, expression_digest, refuse_duplicates};

use crate::error::Error;
use crate::lists::{self, CountedList};
use crate::owner::Zone;
use crate::page::Page;
use crate::rows::to_u64;
use crate::search::Conditions;
use crate::secret::new_id;
use crate::statements::{BatchResults, StatementBatch};
use crate::store::Store;
use crate::unit_of_work::UnitOfWork;
use sqlx::{AnyConnection, FromRow};
use zonewright_api::firewall::{Filter, NewFilter};
use zonewright_api::{ErrorObject, error_code};
use zonewright_firewall::quota;

/// The conditions of a list of filters; empty texts and `None` match everything.
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

/// A row of the table `filters`.
#[derive(FromRow)]
struct FilterRow {
    id: String,
    expression: String,
    paused: i64,
    description: Option<String>,
    #[sqlx(rename = "ref")]
    reference: Option<String>,
}

impl From<FilterRow> for Filter {
    fn from(row: FilterRow) -> Filter {
        let FilterRow { id, expression, paused, description, reference } = row;
        Filter { id, expression, paused: paused != 0, description, reference }
    }
}

/// Selects rows as [`FilterRow`].
macro_rules! select_filters {
    ($rest:expr) => {
        concat!("select id, expression, paused, description, ref from filters ", $rest)
    };
}

/// The `seq` of the next filter of a zone.
pub(crate) const NEXT_SEQ_SQL: &str = "select coalesce(max(seq), 0) + 1 from filters where zone_id = $1";

const SELECT_BY_ID: &str = select_filters!("where zone_id = $1 and id = $2");

impl Store {
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
            (rows, to_u64(total))
        };
        Ok((rows.into_iter().map(FilterRow::into).collect(), total))
    }

    /// Returns one filter of the zone.
    pub async fn filter(&self, zone: &str, id: &str) -> Result<Option<Filter>, Error> {
        find(&mut *self.pool.acquire().await?, zone, id).await
    }
}

/// Returns one filter of the zone.
pub(crate) async fn find(connection: &mut AnyConnection, zone: &str, id: &str) -> Result<Option<Filter>, Error> {
    let query = sqlx::query_as::<_, FilterRow>(SELECT_BY_ID).bind(zone.to_owned()).bind(id.to_owned());
    Ok(query.fetch_optional(connection).await?.map(Filter::from))
}

/// Adds the query for one filter of the zone. [`filter_from_result`] reads the result.
pub(crate) fn query_filter(statements: &mut StatementBatch, zone: &str, id: &str) {
    statements.add(SELECT_BY_ID).bind(zone.to_owned()).bind(id.to_owned());
}

/// Reads the result of [`query_filter`].
pub(crate) fn filter_from_result(results: &mut BatchResults) -> Result<Option<Filter>, Error> {
    let row = results.next_row().as_ref().map(FilterRow::from_row).transpose()?;
    Ok(row.map(Filter::from))
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

/// Replaces the digests of filters that are about to change with their IDs. Digests are unique, and two of the filters
/// may exchange their expressions.
pub(crate) async fn release_digests(connection: &mut AnyConnection, zone: &str, ids: &[&str]) -> Result<(), Error> {
    for id in ids {
        sqlx::query("update filters set expression_digest = id where zone_id = $1 and id = $2")
            .bind(zone.to_owned())
            .bind((*id).to_owned())
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

/// Updates a filter.
pub(crate) async fn update(connection: &mut AnyConnection, zone: &str, filter: &Filter) -> Result<(), Error> {
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

/// Deletes an existing filter that no rule uses, and records the deletion.
pub(crate) async fn delete(unit: &mut UnitOfWork, zone: &str, filter: &Filter) -> Result<(), Error> {
    let seq = "select seq from filters where zone_id = $1 and id = $2";
    let seq =
        sqlx::query_scalar(seq).bind(zone.to_owned()).bind(filter.id.clone()).fetch_one(unit.connection()).await?;
    lists::count_deleted(unit.connection(), CountedList::Filters, zone, seq).await?;
    let delete = "delete from filters where zone_id = $1 and id = $2";
    sqlx::query(delete).bind(zone.to_owned()).bind(filter.id.clone()).execute(unit.connection()).await?;
    unit.record("filter.delete", &filter.id, Some(filter), None);
    Ok(())
}
