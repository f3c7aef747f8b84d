//! Accounts.

use crate::clock::now;
use crate::dialect::Dialect;
use crate::error::Error;
use crate::principal::Actor;
use crate::removal::delete_with_dependents;
use crate::scope::Scope;
use crate::store::Store;
use crate::tokens::{self, TokenRecord};
use crate::users::{count_users, insert_user, user_exists};
use crate::zones::{NewZone, count_zones, insert_zone};
use sqlx::{AnyConnection, FromRow};
use zonewright_api::zone::Account;

/// An account with its initial contents.
pub struct NewAccount<'a> {
    /// The ID.
    pub id: &'a str,
    /// The display name.
    pub name: &'a str,
    /// The email address of its user.
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

/// A row of the table `accounts`.
#[derive(FromRow)]
struct AccountRow {
    id: String,
    name: String,
}

impl From<AccountRow> for Account {
    fn from(AccountRow { id, name }: AccountRow) -> Account {
        Account { id, name }
    }
}

impl Store {
    /// Returns whether the database has no account yet.
    pub async fn has_no_accounts(&self) -> Result<bool, Error> {
        Ok(count_accounts(&mut *self.pool.acquire().await?).await? == 0)
    }

    /// Returns whether any credentials are valid: a user's key, or a token that has not expired.
    pub async fn has_credentials(&self) -> Result<bool, Error> {
        let mut connection = self.pool.acquire().await?;
        Ok(count_users(&mut connection).await? > 0 || tokens::count_valid(&mut connection).await? > 0)
    }

    /// Returns whether demo credentials exist: the user with this email address, or the token of the demo account.
    pub async fn has_demo(&self, email: &str) -> Result<bool, Error> {
        let mut connection = self.pool.acquire().await?;
        Ok(user_exists(&mut connection, email).await? || tokens::count_demo(&mut connection).await? > 0)
    }

    /// Creates the first account, with digests instead of its secrets. Returns false if an account already exists.
    pub async fn create_demo_account(&self, account: &NewAccount<'_>) -> Result<bool, Error> {
        let mut unit = self.write(Scope::Service, &Actor::service()).await?;
        if count_accounts(unit.connection()).await? > 0 {
            return Ok(false);
        }
        insert_account(unit.connection(), account.id, account.name).await?;
        insert_user(unit.connection(), account.id, account.email, account.key).await?;
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
        tokens::insert(unit.connection(), &token, account.token).await?;
        for (seq, zone) in (1_i64..).zip(&account.zones) {
            insert_zone(unit.connection(), account.id, seq, (zone.id, zone.name, zone.tier)).await?;
            zone.seed.insert(&mut unit, zone.id).await?;
        }
        unit.commit_unlogged().await?;
        Ok(true)
    }

    /// Creates an empty account.
    pub async fn create_account(&self, actor: &Actor, account: &Account) -> Result<(), Error> {
        let mut unit = self.write(Scope::Service, actor).await?;
        insert_account(unit.connection(), &account.id, &account.name).await?;
        unit.record("account.create", &account.id, None, Some(account));
        unit.commit().await
    }

    /// Returns all accounts.
    pub async fn accounts(&self) -> Result<Vec<Account>, Error> {
        let query = sqlx::query_as::<_, AccountRow>("select id, name from accounts order by name, id");
        Ok(query.fetch_all(&self.pool).await?.into_iter().map(Account::from).collect())
    }

    /// Returns the account with this ID.
    pub async fn account(&self, id: &str) -> Result<Option<Account>, Error> {
        let query = sqlx::query_as::<_, AccountRow>("select id, name from accounts where id = $1");
        Ok(query.bind(id.to_owned()).fetch_optional(&self.pool).await?.map(Account::from))
    }

    /// Deletes an account without zones, with its users, tokens and other contents. Returns false if it has zones or
    /// does not exist any more.
    pub async fn delete_account(&self, actor: &Actor, account: &Account) -> Result<bool, Error> {
        let mut unit = self.write(Scope::Service, actor).await?;
        // Waits for transactions that create a zone in the account.
        if self.dialect == Dialect::Postgres {
            let lock = sqlx::query("select id from accounts where id = $1 for update").bind(account.id.clone());
            lock.fetch_optional(unit.connection()).await?;
        }
        let zones = count_zones(unit.connection(), &account.id).await?;
        if zones > 0 || !delete_with_dependents(&mut unit, "accounts", &account.id).await? {
            return Ok(false);
        }
        unit.record("account.delete", &account.id, Some(account), None);
        unit.commit().await?;
        Ok(true)
    }
}

async fn count_accounts(connection: &mut AnyConnection) -> Result<i64, Error> {
    Ok(sqlx::query_scalar("select count(*) from accounts").fetch_one(connection).await?)
}

async fn insert_account(connection: &mut AnyConnection, id: &str, name: &str) -> Result<(), Error> {
    let insert = sqlx::query("insert into accounts (id, name) values ($1, $2)");
    insert.bind(id.to_owned()).bind(name.to_owned()).execute(connection).await?;
    Ok(())
}
