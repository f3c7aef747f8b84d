//! Filters.

use super::{Store, containing, count, searched};
use crate::auth::Zone;
use crate::error::Error;
use crate::request::Page;
use crate::secret::{digest, new_id};
use sqlx::any::{AnyArguments, AnyRow};
use sqlx::{Any, AnyConnection, Row};
use std::collections::HashMap;
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

/// The condition of a [`FilterSearch`], with its parameters from `$1` to `$6`.
macro_rules! found {
    () => {
        r"from filters where zone_id = $1 and ($2 = '' or id = $2)
          and lower(expression) like $3 escape '\' and lower(coalesce(description, '')) like $4 escape '\'
          and ($5 = '' or ref = $5) and ($6 = -1 or paused = $6)"
    };
}

impl Store {
    /// Creates all filters or none.
    pub(crate) async fn create_filters(&self, zone: &Zone, batch: &Batch<NewFilter>) -> Result<Vec<Filter>, Error> {
        let mut writing = self.write(zone.scope(), &zone.actor).await?;
        let duplicates = duplicates(&mut writing, zone.id(), batch.items.iter().enumerate()).await?;
        if !duplicates.is_empty() {
            let errors = duplicates.into_iter().map(|duplicate| {
                let pointer = format!("{}/expression", batch.pointer(duplicate.index));
                duplicate.error(error_code::DUPLICATE_FILTER, duplicate.message(), pointer)
            });
            return Err(Error::Refused(errors.collect()));
        }
        let room = room(&mut writing, zone).await?;
        if batch.items.len() > room {
            return Err(Error::Refused(vec![too_many(zone, batch.pointer(room))]));
        }
        let mut created = Vec::new();
        for new in &batch.items {
            let filter = insert(&mut writing, zone.id(), new).await?;
            writing.record("filter.create", &filter.id, None, Some(&filter));
            created.push(filter);
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
        let total = searching(concat!("select count(*) ", found!()), zone, search).fetch_one(&self.pool).await?;
        let statement =
            concat!("select id, expression, paused, description, ref ", found!(), " order by seq limit $7 offset $8");
        let query = searching(statement, zone, search).bind(page.limit()).bind(page.offset());
        let rows = query.fetch_all(&self.pool).await?;
        Ok((rows.iter().map(filter).collect::<Result<_, _>>()?, count(total.try_get(0)?)))
    }

    /// One filter of the zone.
    pub(crate) async fn filter(&self, zone: &str, id: &str) -> Result<Option<Filter>, sqlx::Error> {
        find(&mut *self.pool.acquire().await?, zone, id).await
    }

    /// Deletes a filter that no rule uses (assumption filter-in-use).
    pub(crate) async fn delete_filter(&self, zone: &Zone, id: &str) -> Result<(), Error> {
        let mut writing = self.write(zone.scope(), &zone.actor).await?;
        let connection = &mut *writing;
        let Some(filter) = find(connection, zone.id(), id).await? else {
            return Err(Error::NotFound("filter", id.to_owned()));
        };
        let users = sqlx::query("select count(*) from firewall_rules where filter_id = $1")
            .bind(id.to_owned())
            .fetch_one(&mut *connection)
            .await?;
        match users.try_get::<i64, _>(0)? {
            0 => {}
            1 => return Err(in_use("1 firewall rule")),
            number => return Err(in_use(&format!("{number} firewall rules"))),
        }
        sqlx::query("delete from filters where id = $1").bind(id.to_owned()).execute(connection).await?;
        writing.record("filter.delete", id, Some(&filter), None);
        writing.commit().await?;
        Ok(())
    }
}

/// A statement with [`found!`] in it and its parameters.
fn searching(
    statement: &'static str,
    zone: &str,
    search: &FilterSearch,
) -> sqlx::query::Query<'static, Any, AnyArguments> {
    sqlx::query(statement)
        .bind(zone.to_owned())
        .bind(search.id.clone())
        .bind(containing(&search.expression))
        .bind(containing(&search.description))
        .bind(search.reference.clone())
        .bind(searched(search.paused))
}

