//! Checks the counts of lists, and corrects them.

use crate::error::Error;
use crate::lists::{BLOCK_SIZE, CountedList};
use crate::principal::Actor;
use crate::scope::Scope;
use crate::store::Store;
use serde_json::{Value, json};
use sqlx::{AnyConnection, AssertSqlSafe, FromRow};

/// A list of a zone whose count is wrong.
#[derive(FromRow)]
struct WrongCount {
    zone_id: String,
    list: String,
}

/// Returns the lists with wrong counts.
async fn wrong_counts(connection: &mut AnyConnection) -> Result<Vec<WrongCount>, Error> {
    let items = CountedList::ALL.map(|list| {
        let name = list.name();
        format!(
            " union all select zone_id, '{name}', seq / {BLOCK_SIZE}, cast(0 as bigint), count(*) from {name}
              group by zone_id, seq / {BLOCK_SIZE}"
        )
    });
    let statement = format!(
        "with counts(zone_id, list, block, stored, actual) as (
             select zone_id, list, block, items, cast(0 as bigint) from list_counts{}),
         wrong(zone_id, list) as (
             select zone_id, list from counts group by zone_id, list, block having sum(stored) <> sum(actual))
         select distinct zone_id, list from wrong order by 1, 2",
        items.concat()
    );
    Ok(sqlx::query_as(AssertSqlSafe(statement)).fetch_all(connection).await?)
}

pub(super) async fn problems(connection: &mut AnyConnection) -> Result<Vec<String>, Error> {
    let wrong = wrong_counts(connection).await?;
    let problem = |wrong: WrongCount| format!("the count of `{}` in the zone `{}` is wrong", wrong.list, wrong.zone_id);
    Ok(wrong.into_iter().map(problem).collect())
}

impl Store {
    /// Recounts all lists with wrong counts, and returns their number. The audit log gets an entry for each. Each list
    /// is recounted under the lock of its zone, so lists may change concurrently.
    pub async fn repair_counts(&self, actor: &Actor) -> Result<usize, Error> {
        let wrong = wrong_counts(&mut *self.read().await?).await?;
        for WrongCount { zone_id: zone, list: name } in &wrong {
            let Some(list) = CountedList::ALL.into_iter().find(|list| list.name() == name) else { continue };
            let mut unit = match self.write(Scope::Zone(zone.clone()), actor).await {
                Err(Error::ScopeGone) => continue,
                begun => begun?,
            };
            let before = stored_count(unit.connection(), list, zone).await?;
            sqlx::query("delete from list_counts where zone_id = $1 and list = $2")
                .bind(zone.clone())
                .bind(name.clone())
                .execute(unit.connection())
                .await?;
            let count = format!(
                "insert into list_counts (zone_id, list, block, items)
                 select zone_id, '{name}', seq / {BLOCK_SIZE}, count(*) from {name} where zone_id = $1
                 group by zone_id, seq / {BLOCK_SIZE}",
                name = list.name()
            );
            sqlx::query(AssertSqlSafe(count)).bind(zone.clone()).execute(unit.connection()).await?;
            let after = stored_count(unit.connection(), list, zone).await?;
            unit.record("zone.recount", zone, Some(&before), Some(&after));
            unit.commit().await?;
        }
        Ok(wrong.len())
    }
}

async fn stored_count(connection: &mut AnyConnection, list: CountedList, zone: &str) -> Result<Value, Error> {
    let items = crate::lists::total(connection, list, zone).await?;
    Ok(json!({ "list": list.name(), "items": items }))
}
