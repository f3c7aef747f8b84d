//! Tokens: what they may do and until when. Of the token itself only the digest is kept.

use super::{Scope, Store};
use crate::access::{Grant, Grants, Permission};
use crate::actor::Actor;
use crate::error::Error;
use crate::secret::digest;
use sqlx::{AnyConnection, Row};

/// A token that is good.
#[derive(Clone)]
pub(crate) struct Token {
    pub(crate) id: String,
    pub(crate) account_id: String,
    pub(crate) expires_on: Option<String>,
    pub(crate) grants: Grants,
}

/// A token to keep, or one that is kept.
#[derive(Clone, Debug, serde::Serialize)]
pub struct TokenRecord {
    /// Identifier, which is not secret.
    pub id: String,
    /// For people.
    pub name: String,
    /// Whose it is.
    pub account_id: String,
    /// Names of permission groups; empty when it may do everything in the account.
    pub permissions: Vec<String>,
    /// For these zones only; empty for the account and all of its zones.
    pub zones: Vec<String>,
    /// RFC 3339 time of creation; empty when it is not known.
    pub created_on: String,
    /// RFC 3339 time when it ends.
    pub expires_on: Option<String>,
}

impl Store {
    /// Keeps a new token by its digest.
    pub(crate) async fn create_token(&self, actor: &Actor, new: &TokenRecord, secret: &str) -> Result<(), Error> {
        let mut writing = self.write(Scope::Account(new.account_id.clone()), actor).await?;
        insert(&mut writing, new, secret).await?;
        writing.record("token.create", &new.id, None, Some(new));
        Ok(writing.commit().await?)
    }

    /// Removes a token, which is good for nothing from then on. False when there is none.
    pub(crate) async fn revoke_token(&self, actor: &Actor, id: &str) -> Result<bool, Error> {
        let Some(token) = self.tokens().await?.into_iter().find(|token| token.id == id) else {
            return Ok(false);
        };
        let mut writing = self.write(Scope::Account(token.account_id.clone()), actor).await?;
        for statement in ["delete from token_grants where token_id = $1", "delete from tokens where id = $1"] {
            sqlx::query(statement).bind(id.to_owned()).execute(&mut *writing).await?;
        }
        writing.record("token.revoke", id, Some(&token), None);
        writing.commit().await?;
        Ok(true)
    }

    /// All tokens, those that have ended too.
    pub(crate) async fn tokens(&self) -> Result<Vec<TokenRecord>, Error> {
        let mut reading = self.read().await?;
        let rows =
            sqlx::query("select id, name, account_id, created_on, expires_on from tokens order by created_on, id")
                .fetch_all(&mut *reading)
                .await?;
        let mut tokens = Vec::new();
        for row in rows {
            let id: String = row.try_get(0)?;
            let (mut permissions, mut zones) = (Vec::new(), Vec::new());
            for grant in grants(&mut reading, &id).await? {
                permissions.push(grant.permission.name().to_owned());
                zones.extend(grant.zone);
            }
            permissions.dedup();
            zones.sort();
            zones.dedup();
            tokens.push(TokenRecord {
                id,
                name: row.try_get(1)?,
                account_id: row.try_get(2)?,
                permissions,
                zones,
                created_on: row.try_get(3)?,
                expires_on: row.try_get(4)?,
            });
        }
        Ok(tokens)
    }
}

/// What a token was granted. A permission that this version does not know grants nothing.
async fn grants(connection: &mut AnyConnection, id: &str) -> Result<Vec<Grant>, sqlx::Error> {
    let rows =
        sqlx::query("select permission, zone_id from token_grants where token_id = $1 order by permission, zone_id")
            .bind(id.to_owned())
            .fetch_all(connection)
            .await?;
    let mut grants = Vec::new();
    for row in rows {
        grants.extend(grant(&row.try_get::<String, _>(1)?, &row.try_get::<String, _>(0)?));
    }
    Ok(grants)
}

/// As [`grants`] of what the database has put together: zone, space and permission, with commas in between.
pub(super) fn read_grants(text: &str) -> Vec<Grant> {
    text.split(',').filter_map(|one| one.split_once(' ')).filter_map(|(zone, name)| grant(zone, name)).collect()
}

fn grant(zone: &str, permission: &str) -> Option<Grant> {
    let permission = Permission::from_name(permission)?;
    Some(Grant { permission, zone: (!zone.is_empty()).then(|| zone.to_owned()) })
}

pub(super) async fn insert(connection: &mut AnyConnection, new: &TokenRecord, secret: &str) -> Result<(), sqlx::Error> {
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
    .bind(i64::from(new.permissions.is_empty()))
    .execute(&mut *connection)
    .await?;
    let account = [String::new()];
    let zones = if new.zones.is_empty() { &account[..] } else { &new.zones[..] };
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
