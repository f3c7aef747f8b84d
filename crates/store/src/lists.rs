//! Long lists of a zone: where their items stand, so that a list is counted and a page of it found without going
//! through what stands before.
//!
//! Items have a `seq` in the order of creation, with gaps where some were deleted. How many there are is kept for
//! blocks of it, one row a block: a page costs a look at these rows and at most one block, instead of all items
//! before it. A search goes through the whole list, unless it names an identifier or a reference.

use crate::error::Error;
use crate::page::Page;
use crate::rows::count;
use crate::statements::Statements;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

/// How many places of `seq` one block has.
pub(crate) const BLOCK: i64 = 1000;

/// A list that every zone has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum List {
    Filters,
    Rules,
}

impl List {
    pub(crate) const ALL: [List; 2] = [List::Filters, List::Rules];

    /// As the database names it, and the table of its items.
    pub(crate) fn name(self) -> &'static str {
        match self {
            List::Filters => "filters",
            List::Rules => "firewall_rules",
        }
    }
}

/// Counts `number` new items at the end of a list, of which the first has this `seq` and the others follow it.
pub(crate) fn extend(statements: &mut Statements, list: List, zone: &str, first: i64, number: usize) {
    let end = first + i64::try_from(number).unwrap_or_default();
    let mut start = first;
    while start < end {
        let next = end.min((start / BLOCK + 1) * BLOCK);
        statements
            .add(
                "insert into list_counts (zone_id, list, block, items) values ($1, $2, $3, $4)
                 on conflict (zone_id, list, block) do update set items = list_counts.items + excluded.items",
            )
            .bind(zone.to_owned())
            .bind(list.name())
            .bind(start / BLOCK)
            .bind(next - start);
        start = next;
    }
}

/// Counts an item no longer; to be called before it is deleted.
pub(crate) async fn shrink(connection: &mut AnyConnection, list: List, zone: &str, seq: i64) -> Result<(), Error> {
    for statement in [
        "update list_counts set items = items - 1 where zone_id = $1 and list = $2 and block = $3",
        "delete from list_counts where zone_id = $1 and list = $2 and block = $3 and items = 0",
    ] {
        let query = sqlx::query(statement).bind(zone.to_owned()).bind(list.name()).bind(seq / BLOCK);
        query.execute(&mut *connection).await?;
    }
    Ok(())
}

/// How many items the list of a zone has. Sums are no bigint on PostgreSQL.
pub(crate) const TOTAL: &str =
    "select cast(coalesce(sum(items), 0) as bigint) from list_counts where zone_id = $1 and list = $2";

/// How many items a list has.
pub(crate) async fn total(connection: &mut AnyConnection, list: List, zone: &str) -> Result<u64, Error> {
    let row = sqlx::query(TOTAL).bind(zone.to_owned()).bind(list.name()).fetch_one(connection).await?;
    Ok(count(row.try_get(0)?))
}

/// A page of a whole list, and how many items the list has. The statement takes the zone, the smallest `seq`, how
/// many items at most, and how many not before.
pub(crate) async fn page(
    connection: &mut AnyConnection,
    list: List,
    statement: &'static str,
    zone: &str,
    page: Page,
) -> Result<(Vec<AnyRow>, u64), Error> {
    let blocks = sqlx::query("select block, items from list_counts where zone_id = $1 and list = $2 order by block")
        .bind(zone.to_owned())
        .bind(list.name())
        .fetch_all(&mut *connection)
        .await?;
    let (mut total, mut from, mut skipped) = (0, None, page.offset());
    for row in &blocks {
        let (block, items): (i64, i64) = (row.try_get(0)?, row.try_get(1)?);
        total += count(items);
        if from.is_some() {
            continue;
        }
        if skipped < items {
            from = Some(block * BLOCK);
        } else {
            skipped -= items;
        }
    }
    let Some(from) = from else {
        return Ok((Vec::new(), total));
    };
    let query = sqlx::query(statement).bind(zone.to_owned()).bind(from).bind(page.limit()).bind(skipped);
    Ok((query.fetch_all(connection).await?, total))
}
