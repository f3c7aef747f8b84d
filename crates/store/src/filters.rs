//! Filters: lists and finds them.
//!
//! - `write`: creates, updates and deletes filters.
//! - `duplicates`: finds filters with the same expression.

mod duplicates;
mod write;

pub(crate) use duplicates::{DigestedExpressions, Duplicate, expression_digest};
pub(crate) use write::{delete_row, filter_quota_error, insert, rules_using};

use crate::error::Error;
use crate::lists::{self, CountedList};
use crate::page::Page;
use crate::rows::count;
use crate::search::Conditions;
use crate::statements::{BatchResults, StatementBatch};
use crate::store::Store;
use sqlx::{AnyConnection, FromRow};
use zonewright_api::firewall::Filter;

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
            (rows, count(total))
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
pub(crate) fn filter_from_result(answers: &mut BatchResults) -> Result<Option<Filter>, Error> {
    let row = answers.next_row().as_ref().map(FilterRow::from_row).transpose()?;
    Ok(row.map(Filter::from))
}
