//! Accounts with their users, zones and credentials.

use crate::clock::now;
use crate::error::Error;
use crate::principal::Actor;
use crate::rows::{self, zone_columns};
use crate::scope::Scope;
use crate::secret::{constant_time_eq, digest};
use crate::start::ZoneSeed;
use crate::store::Store;
use crate::tokens::{self, TokenRecord};
use serde_json::json;
use sqlx::{AnyConnection, Row};
use zonewright_api::zone::{Account, Zone};
use zonewright_expression::schema::Tier;

/// An account with its initial contents.
pub struct NewAccount<'a> {
    /// The ID.
    pub id: &'a str,
    /// The display name.
    pub name: &'a str,
    /// The e-mail address of its user.
    pub email: &'a str,
    /// The API key of the user.
    pub key: &'a str,
    /// The ID of its token.
    pub token_id: &'a str,
    /// The secret of the token.
    pub token: &'a str,
    /// Its zones.
    pub zones: Vec<NewZone<'a>>,
}

/// A zone with its initial contents.
pub struct NewZone<'a> {
    /// The ID.
    pub id: &'a str,
    /// The domain name.
    pub name: &'a str,
    /// The name of its plan.
    pub tier: &'a str,
    /// Its contents.
    pub seed: ZoneSeed,
}

impl Store {
    /// Returns whether the database has no account yet.
    pub async fn has_no_accounts(&self) -> Result<bool, Error> {
        let row = sqlx::query("select count(*) from accounts").fetch_one(&self.pool).await?;
        Ok(row.try_get::<i64, _>(0)? == 0)
    }

    /// Returns whether any credentials are valid: a user's key, or a token that has not expired.
    pub async fn has_credentials(&self) -> Result<bool, Error> {
        let select = "select (select count(*) from users)
             + (select count(*) from tokens where expires_on is null or expires_on > $1)";
        let row = sqlx::query(select).bind(now()).fetch_one(&self.pool).await?;
        Ok(row.try_get::<i64, _>(0)? > 0)
    }

    /// Returns whether the demo credentials exist: the user of this e-mail address, or the token that was created with
    /// it.
    pub async fn has_demo(&self, email: &str) -> Result<bool, Error> {
        let select = "select (select count(*) from users where email = $1)
             + (select count(*) from tokens join accounts on accounts.id = tokens.account_id
                where accounts.name = 'Demo' and tokens.name in ('', 'Demo') and tokens.everything = 1)";
        let row = sqlx::query(select).bind(email.to_owned()).fetch_one(&self.pool).await?;
        Ok(row.try_get::<i64, _>(0)? > 0)
    }

    /// Creates the first account, with digests instead of its secrets. Returns false if an account exists by now.
    pub async fn create_demo_account(&self, account: &NewAccount<'_>) -> Result<bool, Error> {
        let mut unit = self.write(Scope::Service, &Actor::service()).await?;
        let present = sqlx::query("select count(*) from accounts").fetch_one(&mut *unit).await?;
        if present.try_get::<i64, _>(0)? > 0 {
            return Ok(false);
        }
        insert_account(&mut unit, account.id, account.name).await?;
        insert_user(&mut unit, account.id, account.email, account.key).await?;
        let token = TokenRecord {
            id: account.token_id.to_owned(),
            name: "Demo".to_owned(),
            account_id: account.id.to_owned(),
            everything: true,
            permissions: Vec::new(),
            zones: Vec::new(),
            created_on: now(),
            expires_on: None,
        };
        tokens::insert(&mut unit, &token, account.token).await?;
        for (seq, zone) in (1_i64..).zip(&account.zones) {
            insert_zone(&mut unit, account.id, seq, (zone.id, zone.name, zone.tier)).await?;
            zone.seed.insert(&mut unit, zone.id).await?;
        }
        unit.commit_unlogged().await?;
        Ok(true)
    }

    /// Creates an empty account.
    pub async fn create_account(&self, actor: &Actor, account: &Account) -> Result<(), Error> {
        let mut unit = self.write(Scope::Service, actor).await?;
        insert_account(&mut unit, &account.id, &account.name).await?;
        unit.record("account.create", &account.id, None, Some(account));
        unit.commit().await
    }

    /// Returns all accounts.
    pub async fn accounts(&self) -> Result<Vec<Account>, Error> {
        let rows = sqlx::query("select id, name from accounts order by name, id").fetch_all(&self.pool).await?;
        rows.iter().map(|row| Ok(Account { id: row.try_get(0)?, name: row.try_get(1)? })).collect()
    }

    /// Returns the account with this ID.
    pub async fn account(&self, id: &str) -> Result<Option<Account>, Error> {
        let found = sqlx::query("select id, name from accounts where id = $1").bind(id.to_owned());
        let row = found.fetch_optional(&self.pool).await?;
        row.map(|row| Ok(Account { id: row.try_get(0)?, name: row.try_get(1)? })).transpose()
    }

