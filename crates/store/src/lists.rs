//! Long lists of a zone with an item count for each block, so that counting a list or finding a page does not read all
//! items.
//!
//! Items have a `seq` in the order of creation, with gaps after deletions. A row for each block of 1,000 positions has
//! the number of its items. A page therefore reads these rows and skips at most one block of items. A search reads the
//! whole list, unless it has an ID or a reference.
//!
//! Invariant: the counts change in the transaction that changes the items.

use crate::error::Error;
use crate::page::Page;
use crate::rows::to_u64;
use crate::statements::StatementBatch;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, FromRow};

/// The number of `seq` positions in a block.
pub(crate) const BLOCK_SIZE: i64 = 1000;

/// A list that every zone has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CountedList {
    Filters,
    Rules,
}

impl CountedList {
    pub(crate) const ALL: [CountedList; 2] = [CountedList::Filters, CountedList::Rules];

    /// Returns the name of the list in the database, which is also the table of its items.
    pub(crate) fn name(self) -> &'static str {
        match self {
            CountedList::Filters => "filters",
            CountedList::Rules => "firewall_rules",
        }
    }
}

/// Counts `number` new items at the end of a list. `first` is the `seq` of the first, and the others follow it.
pub(crate) fn count_inserted(
    statements: &mut StatementBatch,
    list: CountedList,
    zone: &str,
    first: i64,
    number: usize,
) {
    let end = first + i64::try_from(number).unwrap_or_default();
    let mut start = first;
    while start < end {
        let next = end.min((start / BLOCK_SIZE + 1) * BLOCK_SIZE);
        statements
            .add(
                "insert into list_counts (zone_id, list, block, items) values ($1, $2, $3, $4)
                 on conflict (zone_id, list, block) do update set items = list_counts.items + excluded.items",
            )
            .bind(zone.to_owned())
            .bind(list.name())
            .bind(start / BLOCK_SIZE)
            .bind(next - start);
        start = next;
    }
}

/// Removes the item at `seq` from the counts of its list.
pub(crate) async fn count_deleted(
    connection: &mut AnyConnection,
    list: CountedList,
    zone: &str,
    seq: i64,
) -> Result<(), Error> {
    for statement in [
        "update list_counts set items = items - 1 where zone_id = $1 and list = $2 and block = $3",
        "delete from list_counts where zone_id = $1 and list = $2 and block = $3 and items = 0",
    ] {
        let query = sqlx::query(statement).bind(zone.to_owned()).bind(list.name()).bind(seq / BLOCK_SIZE);
        query.execute(&mut *connection).await?;
    }
    Ok(())
}

/// The number of items in a list of a zone. The cast is needed because a sum is not a bigint on PostgreSQL.
pub(crate) const TOTAL_SQL: &str =
    "select cast(coalesce(sum(items), 0) as bigint) from list_counts where zone_id = $1 and list = $2";

/// Returns the number of items in a list.
pub(crate) async fn total(connection: &mut AnyConnection, list: CountedList, zone: &str) -> Result<u64, Error> {
    let query = sqlx::query_scalar(TOTAL_SQL).bind(zone.to_owned()).bind(list.name());
    Ok(to_u64(query.fetch_one(connection).await?))
}

/// The number of items in a block.
#[derive(FromRow)]
struct BlockCount {
    block: i64,
    items: i64,
}

/// Returns a page of an unfiltered list, and the number of items in the list. The parameters of the statement are the
/// zone, the first `seq`, the limit and the offset.
pub(crate) async fn page<T: for<'r> FromRow<'r, AnyRow> + Send + Unpin>(
    connection: &mut AnyConnection,
    list: CountedList,
    statement: &'static str,
    zone: &str,
    page: Page,
) -> Result<(Vec<T>, u64), Error> {
    let blocks: Vec<BlockCount> =
        sqlx::query_as("select block, items from list_counts where zone_id = $1 and list = $2 order by block")
            .bind(zone.to_owned())
            .bind(list.name())
            .fetch_all(&mut *connection)
            .await?;
    let (mut total, mut from, mut skipped) = (0, None, page.offset());
    for BlockCount { block, items } in blocks {
        total += to_u64(items);
        if from.is_some() {
            continue;
        }
        if skipped < items {
            from = Some(block * BLOCK_SIZE);
        } else {
            skipped -= items;
        }
    }
    let Some(from) = from else {
        return Ok((Vec::new(), total));
    };
    let query = sqlx::query_as(statement).bind(zone.to_owned()).bind(from).bind(page.limit()).bind(skipped);
    Ok((query.fetch_all(connection).await?, total))
}
