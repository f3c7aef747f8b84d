//! API tokens with their grants. Only the digest of a token is stored.

use crate::auth_lookup::{Authentication, Lookup};
use crate::clock::now;
use crate::error::Error;
use crate::grants::parse_grants;
use crate::principal::{Actor, Token};
use crate::rows::account_has_zone;
use crate::scope::Scope;
use crate::secret::digest;
use crate::store::Store;
use sqlx::{AnyConnection, FromRow};
use std::sync::Arc;

/// The stored properties of a token.
#[derive(Clone, Debug, serde::Serialize)]
pub struct TokenRecord {
    /// The ID, which is not secret.
    pub id: String,
    /// The display name.
    pub name: String,
    /// The ID of its account.
    pub account_id: String,
    /// Whether it has full access to the account.
    pub everything: bool,
    /// The names of its permission groups, unless it has full access.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub permissions: Vec<String>,
    /// The IDs of the zones that it is limited to; empty for the account and all of its zones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub zones: Vec<String>,
    /// The time of creation (RFC 3339); empty if unknown.
    pub created_on: String,
    /// The time when it expires (RFC 3339).
    pub expires_on: Option<String>,
}

/// A row of the table `tokens` with its grants.
#[derive(FromRow)]
struct TokenRow {
    id: String,
    name: String,
    account_id: String,
    created_on: String,
    expires_on: Option<String>,
    everything: i64,
    grants: Option<String>,
}

impl From<TokenRow> for TokenRecord {
    fn from(row: TokenRow) -> TokenRecord {
        let grants = parse_grants(&row.grants.unwrap_or_default());
        let mut permissions: Vec<String> = grants.iter().map(|grant| grant.permission.name().to_owned()).collect();
        let mut zones: Vec<String> = grants.into_iter().filter_map(|grant| grant.zone).collect();
        for list in [&mut permissions, &mut zones] {
            list.sort();
            list.dedup();
        }
        TokenRecord {
            id: row.id,
            name: row.name,
            account_id: row.account_id,
            everything: row.everything != 0,
            permissions,
            zones,
            created_on: row.created_on,
            expires_on: row.expires_on,
        }
    }
}

/// Selects rows as [`TokenRow`].
macro_rules! select_tokens {
    () => {
        "select t.id as id, t.name as name, t.account_id as account_id, t.created_on as created_on,
         t.expires_on as expires_on, t.everything as everything,
         (select string_agg(g.zone_id || ' ' || g.permission, ',') from token_grants g where g.token_id = t.id) as grants
         from tokens t"
    };
}

impl Store {
    /// Returns a token that has not expired. It is found by its digest, so the time of the lookup reveals nothing about
    /// it.
    pub async fn token(&self, token: &str) -> Result<Option<Arc<Token>>, Error> {
        Ok(self.token_and_zone(token, "").await?.map(|found| found.token))
    }

    /// Does the same as [`Store::token`], and finds the zone with this ID.
    pub async fn token_and_zone(&self, token: &str, zone: &str) -> Result<Option<Authentication>, Error> {
        self.auth_lookup.find(Lookup { digest: digest(token), zone: zone.to_owned() }).await
    }

    /// Creates a token. Returns the first of its zones that the account does not have; then nothing is stored.
    pub async fn create_token(&self, actor: &Actor, new: &TokenRecord, secret: &str) -> Result<Option<String>, Error> {
        let mut unit = self.write(Scope::Account(new.account_id.clone()), actor).await?;
        for zone in &new.zones {
            if !account_has_zone(unit.connection(), &new.account_id, zone).await? {
                return Ok(Some(zone.clone()));
            }
        }
        insert(unit.connection(), new, secret).await?;
        unit.record("token.create", &new.id, None, Some(new));
        unit.commit().await?;
        Ok(None)
    }