fn in_use(users: &str) -> Error {
    let message = format!("the filter is in use by {users}; delete the rules first");
    Error::Refused(vec![ErrorObject::new(error_code::FILTER_IN_USE, message)])
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

/// Which of the new filters, given with their index, have the expression of another filter (assumption
/// duplicate-filter).
pub(super) async fn duplicates(
    connection: &mut AnyConnection,
    zone: &str,
    new: impl Iterator<Item = (usize, &NewFilter)>,
) -> Result<Vec<Duplicate>, sqlx::Error> {
    let mut duplicates = Vec::new();
    let mut first: HashMap<String, usize> = HashMap::new();
    for (index, filter) in new {
        let digest = expression_digest(filter);
        if let Some(earlier) = first.get(&digest) {
            duplicates.push(Duplicate { index, of: Original::Earlier { index: *earlier } });
            continue;
        }
        let kept = sqlx::query("select id from filters where zone_id = $1 and expression_digest = $2")
            .bind(zone.to_owned())
            .bind(digest.clone())
            .fetch_optional(&mut *connection)
            .await?;
        if let Some(row) = kept {
            duplicates.push(Duplicate { index, of: Original::Kept { id: row.try_get(0)? } });
        }
        first.insert(digest, index);
    }
    Ok(duplicates)
}

/// What makes two filters the same: their expressions, without the white space around them, which the
/// engine does not look at either.
fn expression_digest(filter: &NewFilter) -> String {
    digest_of(&filter.expression)
}

/// The digest of an expression as filters are told apart by.
pub(super) fn digest_of(expression: &str) -> String {
    digest(expression.trim())
}

/// How many more filters the zone may have (assumption filter-limit).
pub(super) async fn room(connection: &mut AnyConnection, zone: &Zone) -> Result<usize, sqlx::Error> {
    let row = sqlx::query("select count(*) from filters where zone_id = $1")
        .bind(zone.id().to_owned())
        .fetch_one(connection)
        .await?;
    let room = quota::filters(zone.tier).saturating_sub(count(row.try_get(0)?));
    Ok(usize::try_from(room).unwrap_or(usize::MAX))
}

/// The error of the first filter for which there is no room.
pub(super) fn too_many(zone: &Zone, pointer: String) -> ErrorObject {
    let (limit, tier) = (quota::filters(zone.tier), zone.tier);
    let message = format!(
        "exceeded the maximum number of filters ({limit}) of the {tier} plan; delete filters that no rule uses"
    );
    ErrorObject::new(error_code::QUOTA_EXCEEDED, message).at(pointer)
}

/// Keeps a new filter at the end of the zone's list.
pub(super) async fn insert(connection: &mut AnyConnection, zone: &str, new: &NewFilter) -> Result<Filter, Error> {
    let id = new_id()?;
    sqlx::query(
        "insert into filters (id, zone_id, seq, expression, expression_digest, paused, description, ref)
         values ($1, $2, (select coalesce(max(seq), 0) + 1 from filters where zone_id = $2), $3, $4, $5, $6, $7)",
    )
    .bind(id.clone())
    .bind(zone.to_owned())
    .bind(new.expression.clone())
    .bind(expression_digest(new))
    .bind(i64::from(new.paused))
    .bind(new.description.clone())
    .bind(new.reference.clone())
    .execute(connection)
    .await?;
    let NewFilter { expression, paused, description, reference } = new.clone();
    Ok(Filter { id, expression, paused, description, reference })
}

/// One filter of the zone.
pub(super) async fn find(connection: &mut AnyConnection, zone: &str, id: &str) -> Result<Option<Filter>, sqlx::Error> {
    let row =
        sqlx::query("select id, expression, paused, description, ref from filters where zone_id = $1 and id = $2")
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