    /// Creates a user with a key, or replaces the key of a user of this account. Returns false if the e-mail address
    /// belongs to another account.
    pub async fn set_user(&self, actor: &Actor, account: &str, email: &str, key: &str) -> Result<bool, Error> {
        let mut unit = self.write(Scope::Account(account.to_owned()), actor).await?;
        let present = sqlx::query("select account_id from users where email = $1")
            .bind(email.to_owned())
            .fetch_optional(&mut *unit)
            .await?;
        match present {
            None => insert_user(&mut unit, account, email, key).await?,
            Some(row) if row.try_get::<String, _>(0)? == account => {
                sqlx::query("update users set key_digest = $1 where email = $2")
                    .bind(digest(key))
                    .bind(email.to_owned())
                    .execute(&mut *unit)
                    .await?;
            }
            Some(_) => return Ok(false),
        }
        unit.record("user.set_key", email, None, Some(&json!({ "email": email })));
        unit.commit().await?;
        Ok(true)
    }

    /// Deletes a user, whose key is invalid from then on. Returns false if there is none.
    pub async fn revoke_user(&self, actor: &Actor, email: &str) -> Result<bool, Error> {
        let found = sqlx::query("select account_id from users where email = $1")
            .bind(email.to_owned())
            .fetch_optional(&self.pool)
            .await?;
        let Some(row) = found else { return Ok(false) };
        let account: String = row.try_get(0)?;
        let mut unit = self.write(Scope::Account(account.clone()), actor).await?;
        // Another process may have deleted the user since.
        let deleted = sqlx::query("delete from users where email = $1 and account_id = $2")
            .bind(email.to_owned())
            .bind(account)
            .execute(&mut *unit)
            .await?;
        if deleted.rows_affected() == 0 {
            unit.rollback().await?;
            return Ok(false);
        }
        unit.record("user.revoke", email, Some(&json!({ "email": email })), None);
        unit.commit().await?;
        Ok(true)
    }

    /// Returns the e-mail addresses of all users with their account IDs.
    pub async fn users(&self) -> Result<Vec<(String, String)>, Error> {
        let rows = sqlx::query("select email, account_id from users order by email").fetch_all(&self.pool).await?;
        rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
    }

    /// Creates an empty zone. Returns false if the account has one of this name.
    pub async fn create_zone(&self, actor: &Actor, account: &str, zone: (&str, &str, Tier)) -> Result<bool, Error> {
        let mut unit = self.write(Scope::Account(account.to_owned()), actor).await?;
        let (id, name, tier) = zone;
        let row = sqlx::query(
            "select coalesce(max(seq), 0) + 1, sum(case when name = $2 then 1 else 0 end) from zones where account_id = $1",
        )
        .bind(account.to_owned())
        .bind(name.to_owned())
        .fetch_one(&mut *unit)
        .await?;
        if row.try_get::<Option<i64>, _>(1)?.unwrap_or_default() > 0 {
            return Ok(false);
        }
        insert_zone(&mut unit, account, row.try_get(0)?, (id, name, tier.name())).await?;
        unit.record("zone.create", id, None, Some(&json!({"id": id, "name": name, "plan": tier.name()})));
        unit.commit().await?;
        Ok(true)
    }

    /// Returns all zones.
    pub async fn all_zones(&self) -> Result<Vec<Zone>, Error> {
        let rows = sqlx::query(concat!(
            "select ",
            zone_columns!(),
            " from zones z join accounts a on a.id = z.account_id order by a.name, a.id, z.seq"
        ))
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(|row| Ok(rows::zone(row)?.0)).collect()
    }

    /// Returns the account ID of an e-mail address and its key.
    pub async fn authenticate_key(&self, email: &str, key: &str) -> Result<Option<String>, Error> {
        let row = sqlx::query("select account_id, key_digest from users where email = $1")
            .bind(email.to_owned())
            .fetch_optional(&self.pool)
            .await?;
        match row {
            Some(row) if constant_time_eq(&row.try_get::<String, _>(1)?, &digest(key)) => Ok(Some(row.try_get(0)?)),
            _ => Ok(None),
        }
    }
}

async fn insert_account(connection: &mut AnyConnection, id: &str, name: &str) -> Result<(), Error> {
    let insert = sqlx::query("insert into accounts (id, name) values ($1, $2)");
    insert.bind(id.to_owned()).bind(name.to_owned()).execute(connection).await?;
    Ok(())
}

async fn insert_user(connection: &mut AnyConnection, account: &str, email: &str, key: &str) -> Result<(), Error> {
    sqlx::query("insert into users (email, account_id, key_digest) values ($1, $2, $3)")
        .bind(email.to_owned())
        .bind(account.to_owned())
        .bind(digest(key))
        .execute(connection)
        .await?;
    Ok(())
}

/// Inserts a zone; the last argument has its ID, name and plan.
async fn insert_zone(
    connection: &mut AnyConnection,
    account: &str,
    seq: i64,
    (id, name, tier): (&str, &str, &str),
) -> Result<(), Error> {
    sqlx::query("insert into zones (id, account_id, seq, name, tier) values ($1, $2, $3, $4, $5)")
        .bind(id.to_owned())
        .bind(account.to_owned())
        .bind(seq)
        .bind(name.to_owned())
        .bind(tier.to_owned())
        .execute(connection)
        .await?;
    Ok(())
}