    /// Deletes a token, which is invalid from then on. Returns false if it does not exist.
    pub async fn revoke_token(&self, actor: &Actor, id: &str) -> Result<bool, Error> {
        let Some(found) = find(&mut *self.pool.acquire().await?, id).await? else { return Ok(false) };
        let mut unit = self.write(Scope::Account(found.account_id), actor).await?;
        // Another process may have deleted the token since.
        let Some(token) = find(unit.connection(), id).await? else {
            unit.rollback().await?;
            return Ok(false);
        };
        delete(unit.connection(), id).await?;
        unit.record("token.revoke", id, Some(&token), None);
        unit.commit().await?;
        Ok(true)
    }

    /// Returns all tokens, including expired ones.
    pub async fn tokens(&self) -> Result<Vec<TokenRecord>, Error> {
        all(&mut *self.pool.acquire().await?).await
    }
}

/// Returns all tokens.
pub(crate) async fn all(connection: &mut AnyConnection) -> Result<Vec<TokenRecord>, Error> {
    let query = sqlx::query_as::<_, TokenRow>(concat!(select_tokens!(), " order by t.created_on, t.id"));
    Ok(query.fetch_all(connection).await?.into_iter().map(TokenRecord::from).collect())
}

async fn find(connection: &mut AnyConnection, id: &str) -> Result<Option<TokenRecord>, Error> {
    let query = sqlx::query_as::<_, TokenRow>(concat!(select_tokens!(), " where t.id = $1")).bind(id.to_owned());
    Ok(query.fetch_optional(connection).await?.map(TokenRecord::from))
}

/// Deletes a token with its grants.
async fn delete(connection: &mut AnyConnection, id: &str) -> Result<(), Error> {
    for statement in ["delete from token_grants where token_id = $1", "delete from tokens where id = $1"] {
        sqlx::query(statement).bind(id.to_owned()).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Deletes all grants for a zone, and the tokens that were limited to it alone. Returns these tokens as they were
/// before.
pub(crate) async fn delete_grants_for_zone(
    connection: &mut AnyConnection,
    zone: &str,
) -> Result<Vec<TokenRecord>, Error> {
    let tokens = all(&mut *connection).await?;
    let limited: Vec<TokenRecord> = tokens.into_iter().filter(|token| token.zones == [zone]).collect();
    for token in &limited {
        delete(&mut *connection, &token.id).await?;
    }
    sqlx::query("delete from token_grants where zone_id = $1").bind(zone.to_owned()).execute(connection).await?;
    Ok(limited)
}

/// Returns the number of tokens that have not expired.
pub(crate) async fn count_valid(connection: &mut AnyConnection) -> Result<i64, Error> {
    let query = sqlx::query_scalar("select count(*) from tokens where expires_on is null or expires_on > $1");
    Ok(query.bind(now()).fetch_one(connection).await?)
}

/// Returns the number of tokens that were created with a demo account, recognized by the names of both.
pub(crate) async fn count_demo(connection: &mut AnyConnection) -> Result<i64, Error> {
    let query = sqlx::query_scalar(
        "select count(*) from tokens join accounts on accounts.id = tokens.account_id
         where accounts.name = 'Demo' and tokens.name in ('', 'Demo') and tokens.everything = 1",
    );
    Ok(query.fetch_one(connection).await?)
}

pub(crate) async fn insert(connection: &mut AnyConnection, new: &TokenRecord, secret: &str) -> Result<(), Error> {
    sqlx::query(
        "insert into tokens (id, account_id, token_digest, name, created_on, expires_on, everything)
         values ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(new.id.clone())
    .bind(new.account_id.clone())
    .bind(digest(secret))
    .bind(new.name.clone())
    .bind(new.created_on.clone())
    .bind(new.expires_on.clone())
    .bind(i64::from(new.everything))
    .execute(&mut *connection)
    .await?;
    let whole_account = [String::new()];
    let zones = if new.zones.is_empty() { &whole_account[..] } else { &new.zones[..] };
    for permission in &new.permissions {
        for zone in zones {
            sqlx::query("insert into token_grants (token_id, permission, zone_id) values ($1, $2, $3)")
                .bind(new.id.clone())
                .bind(permission.clone())
                .bind(zone.clone())
                .execute(&mut *connection)
                .await?;
        }
    }
    Ok(())
}
