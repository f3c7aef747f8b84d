//! Administration from the command line: accounts, users, zones and tokens.
//!
//! Start with [`Admin`]. It works on the database of a data directory whether or not a service uses it at the same
//! time. A revoked credential is rejected from the next request on.

use crate::clock::{format_seconds, now, parse};
use crate::config::{Database, StoreConfig};
use crate::data_directory::{DATABASE_FILE, create_private_directory, ensure_database_file};
use crate::error::{Error, OpenError};
use crate::grants::Permission;
use crate::principal::{Actor, is_email};
use crate::secret::{new_id, new_key, new_token};
use crate::store::Store;
use crate::tokens::TokenRecord;
use crate::users::User;
use std::fmt;
use std::path::Path;
use zonewright_api::zone::{Account, Zone};
use zonewright_expression::schema::Tier;

/// The administration of one database.
pub struct Admin {
    store: Store,
    actor: Actor,
}

/// An error of the administration.
#[derive(Debug)]
pub enum AdminError {
    /// The input is not allowed or has no effect; the text is for people.
    Rejected(String),
    /// The database, or the system's source of random numbers, failed; the text is for people. Nothing changed.
    Failed(String),
    /// It is unknown whether the change was persisted; the text is for people.
    OutcomeUnknown(String),
}

impl fmt::Display for AdminError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AdminError::Rejected(reason) | AdminError::Failed(reason) | AdminError::OutcomeUnknown(reason) => {
                f.write_str(reason)
            }
        }
    }
}

impl std::error::Error for AdminError {}

impl From<Error> for AdminError {
    fn from(error: Error) -> Self {
        match error {
            Error::ScopeGone => AdminError::Rejected(error.to_string()),
            Error::OutcomeUnknown(_) => AdminError::OutcomeUnknown(error.reason()),
            Error::Internal(reason) => AdminError::Failed(format!("internal error: {reason}")),
            other => AdminError::Failed(format!("database error: {}", other.reason())),
        }
    }
}

impl From<getrandom::Error> for AdminError {
    fn from(error: getrandom::Error) -> Self {
        AdminError::Failed(format!("cannot get random numbers from the system: {error}"))
    }
}

/// Returns the location of a missing database, or `None` if it exists. Creates nothing. The error is for people and
/// means that the existence is unknown.
pub async fn find_missing_database(data: &Path, storage: &StoreConfig) -> Result<Option<String>, String> {
    let Database::Postgres(url) = &storage.database else {
        let data = std::path::absolute(data).unwrap_or_else(|_| data.to_owned());
        return Ok((!data.join(DATABASE_FILE).is_file()).then(|| data.display().to_string()));
    };
    let failure_text = |error: &Error| format!("cannot use the database: {}", error.reason());
    let store = Store::connect(Path::new(""), storage).await.map_err(|error| failure_text(&error))?;
    let outcome = store.has_no_accounts().await;
    store.close().await;
    match outcome {
        Ok(_) => Ok(None),
        Err(error) if error.is_missing_table() => Ok(Some(url.to_string())),
        Err(error) => Err(failure_text(&error)),
    }
}

/// A token to create.
pub struct NewToken<'a> {
    /// The display name.
    pub name: &'a str,
    /// The ID of its account.
    pub account_id: &'a str,
    /// Its permission groups; empty for full access to the account.
    pub permissions: &'a [Permission],
    /// The IDs of the zones that it is limited to; empty for the account and all of its zones.
    pub zones: &'a [String],
    /// The time when it expires: RFC 3339, or a date, which means the start of that day in UTC.
    pub expires: Option<&'a str>,
}

impl Admin {
    /// Opens a data directory; creates it and its database if they are missing. A database on a server needs no
    /// directory. An existing database with another schema version is an error and stays unchanged.
    pub async fn open(data: &Path, storage: &StoreConfig) -> Result<Admin, OpenError> {
        let data = match storage.database {
            Database::Sqlite => {
                create_private_directory(data).map_err(|error| OpenError::Path(data.to_owned(), error))?
            }
            Database::Postgres(_) => data.to_owned(),
        };
        let actor = Actor::command_line();
        let store = Store::open_or_create(&ensure_database_file(&data, storage)?, storage).await?;
        Ok(Admin { store, actor })
    }

    /// Closes all connections.
    pub async fn close(self) {
        self.store.close().await;
    }

    /// Returns all accounts.
    pub async fn accounts(&self) -> Result<Vec<Account>, AdminError> {
        Ok(self.store.accounts().await?)
    }

    /// Creates an account.
    pub async fn create_account(&self, name: &str) -> Result<Account, AdminError> {
        let account = Account { id: new_id()?, name: validate_name(name, 100)? };
        self.store.create_account(&self.actor, &account).await?;
        Ok(account)
    }

    /// Returns the account with this ID if it has no zones.
    pub async fn find_empty_account(&self, id: &str) -> Result<Account, AdminError> {
        let account = self.accounts().await?.into_iter().find(|account| account.id == id);
        let account = account.ok_or_else(|| account_not_found(id))?;
        let zones = self.store.all_zones().await?.iter().filter(|zone| zone.account.id == id).count();
        if zones > 0 {
            let reason = format!("the account still has zones ({zones}); delete them first");
            return Err(AdminError::Rejected(reason));
        }
        Ok(account)
    }

