//! Manages accounts, users, zones and tokens. Created objects are written as text or as JSON.

use super::question::Consent;
use super::shown::{Output, Told, many, one};
use crate::output::{VALID, finish, remark};
use clap::{Args, Subcommand};
use std::path::Path;
use std::process::ExitCode;
use zonewright_expression::schema::Tier;
use zonewright_store::{Admin, AdminError, NewToken, Permission, StoreConfig};

/// Whose it is.
#[derive(Args)]
pub(super) struct Whose {
    /// Identifier of the account; may be left out when there is one account.
    #[arg(long, value_name = "ID")]
    account: Option<String>,
}

/// Accounts.
#[derive(Subcommand)]
pub(super) enum Account {
    /// Make an account.
    Create {
        /// Its name.
        name: String,
        #[command(flatten)]
        output: Output,
    },
    /// List all accounts.
    List {
        #[command(flatten)]
        output: Output,
    },
    /// Delete an account that has no zones, with its users and tokens. Its audit log stays.
    Delete {
        /// Its identifier.
        id: String,
        #[command(flatten)]
        consent: Consent,
    },
}

/// Users.
#[derive(Subcommand)]
pub(super) enum User {
    /// Make a user, or give one a new key, and show the key this once.
    Create {
        /// The e-mail address.
        email: String,
        #[command(flatten)]
        whose: Whose,
        #[command(flatten)]
        output: Output,
    },
    /// List all users.
    List {
        #[command(flatten)]
        output: Output,
    },
    /// Remove a user with the key.
    Revoke {
        /// The e-mail address.
        email: String,
    },
}

/// Zones.
#[derive(Subcommand)]
pub(super) enum Zone {
    /// Make a zone.
    Create {
        /// Domain name.
        name: String,
        /// What the zone may do.
        #[arg(long, value_parser = plan)]
        plan: Tier,
        #[command(flatten)]
        whose: Whose,
        #[command(flatten)]
        output: Output,
    },
    /// List all zones.
    List {
        #[command(flatten)]
        output: Output,
    },
    /// Give a zone another plan. What is in it stays, also what is more than the plan allows; then nothing can be added
    /// until there is room.
    Plan {
        /// Its identifier, or its name.
        zone: String,
        /// What the zone may do from now on.
        #[arg(value_parser = plan)]
        plan: Tier,
        #[command(flatten)]
        output: Output,
    },
    /// Delete a zone with everything in it, and tokens that are for it alone. Its audit log stays.
    Delete {
        /// Its identifier, or its name.
        zone: String,
        #[command(flatten)]
        consent: Consent,
    },
}

/// Tokens.
#[derive(Subcommand)]
pub(super) enum Token {
    /// Make a token and show it this once.
    Create {
        /// A name for people.
        name: String,
        #[command(flatten)]
        whose: Whose,
        /// A permission group, as "Firewall Services Write", by its name or its identifier; may be repeated.
        #[arg(long = "permission", value_name = "NAME", value_parser = permission, required_unless_present = "everything")]
        permissions: Vec<Permission>,
        /// It may do everything in the account.
        #[arg(long, conflicts_with_all = ["permissions", "zones"])]
        everything: bool,
        /// Identifier of a zone that it is for, instead of all; may be repeated.
        #[arg(long = "zone", value_name = "ID")]
        zones: Vec<String>,
        /// When it ends: a date, or a time as 2027-01-31T12:00:00Z.
        #[arg(long, value_name = "TIME")]
        expires: Option<String>,
        #[command(flatten)]
        output: Output,
    },
    /// List all tokens, without the tokens themselves.
    List {
        #[command(flatten)]
        output: Output,
    },
    /// Remove a token.
    Revoke {
        /// Its identifier.
        id: String,
    },
    /// List the permission groups.
    Permissions,
}

/// A command about any of these objects.
pub(super) enum Access {
    Account(Account),
    User(User),
    Zone(Zone),
    Token(Token),
}

impl From<Account> for Access {
    fn from(command: Account) -> Self {
        Access::Account(command)
    }
}

impl From<User> for Access {
    fn from(command: User) -> Self {
        Access::User(command)
    }
}

impl From<Zone> for Access {
    fn from(command: Zone) -> Self {
        Access::Zone(command)
    }
}

impl From<Token> for Access {
    fn from(command: Token) -> Self {
        Access::Token(command)
    }
}

fn plan(name: &str) -> Result<Tier, String> {
    Tier::from_name(name).ok_or_else(|| "must be free, pro, business or enterprise".to_owned())
}

fn permission(name: &str) -> Result<Permission, String> {
    Permission::find(name)
        .ok_or_else(|| "there is no such permission group: `zonewright admin token permissions` lists them".to_owned())
}

/// Runs the command on a database.
pub(super) async fn run(data: &Path, storage: &StoreConfig, command: Access) -> Result<ExitCode, String> {
    if let Access::Token(Token::Permissions) = command {
        let names: String = Permission::ALL.iter().map(|one| format!("{}\n", one.name())).collect();
        return Ok(finish(&names, VALID));
    }
    let admin = Admin::open(data, storage).await.map_err(|error| error.to_string())?;
    let done = perform(&admin, command).await;
    admin.close().await;
    done.map(|text| finish(&text, VALID)).map_err(|error| error.to_string())
}

