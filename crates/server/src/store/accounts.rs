//! Accounts, their credentials, and the first start.

use super::{Scope, Start, Store};
use crate::actor::Actor;
use crate::error::Error;
use crate::secret::{digest, same};
use sqlx::Row;

/// An account with all that belongs to it from the start.
pub(crate) struct NewAccount<'a> {
    pub(crate) id: &'a str,
    pub(crate) name: &'a str,
    pub(crate) email: &'a str,
    pub(crate) key: &'a str,
    pub(crate) token_id: &'a str,
    pub(crate) token: &'a str,
    pub(crate) zones: Vec<NewZone<'a>>,
}

/// A zone with all that is in it from the start.
pub(crate) struct NewZone<'a> {
    pub(crate) id: &'a str,
    pub(crate) name: &'a str,
    /// Name of its tier.
    pub(crate) tier: &'a str,
    pub(crate) start: Start,
}

impl Store {
    /// Whether nobody has an account yet.
    pub(crate) async fn is_new(&self) -> Result<bool, sqlx::Error> {
        let row = sqlx::query("select count(*) from accounts").fetch_one(&self.pool).await?;
        Ok(row.try_get::<i64, _>(0)? == 0)
    }

    /// Whether somebody could come with credentials: a user with a key, or a token.
    pub(crate) async fn has_credentials(&self) -> Result<bool, sqlx::Error> {
        let select = "select (select count(*) from users) + (select count(*) from tokens)";
        let row = sqlx::query(select).fetch_one(&self.pool).await?;
        Ok(row.try_get::<i64, _>(0)? > 0)
    }

    /// Whether there is a user of this e-mail address.
    pub(crate) async fn has_user(&self, email: &str) -> Result<bool, sqlx::Error> {
        let select = "select count(*) from users where email = $1";
        let row = sqlx::query(select).bind(email.to_owned()).fetch_one(&self.pool).await?;
        Ok(row.try_get::<i64, _>(0)? > 0)
    }

    /// Keeps an account; of its secrets only digests.
    pub(crate) async fn create_account(&self, account: &NewAccount<'_>) -> Result<(), Error> {
        let mut writing = self.write(Scope::Service, &Actor::service()).await?;
        let connection = &mut *writing;
        sqlx::query("insert into accounts (id, name) values ($1, $2)")
            .bind(account.id.to_owned())
            .bind(account.name.to_owned())
            .execute(&mut *connection)
            .await?;
        sqlx::query("insert into users (email, account_id, key_digest) values ($1, $2, $3)")
            .bind(account.email.to_owned())
            .bind(account.id.to_owned())
            .bind(digest(account.key))
            .execute(&mut *connection)
            .await?;
        sqlx::query("insert into tokens (id, account_id, token_digest) values ($1, $2, $3)")
            .bind(account.token_id.to_owned())
            .bind(account.id.to_owned())
            .bind(digest(account.token))
            .execute(&mut *connection)
            .await?;
        for (seq, zone) in (1_i64..).zip(&account.zones) {
            sqlx::query("insert into zones (id, account_id, seq, name, tier) values ($1, $2, $3, $4, $5)")
                .bind(zone.id.to_owned())
                .bind(account.id.to_owned())
                .bind(seq)
                .bind(zone.name.to_owned())
                .bind(zone.tier.to_owned())
                .execute(&mut *connection)
                .await?;
            zone.start.keep(connection, zone.id).await?;
        }
        Ok(writing.commit().await?)
    }

    /// Identifier and account of a token. It is looked up by its digest: how long that takes tells
    /// nothing about the token.
    pub(crate) async fn token(&self, token: &str) -> Result<Option<(String, String)>, sqlx::Error> {
        let token_digest = digest(token);
        let row = sqlx::query("select id, account_id, token_digest from tokens where token_digest = $1")
            .bind(token_digest.clone())
            .fetch_optional(&self.pool)
            .await?;
        match row {
            Some(row) if same(&row.try_get::<String, _>(2)?, &token_digest) => {
                Ok(Some((row.try_get(0)?, row.try_get(1)?)))
            }
            _ => Ok(None),
        }
    }

    /// Account of an e-mail address and its key.
    pub(crate) async fn account_of_key(&self, email: &str, key: &str) -> Result<Option<String>, sqlx::Error> {
        let row = sqlx::query("select account_id, key_digest from users where email = $1")
            .bind(email.to_owned())
            .fetch_optional(&self.pool)
            .await?;
        match row {
            Some(row) if same(&row.try_get::<String, _>(1)?, &digest(key)) => row.try_get(0).map(Some),
            _ => Ok(None),
        }
    }
}