    /// Deletes an account without zones, with its users, tokens and other contents.
    pub async fn delete_account(&self, account: &Account) -> Result<(), AdminError> {
        if self.store.delete_account(&self.actor, account).await? {
            return Ok(());
        }
        Err(AdminError::Rejected(format!("the account `{}` now has zones, or no longer exists", account.id)))
    }

    /// Returns all users.
    pub async fn users(&self) -> Result<Vec<User>, AdminError> {
        Ok(self.store.users().await?)
    }

    /// Creates a user, or replaces a user's key. Returns the key, which cannot be read again.
    pub async fn set_user(&self, account: &str, email: &str) -> Result<String, AdminError> {
        self.require_account(account).await?;
        let email = email.to_ascii_lowercase();
        if !is_email(&email) {
            return Err(AdminError::Rejected(format!("`{email}` is not an email address")));
        }
        let key = new_key()?;
        if self.store.set_user(&self.actor, account, &email, &key).await? {
            Ok(key)
        } else {
            Err(AdminError::Rejected(format!("the user `{email}` belongs to another account")))
        }
    }

    /// Deletes a user.
    pub async fn revoke_user(&self, email: &str) -> Result<(), AdminError> {
        let was_revoked = self.store.revoke_user(&self.actor, &email.to_ascii_lowercase()).await?;
        if was_revoked { Ok(()) } else { Err(AdminError::Rejected(format!("there is no user `{email}`"))) }
    }

    /// Returns all zones.
    pub async fn zones(&self) -> Result<Vec<Zone>, AdminError> {
        Ok(self.store.all_zones().await?)
    }

    /// Returns the zone with this ID, or the only one with this name.
    pub async fn zone(&self, text: &str) -> Result<Zone, AdminError> {
        let zones = self.store.all_zones().await?;
        let name = text.to_ascii_lowercase();
        let matching: Vec<Zone> = zones.into_iter().filter(|zone| zone.id == text || zone.name == name).collect();
        match <[Zone; 1]>::try_from(matching) {
            Ok([zone]) => Ok(zone),
            Err(none) if none.is_empty() => Err(AdminError::Rejected(format!("there is no zone `{text}`"))),
            Err(_) => Err(AdminError::Rejected(format!("several accounts have a zone `{text}`; use the zone ID"))),
        }
    }

    /// Creates a zone and returns its ID.
    pub async fn create_zone(&self, account: &str, name: &str, tier: Tier) -> Result<String, AdminError> {
        self.require_account(account).await?;
        let (id, name) = (new_id()?, parse_domain_name(name)?);
        if self.store.create_zone(&self.actor, account, (&id, &name, tier)).await? {
            Ok(id)
        } else {
            Err(AdminError::Rejected(format!("the account already has a zone `{name}`")))
        }
    }

    /// Changes the plan of a zone. Its contents stay, even those that the new plan does not allow (assumption
    /// smaller-plan).
    pub async fn set_plan(&self, zone: &Zone, tier: Tier) -> Result<(), AdminError> {
        if self.store.set_plan(&self.actor, zone, tier).await? {
            return Ok(());
        }
        Err(AdminError::Rejected(format!("the zone `{}` is already on the {tier} plan", zone.name)))
    }

    /// Deletes a zone with its contents, and the tokens that were limited to it.
    pub async fn delete_zone(&self, zone: &Zone) -> Result<(), AdminError> {
        let was_deleted = self.store.delete_zone(&self.actor, zone).await?;
        if was_deleted { Ok(()) } else { Err(AdminError::Rejected(format!("the zone `{}` no longer exists", zone.id))) }
    }

    /// Returns all tokens, without their secrets.
    pub async fn tokens(&self) -> Result<Vec<TokenRecord>, AdminError> {
        Ok(self.store.tokens().await?)
    }

    /// Creates a token. Returns its record and its secret, which cannot be read again.
    pub async fn create_token(&self, new: &NewToken<'_>) -> Result<(TokenRecord, String), AdminError> {
        self.require_account(new.account_id).await?;
        if new.permissions.is_empty() && !new.zones.is_empty() {
            let reason = "a token limited to zones needs at least one permission; list them with `zonewright admin \
                token permissions`";
            return Err(AdminError::Rejected(reason.to_owned()));
        }
        if let Some(permission) =
            new.permissions.iter().find(|permission| permission.is_account_level()).filter(|_| !new.zones.is_empty())
        {
            let reason = format!(
                "`{}` applies to the account and not to its zones, so it has no effect in a token limited to zones; \
                 create a separate token for it",
                permission.name()
            );
            return Err(AdminError::Rejected(reason));
        }
        let expires_on = new.expires.map(parse_expiry).transpose()?;
        let mut permissions: Vec<String> =
            new.permissions.iter().map(|permission| permission.name().to_owned()).collect();
        let mut zones = new.zones.to_vec();
        for list in [&mut permissions, &mut zones] {
            list.sort();
            list.dedup();
        }
        let token = TokenRecord {
            id: new_id()?,
            name: validate_name(new.name, 120)?,
            account_id: new.account_id.to_owned(),
            everything: permissions.is_empty(),
            permissions,
            zones,
            created_on: now(),
            expires_on,
        };
        let secret = new_token()?;
        match self.store.create_token(&self.actor, &token, &secret).await? {
            None => Ok((token, secret)),
            Some(zone) => Err(AdminError::Rejected(format!(
                "the account has no zone with the ID `{zone}`; list the zones with `zonewright admin zone list`"
            ))),
        }
    }

