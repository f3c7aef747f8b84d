//! Users with their API keys. Only the digest of a key is stored.

use crate::error::Error;
use crate::principal::Actor;
use crate::scope::Scope;
use crate::secret::{constant_time_eq, digest};
use crate::store::Store;
use serde_json::json;
use sqlx::{AnyConnection, FromRow};

/// A user.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct User {
    /// The email address.
    pub email: String,
    /// The ID of the account.
    pub account_id: String,
}

/// The digest of a user's key.
#[derive(FromRow)]
struct UserKey {
    account_id: String,
    key_digest: String,
}

impl Store {
    /// Returns the account ID of the user with this email address and key.
    pub async fn authenticate_key(&self, email: &str, key: &str) -> Result<Option<String>, Error> {
        let user = sqlx::query_as::<_, UserKey>("select account_id, key_digest from users where email = $1")
            .bind(email.to_owned())
            .fetch_optional(&self.pool)
            .await?;
        Ok(user.filter(|user| constant_time_eq(&user.key_digest, &digest(key))).map(|user| user.account_id))
    }

    /// Returns all users.
    pub async fn users(&self) -> Result<Vec<User>, Error> {
        Ok(sqlx::query_as("select email, account_id from users order by email").fetch_all(&self.pool).await?)
    }

    /// Creates a user with a key, or replaces the key of a user of this account. Returns false if the email address
    /// belongs to another account.
    pub async fn set_user(&self, actor: &Actor, account: &str, email: &str, key: &str) -> Result<bool, Error> {
        let mut unit = self.write(Scope::Account(account.to_owned()), actor).await?;
        let owner: Option<String> = sqlx::query_scalar("select account_id from users where email = $1")
            .bind(email.to_owned())
            .fetch_optional(unit.connection())
            .await?;
        match owner {
            None => insert_user(unit.connection(), account, email, key).await?,
            Some(owner) if owner == account => {
                sqlx::query("update users set key_digest = $1 where email = $2")
                    .bind(digest(key))
                    .bind(email.to_owned())
                    .execute(unit.connection())
                    .await?;
            }
            Some(_) => return Ok(false),
        }
        unit.record("user.set_key", email, None, Some(&json!({ "email": email })));
        unit.commit().await?;
        Ok(true)
    }

    /// Deletes a user, whose key is invalid from then on. Returns false if the user does not exist.
    pub async fn revoke_user(&self, actor: &Actor, email: &str) -> Result<bool, Error> {
        let account: Option<String> = sqlx::query_scalar("select account_id from users where email = $1")
            .bind(email.to_owned())
            .fetch_optional(&self.pool)
            .await?;
        let Some(account) = account else { return Ok(false) };
        let mut unit = self.write(Scope::Account(account.clone()), actor).await?;
        // Another process may have deleted the user since.
        let deleted = sqlx::query("delete from users where email = $1 and account_id = $2")
            .bind(email.to_owned())
            .bind(account)
            .execute(unit.connection())
            .await?;
        if deleted.rows_affected() == 0 {
            unit.rollback().await?;
            return Ok(false);
        }
        unit.record("user.revoke", email, Some(&json!({ "email": email })), None);
        unit.commit().await?;
        Ok(true)
    }
}

/// Returns the number of users.
pub(crate) async fn count_users(connection: &mut AnyConnection) -> Result<i64, Error> {
    Ok(sqlx::query_scalar("select count(*) from users").fetch_one(connection).await?)
}

/// Returns whether a user has this email address.
pub(crate) async fn user_exists(connection: &mut AnyConnection, email: &str) -> Result<bool, Error> {
    let query = sqlx::query("select email from users where email = $1").bind(email.to_owned());
    Ok(query.fetch_optional(connection).await?.is_some())
}

pub(crate) async fn insert_user(
    connection: &mut AnyConnection,
    account: &str,
    email: &str,
    key: &str,
) -> Result<(), Error> {
    sqlx::query("insert into users (email, account_id, key_digest) values ($1, $2, $3)")
        .bind(email.to_owned())
        .bind(account.to_owned())
        .bind(digest(key))
        .execute(connection)
        .await?;
    Ok(())
}