async fn perform(admin: &Admin, command: Access) -> Result<String, AdminError> {
    match command {
        Access::Account(command) => accounts(admin, command).await,
        Access::User(command) => users(admin, command).await,
        Access::Zone(command) => zones(admin, command).await,
        Access::Token(command) => tokens(admin, command).await,
    }
}

async fn accounts(admin: &Admin, command: Account) -> Result<String, AdminError> {
    match command {
        Account::Create { name, output } => {
            let account = admin.create_account(&name).await?;
            Ok(one(&output, vec![("account", account.id.into()), ("name", account.name.into())]))
        }
        Account::List { output } => {
            let accounts = admin.accounts().await?;
            let row = |one: zonewright_api::zone::Account| vec![("account", one.id.into()), ("name", one.name.into())];
            Ok(many(&output, accounts.into_iter().map(row)))
        }
        Account::Delete { id, consent } => {
            let account = admin.empty_account(&id).await?;
            consent.ask(&format!("the account `{}` with its users and tokens", account.name))?;
            admin.delete_account(&account).await?;
            Ok(format!("{id} is deleted\n"))
        }
    }
}

async fn users(admin: &Admin, command: User) -> Result<String, AdminError> {
    match command {
        User::Create { email, whose, output } => {
            let account = whose.account(admin).await?;
            let key = admin.set_user(&account, &email).await?;
            Ok(one(
                &output,
                vec![("account", account.into()), ("e-mail", email.to_ascii_lowercase().into()), ("key", key.into())],
            ))
        }
        User::List { output } => {
            let users = admin.users().await?;
            let row = |(email, account): (String, String)| vec![("account", account.into()), ("e-mail", email.into())];
            Ok(many(&output, users.into_iter().map(row)))
        }
        User::Revoke { email } => {
            admin.revoke_user(&email).await?;
            Ok(format!("{email} is revoked\n"))
        }
    }
}

async fn zones(admin: &Admin, command: Zone) -> Result<String, AdminError> {
    match command {
        Zone::Create { name, plan, whose, output } => {
            let account = whose.account(admin).await?;
            let id = admin.create_zone(&account, &name, plan).await?;
            Ok(one(&output, zone_row(id, name, plan.name().to_owned(), account)))
        }
        Zone::List { output } => {
            let zones = admin.zones().await?;
            let row =
                |zone: zonewright_api::zone::Zone| zone_row(zone.id, zone.name, zone.plan.legacy_id, zone.account.id);
            Ok(many(&output, zones.into_iter().map(row)))
        }
        Zone::Plan { zone, plan, output } => {
            let zone = admin.zone(&zone).await?;
            admin.set_plan(&zone, plan).await?;
            if Tier::from_name(&zone.plan.legacy_id) > Some(plan) {
                remark(&format!(
                    "what is in the zone stays; where that is more than the {plan} plan allows, nothing can be added\n"
                ));
            }
            Ok(one(&output, zone_row(zone.id, zone.name, plan.name().to_owned(), zone.account.id)))
        }
        Zone::Delete { zone, consent } => {
            let zone = admin.zone(&zone).await?;
            consent.ask(&format!("the zone `{}` with everything in it", zone.name))?;
            admin.delete_zone(&zone).await?;
            Ok(format!("{} is deleted\n", zone.name))
        }
    }
}

fn zone_row(id: String, name: String, plan: String, account: String) -> Vec<(&'static str, Told)> {
    vec![("zone", id.into()), ("name", name.into()), ("plan", plan.into()), ("account", account.into())]
}

async fn tokens(admin: &Admin, command: Token) -> Result<String, AdminError> {
    match command {
        Token::Create { name, whose, permissions, everything: _, zones, expires, output } => {
            let account = whose.account(admin).await?;
            let new = NewToken {
                name: &name,
                account_id: &account,
                permissions: &permissions,
                zones: &zones,
                expires: expires.as_deref(),
            };
            let (kept, token) = admin.create_token(&new).await?;
            let mut told: Vec<(&str, Told)> = vec![("id", kept.id.into()), ("token", token.into())];
            told.extend(kept.expires_on.map(|time| ("expires", time.into())));
            Ok(one(&output, told))
        }
        Token::List { output } => {
            let tokens = admin.tokens().await?;
            let row = |token: zonewright_store::TokenRecord| {
                vec![
                    ("id", token.id.into()),
                    ("name", token.name.into()),
                    ("account", token.account_id.into()),
                    (
                        "permissions",
                        if token.everything { Told::nothing("everything") } else { Told::only(token.permissions) },
                    ),
                    ("zones", Told::list(token.zones, "all")),
                    ("expires", token.expires_on.map_or_else(|| Told::nothing("never"), Told::from)),
                ]
            };
            Ok(many(&output, tokens.into_iter().map(row)))
        }
        Token::Revoke { id } => {
            admin.revoke_token(&id).await?;
            Ok(format!("{id} is revoked\n"))
        }
        Token::Permissions => Ok(String::new()),
    }
}

impl Whose {
    async fn account(self, admin: &Admin) -> Result<String, AdminError> {
        if let Some(account) = self.account {
            return Ok(account);
        }
        match admin.accounts().await?.as_slice() {
            [account] => Ok(account.id.clone()),
            [] => {
                Err(AdminError::Refused("there is no account: make one with `zonewright admin account create`".into()))
            }
            _ => Err(AdminError::Refused("there are several accounts: say which with --account".into())),
        }
    }
}