    /// Deletes a token.
    pub async fn revoke_token(&self, id: &str) -> Result<(), AdminError> {
        let was_revoked = self.store.revoke_token(&self.actor, id).await?;
        if was_revoked { Ok(()) } else { Err(AdminError::Rejected(format!("there is no token with the ID `{id}`"))) }
    }

    async fn require_account(&self, id: &str) -> Result<(), AdminError> {
        let exists = self.store.accounts().await?.iter().any(|account| account.id == id);
        if exists { Ok(()) } else { Err(account_not_found(id)) }
    }
}

fn account_not_found(id: &str) -> AdminError {
    let list = "list the accounts with `zonewright admin account list`";
    AdminError::Rejected(format!("there is no account with the ID `{id}`; {list}"))
}

/// Validates a name: trimmed, one line, and at most `max_chars` characters.
fn validate_name(name: &str, max_chars: usize) -> Result<String, AdminError> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > max_chars || name.chars().any(char::is_control) {
        return Err(AdminError::Rejected(format!("a name must be a single line of 1 to {max_chars} characters")));
    }
    Ok(name.to_owned())
}

/// Validates a domain name. Returns it as it is stored: in lowercase and without a final dot.
pub fn parse_domain_name(name: &str) -> Result<String, AdminError> {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    let is_label = |label: &str| {
        let has_label_letters = label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        has_label_letters && (1..=63).contains(&label.len()) && !label.starts_with('-') && !label.ends_with('-')
    };
    if name.len() <= 253 && name.contains('.') && name.split('.').all(is_label) {
        return Ok(name);
    }
    let shown: String = name.chars().take(80).collect();
    Err(AdminError::Rejected(format!("`{shown}` is not a domain name (write an internationalized name as `xn--…`)")))
}

/// Validates when a token expires and returns the timestamp in the format of the service.
fn parse_expiry(text: &str) -> Result<String, AdminError> {
    let time = parse(text).ok_or_else(|| {
        AdminError::Rejected(format!("`{text}` is not a time; write it as 2027-01-31 or 2027-01-31T12:00:00Z"))
    })?;
    if time <= jiff::Timestamp::now() {
        return Err(AdminError::Rejected(format!("{text} is in the past; the token would already have expired")));
    }
    Ok(format_seconds(time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_outcome_is_not_reported_as_a_failure() {
        let error = AdminError::from(Error::OutcomeUnknown(sqlx::Error::WorkerCrashed.into()));
        assert!(
            error.to_string().starts_with("the connection was lost during the commit, so it is unknown"),
            "{error}"
        );
    }

    #[test]
    fn pool_timeout_is_reported_as_a_database_that_does_not_respond() {
        let error = AdminError::from(Error::from(sqlx::Error::PoolTimedOut));
        assert_eq!(error.to_string(), "database error: it does not respond");
    }

    #[test]
    fn expiry_is_normalized_and_invalid_or_past_times_are_rejected() {
        for (text, expected) in [
            ("2999-01-31", Some("2999-01-31T00:00:00Z")),
            ("2999-01-31T12:00:00.9Z", Some("2999-01-31T12:00:00Z")),
            ("2999-01-31T12:00:00+02:00", Some("2999-01-31T10:00:00Z")),
            ("9999-12-31", Some("9999-12-30T22:00:00Z")),
            ("9999-12-31T23:59:59Z", Some("9999-12-30T22:00:00Z")),
            ("2999-01-31T12:00:00", None),
            ("2001-01-01", None),
            ("tomorrow", None),
            ("", None),
        ] {
            assert_eq!(parse_expiry(text).ok().as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn errors_name_the_part_that_failed() {
        let error = AdminError::from(getrandom::Error::UNSUPPORTED).to_string();
        assert!(error.starts_with("cannot get random numbers from the system: "), "{error}");
        let error = AdminError::from(Error::Database(crate::error::DatabaseError::from(sqlx::Error::PoolClosed)));
        assert!(error.to_string().starts_with("database error: "), "{error}");
    }

    #[test]
    fn domain_names_are_validated() {
        assert_eq!(parse_domain_name("Example.COM.").ok().as_deref(), Some("example.com"));
        for invalid in ["", ".", "com", "a..b", "-a.com", "a_b.com", "ü.com", "http://a.com"] {
            assert!(parse_domain_name(invalid).is_err(), "{invalid}");
        }
    }
}
