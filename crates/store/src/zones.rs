//! Zones: lists and finds them.

use crate::error::Error;
use crate::grants::Grants;
use crate::page::Page;
use crate::principal::Caller;
use crate::rows::{self, FoundZone, columns_of_found, count, zone_columns};
use crate::store::Store;
use sqlx::Row;
use zonewright_api::zone::Zone;

/// Selects the zones of the account `$1` with the name `$2` that the token `$3` has grants for; empty texts match
/// everything.
macro_rules! found {
    () => {
        "from zones z join accounts a on a.id = z.account_id
         where z.account_id = $1 and ($2 = '' or z.name = $2) and ($3 = '' or exists
             (select 1 from token_grants g where g.token_id = $3 and (g.zone_id = '' or g.zone_id = z.id)))"
    };
}

impl Store {
    /// Returns a page of the principal's zones in the order of creation, and their total number. `name` is the exact
    /// name, or empty.
    pub async fn zones(&self, caller: &Caller, name: &str, page: Page) -> Result<(Vec<Zone>, u64), Error> {
        // A token with full access has no grants to check.
        let token = match &caller.token {
            Some(token) if matches!(token.grants, Grants::Only(_)) => token.id.clone(),
            _ => String::new(),
        };
        let searching = |statement| {
            sqlx::query(statement).bind(caller.account_id.clone()).bind(name.to_owned()).bind(token.clone())
        };
        let total = searching(concat!("select count(*) ", found!())).fetch_one(&self.pool).await?;
        let statement = concat!("select ", zone_columns!(), " ", found!(), " order by z.seq limit $4 offset $5");
        let found = searching(statement).bind(page.limit()).bind(page.offset()).fetch_all(&self.pool).await?;
        let zones = found.iter().map(|row| rows::zone(row).map(|(zone, _)| zone)).collect::<Result<_, _>>()?;
        Ok((zones, count(total.try_get(0)?)))
    }

    /// Returns a zone of the account.
    pub async fn zone_from_row(&self, account: &str, id: &str) -> Result<Option<FoundZone>, Error> {
        let row = sqlx::query(concat!(
            "select ",
            columns_of_found!(),
            " from zones z join accounts a on a.id = z.account_id where z.account_id = $1 and z.id = $2",
        ))
        .bind(account.to_owned())
        .bind(id.to_owned())
        .fetch_optional(&self.pool)
        .await?;
        Ok(row.as_ref().map(rows::found).transpose()?)
    }
}
