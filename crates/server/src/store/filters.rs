//! Filters.

use super::lists::{self, List};
use super::search::Conditions;
use super::usage::usage;
use super::{Store, count};
use crate::auth::Zone;
use crate::error::Error;
use crate::request::Page;
use crate::secret::{digest, new_id};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};
use std::collections::{HashMap, HashSet};
use zonewright_api::firewall::{Filter, NewFilter};
use zonewright_api::{ErrorObject, Meta, error_code};
use zonewright_firewall::{Batch, quota};

/// Which filters of a zone; empty texts find all.
pub(crate) struct FilterSearch {
    /// Exact.
    pub(crate) id: String,
    /// Anywhere in it, in any letter case.
    pub(crate) expression: String,
    /// Anywhere in it, in any letter case.
    pub(crate) description: String,
    /// Exact.
    pub(crate) reference: String,
    pub(crate) paused: Option<bool>,
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

/// Filters, in the columns that [`filter`] reads.
macro_rules! select_filters {
    ($rest:expr) => {
        concat!("select id, expression, paused, description, ref from filters ", $rest)
    };
}

impl Store {
    /// Creates all filters or none.
    pub(crate) async fn create_filters(&self, zone: &Zone, batch: &Batch<NewFilter>) -> Result<Vec<Filter>, Error> {
        let mut writing = self.write(zone.scope(), &zone.actor).await?;
        let new = batch.items.iter().enumerate().map(|(index, filter)| (index, filter.expression.as_str()));
        refuse_duplicates(batch, duplicates(&mut writing, zone.id(), new, &[]).await?)?;
        let room = usage(&mut writing, zone.id()).await?.room(zone);
        if batch.items.len() > room {
            return Err(Error::Refused(vec![too_many(zone, batch.pointer(room))]));
        }
        let created = insert(&mut writing, zone.id(), &batch.items).await?;
        for filter in &created {
            writing.record("filter.create", &filter.id, None, Some(filter));
        }
        writing.commit().await?;
        Ok(created)
    }

    /// A page of the zone's filters in the order of creation, and how many there are.
    pub(crate) async fn filters(
        &self,
        zone: &str,
        search: &FilterSearch,
        page: Page,
    ) -> Result<(Vec<Filter>, u64), sqlx::Error> {
        let mut connection = self.pool.acquire().await?;
        let conditions = search.conditions(zone);
        let (rows, total) = if conditions.is_whole() {
            let statement = select_filters!("where zone_id = $1 and seq >= $2 order by seq limit $3 offset $4");
            lists::page(&mut connection, List::Filters, statement, zone, page).await?
        } else {
            let total = conditions.count("select count(*) from filters").fetch_one(&mut *connection).await?;
            let rows = conditions.page(select_filters!(""), "seq", page).fetch_all(&mut *connection).await?;
            (rows, count(total.try_get(0)?))
        };
        Ok((rows.iter().map(filter).collect::<Result<_, _>>()?, total))
    }

    /// One filter of the zone.
    pub(crate) async fn filter(&self, zone: &str, id: &str) -> Result<Option<Filter>, sqlx::Error> {
        find(&mut *self.pool.acquire().await?, zone, id).await
    }
}

/// A filter that the zone has already, or that came earlier in the same request.
pub(super) struct Duplicate {
    /// Which item of the request.
    pub(super) index: usize,
    of: Original,
}

enum Original {
    Kept { id: String },
    Earlier { index: usize },
}

impl Duplicate {
    /// The observed text, or one of its kind.
    pub(super) fn message(&self) -> String {
        match &self.of {
            Original::Kept { .. } => "config duplicates an already existing config".to_owned(),
            Original::Earlier { index } => format!("config duplicates the config at index {index} of this request"),
        }
    }

    pub(super) fn error(&self, code: u32, message: String, pointer: String) -> ErrorObject {
        let error = ErrorObject::new(code, message).at(pointer);
        match &self.of {
            Original::Kept { id } => error.about(Meta { id: Some(id.clone()), filter_id: None }),
            Original::Earlier { .. } => error,
        }
    }
}

/// Refuses a request about filters alone that has duplicates.
pub(super) fn refuse_duplicates<T>(batch: &Batch<T>, duplicates: Vec<Duplicate>) -> Result<(), Error> {
    if duplicates.is_empty() {
        return Ok(());
    }
    let errors = duplicates.into_iter().map(|duplicate| {
        let pointer = format!("{}/expression", batch.pointer(duplicate.index));
        duplicate.error(error_code::DUPLICATE_FILTER, duplicate.message(), pointer)
    });
    Err(Error::Refused(errors.collect()))
}

/// Which of the expressions, given with their index, another filter has (assumption duplicate-filter). Filters
/// that the request is about itself do not count.
pub(super) async fn duplicates(
    connection: &mut AnyConnection,
    zone: &str,
    new: impl Iterator<Item = (usize, &str)>,
    changed: &[&str],
) -> Result<Vec<Duplicate>, sqlx::Error> {
    let mut duplicates = Vec::new();
    let mut first: HashMap<String, usize> = HashMap::new();
    let changed: HashSet<&str> = changed.iter().copied().collect();
    for (index, expression) in new {
        let digest = expression_digest(expression);
        if let Some(earlier) = first.get(&digest) {
            duplicates.push(Duplicate { index, of: Original::Earlier { index: *earlier } });
            continue;
        }
        let kept = sqlx::query("select id from filters where zone_id = $1 and expression_digest = $2")
            .bind(zone.to_owned())
            .bind(digest.clone())
            .fetch_optional(&mut *connection)
            .await?;
        let kept = kept.map(|row| row.try_get::<String, _>(0)).transpose()?;
        if let Some(id) = kept.filter(|id| !changed.contains(id.as_str())) {
            duplicates.push(Duplicate { index, of: Original::Kept { id } });
        }
        first.insert(digest, index);
    }
    Ok(duplicates)
}

/// What makes two filters the same: their expressions, without the white space around them, which the
/// engine does not look at either.
pub(super) fn expression_digest(expression: &str) -> String {
    digest(expression.trim())
}

/// The error of the first filter for which there is no room.
pub(super) fn too_many(zone: &Zone, pointer: String) -> ErrorObject {
    let (limit, tier) = (quota::filters(zone.tier), zone.tier);
    let message = format!(
        "exceeded the maximum number of filters ({limit}) of the {tier} plan; delete filters that no rule uses"
    );
    ErrorObject::new(error_code::QUOTA_EXCEEDED, message).at(pointer)
}

/// Keeps new filters at the end of the zone's list.
pub(super) async fn insert<'a>(
    connection: &mut AnyConnection,
    zone: &str,
    new: impl IntoIterator<Item = &'a NewFilter, IntoIter: ExactSizeIterator>,
) -> Result<Vec<Filter>, Error> {
    let new = new.into_iter();
    let mut filters = Vec::with_capacity(new.len());
    let mut first = None;
    for new in new {
        let id = new_id()?;
        let row = sqlx::query(
            "insert into filters (id, zone_id, seq, expression, expression_digest, paused, description, ref)
             values ($1, $2, (select coalesce(max(seq), 0) + 1 from filters where zone_id = $2), $3, $4, $5, $6, $7)
             returning seq",
        )
        .bind(id.clone())
        .bind(zone.to_owned())
        .bind(new.expression.clone())
        .bind(expression_digest(&new.expression))
        .bind(i64::from(new.paused))
        .bind(new.description.clone())
        .bind(new.reference.clone())
        .fetch_one(&mut *connection)
        .await?;
        let seq: i64 = row.try_get(0)?;
        first.get_or_insert(seq);
        let NewFilter { expression, paused, description, reference } = new.clone();
        filters.push(Filter { id, expression, paused, description, reference });
    }
    if let Some(first) = first {
        lists::extend(connection, List::Filters, zone, first, filters.len()).await?;
    }
    Ok(filters)
}

/// One filter of the zone.
pub(super) async fn find(connection: &mut AnyConnection, zone: &str, id: &str) -> Result<Option<Filter>, sqlx::Error> {
    let row = sqlx::query(select_filters!("where zone_id = $1 and id = $2"))
        .bind(zone.to_owned())
        .bind(id.to_owned())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(filter).transpose()
}

fn filter(row: &AnyRow) -> Result<Filter, sqlx::Error> {
    Ok(Filter {
        id: row.try_get(0)?,
        expression: row.try_get(1)?,
        paused: row.try_get::<i64, _>(2)? != 0,
        description: row.try_get(3)?,
        reference: row.try_get(4)?,
    })
}
