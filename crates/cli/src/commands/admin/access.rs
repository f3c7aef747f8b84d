//! Manages accounts, users, zones and tokens. Objects are printed as text or as JSON.

use super::confirm::ConfirmArgs;
use super::output::{Cell, OutputArgs, format_record, format_records};
use crate::language::plan_parser;
use crate::output::{EXIT_OK, print_stderr, write_stdout};
use clap::{ArgGroup, Args, Subcommand};
use std::path::Path;
use std::process::ExitCode;
use zonewright_expression::schema::Tier;
use zonewright_server::open_error_text;
use zonewright_store::{Admin, AdminError, NewToken, Permission, StoreConfig, parse_domain_name};

/// The account that owns an object.
#[derive(Args)]
pub(super) struct AccountArgs {
    /// ID of the account; optional if there is only one account.
    #[arg(long, value_name = "ID")]
    account: Option<String>,
}

/// Accounts.
#[derive(Subcommand)]
pub(super) enum AccountCommand {
    /// Create an account.
    Create {
        /// Name of the account.
        name: String,
        #[command(flatten)]
        output: OutputArgs,
    },
    /// List all accounts.
    List {
        #[command(flatten)]
        output: OutputArgs,
    },
    /// Delete an account that has no zones, with its users, tokens, and everything else in it; its audit log is
    /// retained.
    Delete {
        /// ID of the account.
        id: String,
        #[command(flatten)]
        confirmation: ConfirmArgs,
    },
}

/// Users.
#[derive(Subcommand)]
pub(super) enum UserCommand {
    /// Create a user, or give a user a new key; the key is shown only once.
    Create {
        /// Email address of the user.
        email: String,
        #[command(flatten)]
        account_args: AccountArgs,
        #[command(flatten)]
        output: OutputArgs,
    },
    /// List all users.
    List {
        #[command(flatten)]
        output: OutputArgs,
    },
    /// Delete a user and the user's key.
    Revoke {
        /// Email address of the user.
        email: String,
    },
}

/// Zones.
#[derive(Subcommand)]
pub(super) enum ZoneCommand {
    /// Create a zone.
    Create {
        /// Domain name of the zone.
        name: String,
        /// Plan of the zone.
        #[arg(long, value_parser = plan_parser())]
        plan: Tier,
        #[command(flatten)]
        account_args: AccountArgs,
        #[command(flatten)]
        output: OutputArgs,
    },
    /// List all zones.
    List {
        #[command(flatten)]
        output: OutputArgs,
    },
    /// Change the plan of a zone.
    ///
    /// Existing objects are retained, even if they exceed the limits of the new plan. Then you cannot add more until
    /// the zone is below these limits.
    Plan {
        /// ID or name of the zone.
        zone: String,
        /// New plan of the zone.
        #[arg(value_parser = plan_parser())]
        plan: Tier,
        #[command(flatten)]
        output: OutputArgs,
    },
    /// Delete a zone with everything in it, and the tokens that are limited to it alone; its audit log is retained.
    Delete {
        /// ID or name of the zone.
        zone: String,
        #[command(flatten)]
        confirmation: ConfirmArgs,
    },
}

/// Tokens.
#[derive(Subcommand)]
pub(super) enum TokenCommand {
    /// Create a token, which is shown only once.
    #[command(group = ArgGroup::new("grants").args(["permissions", "everything"]).required(true).multiple(true))]
    Create {
        /// Display name of the token.
        name: String,
        #[command(flatten)]
        account_args: AccountArgs,
        /// Name or ID of a permission group, such as "Firewall Services Write"; repeatable.
        #[arg(long = "permission", value_name = "NAME", value_parser = parse_permission)]
        permissions: Vec<Permission>,
        /// Grant all permissions in the account.
        #[arg(long, conflicts_with_all = ["permissions", "zones"])]
        everything: bool,
        /// Limit the token to the zone with this ID; repeatable.
        #[arg(long = "zone", value_name = "ID")]
        zones: Vec<String>,
        /// When the token expires: a date, or a time such as 2027-01-31T12:00:00Z.
        #[arg(long, value_name = "TIME")]
        expires: Option<String>,
        #[command(flatten)]
        output: OutputArgs,
    },
    /// List all tokens, without their secrets.
    List {
        #[command(flatten)]
        output: OutputArgs,
    },
    /// Delete a token.
    Revoke {
        /// ID of the token.
        id: String,
    },
    /// List the permission groups.
    Permissions,
}

/// A command about any of these objects.
pub(super) enum ResourceCommand {
    Account(AccountCommand),
    User(UserCommand),
    Zone(ZoneCommand),
    Token(TokenCommand),
}

impl From<AccountCommand> for ResourceCommand {
    fn from(command: AccountCommand) -> Self {
        ResourceCommand::Account(command)
    }
}

impl From<UserCommand> for ResourceCommand {
    fn from(command: UserCommand) -> Self {
        ResourceCommand::User(command)
    }
}

impl From<ZoneCommand> for ResourceCommand {
    fn from(command: ZoneCommand) -> Self {
        ResourceCommand::Zone(command)
    }
}

impl From<TokenCommand> for ResourceCommand {
    fn from(command: TokenCommand) -> Self {
        ResourceCommand::Token(command)
    }
}

fn parse_permission(name: &str) -> Result<Permission, String> {
    Permission::find(name)
        .ok_or_else(|| "unknown permission group; `zonewright admin token permissions` lists all groups".to_owned())
}

/// Runs the command on a database.
pub(super) async fn run(data: &Path, storage: &StoreConfig, command: ResourceCommand) -> Result<ExitCode, String> {
    if let ResourceCommand::Token(TokenCommand::Permissions) = command {
        let names: String = Permission::ALL.iter().map(|permission| format!("{}\n", permission.name())).collect();
        return Ok(write_stdout(&names, EXIT_OK));
    }
    let admin = Admin::open(data, storage).await.map_err(|error| open_error_text(&error))?;
    let outcome = execute(&admin, command).await;
    admin.close().await;
    outcome.map(|text| write_stdout(&text, EXIT_OK)).map_err(|error| error.to_string())
}

async fn execute(admin: &Admin, command: ResourceCommand) -> Result<String, AdminError> {
    match command {
        ResourceCommand::Account(command) => run_account_command(admin, command).await,
        ResourceCommand::User(command) => run_user_command(admin, command).await,
        ResourceCommand::Zone(command) => run_zone_command(admin, command).await,
        ResourceCommand::Token(command) => run_token_command(admin, command).await,
    }
}

async fn run_account_command(admin: &Admin, command: AccountCommand) -> Result<String, AdminError> {
    match command {
        AccountCommand::Create { name, output } => {
            let account = admin.create_account(&name).await?;
            Ok(format_record(&output, vec![("account", account.id.into()), ("name", account.name.into())]))
        }
        AccountCommand::List { output } => {
            let accounts = admin.accounts().await?;
            let row = |account: zonewright_api::zone::Account| {
                vec![("account", account.id.into()), ("name", account.name.into())]
            };
            Ok(format_records(&output, accounts.into_iter().map(row)))
        }
        AccountCommand::Delete { id, confirmation } => {
            let account = admin.find_empty_account(&id).await?;
            confirmation.confirm_deletion(&format!(
                "the account `{}` with its users, tokens, and everything else in it",
                account.name
            ))?;
            admin.delete_account(&account).await?;
            Ok(format!("deleted {id}\n"))
        }
    }
}

async fn run_user_command(admin: &Admin, command: UserCommand) -> Result<String, AdminError> {
    match command {
        UserCommand::Create { email, account_args, output } => {
            let account = account_args.resolve(admin).await?;
            let key = admin.set_user(&account, &email).await?;
            Ok(format_record(
                &output,
                vec![("account", account.into()), ("email", email.to_ascii_lowercase().into()), ("key", key.into())],
            ))
        }
        UserCommand::List { output } => {
            let users = admin.users().await?;
            let row =
                |user: zonewright_store::User| vec![("account", user.account_id.into()), ("email", user.email.into())];
            Ok(format_records(&output, users.into_iter().map(row)))
        }
        UserCommand::Revoke { email } => {
            admin.revoke_user(&email).await?;
            Ok(format!("revoked {email}\n"))
        }
    }
}

async fn run_zone_command(admin: &Admin, command: ZoneCommand) -> Result<String, AdminError> {
    match command {
        ZoneCommand::Create { name, plan, account_args, output } => {
            let account = account_args.resolve(admin).await?;
            let name = parse_domain_name(&name)?;
            let id = admin.create_zone(&account, &name, plan).await?;
            Ok(format_record(&output, zone_row(id, name, plan.name().to_owned(), account)))
        }
        ZoneCommand::List { output } => {
            let zones = admin.zones().await?;
            let row =
                |zone: zonewright_api::zone::Zone| zone_row(zone.id, zone.name, zone.plan.legacy_id, zone.account.id);
            Ok(format_records(&output, zones.into_iter().map(row)))
        }
        ZoneCommand::Plan { zone, plan, output } => {
            let zone = admin.zone(&zone).await?;
            admin.set_plan(&zone, plan).await?;
            if Tier::from_name(&zone.plan.legacy_id) > Some(plan) {
                print_stderr(&format!(
                    "existing objects are retained; you cannot add more than the {plan} plan allows\n"
                ));
            }
            Ok(format_record(&output, zone_row(zone.id, zone.name, plan.name().to_owned(), zone.account.id)))
        }
        ZoneCommand::Delete { zone, confirmation } => {
            let zone = admin.zone(&zone).await?;
            confirmation.confirm_deletion(&format!("the zone `{}` with everything in it", zone.name))?;
            admin.delete_zone(&zone).await?;
            Ok(format!("deleted {}\n", zone.name))
        }
    }
}

fn zone_row(id: String, name: String, plan: String, account: String) -> Vec<(&'static str, Cell)> {
    vec![("zone", id.into()), ("name", name.into()), ("plan", plan.into()), ("account", account.into())]
}

async fn run_token_command(admin: &Admin, command: TokenCommand) -> Result<String, AdminError> {
    match command {
        TokenCommand::Create { name, account_args, permissions, everything: _, zones, expires, output } => {
            let account = account_args.resolve(admin).await?;
            let new = NewToken {
                name: &name,
                account_id: &account,
                permissions: &permissions,
                zones: &zones,
                expires: expires.as_deref(),
            };
            let (token_info, token) = admin.create_token(&new).await?;
            let mut record: Vec<(&str, Cell)> = vec![("id", token_info.id.into()), ("token", token.into())];
            record.extend(token_info.expires_on.map(|time| ("expires", time.into())));
            Ok(format_record(&output, record))
        }
        TokenCommand::List { output } => {
            let tokens = admin.tokens().await?;
            let row = |token: zonewright_store::TokenRecord| {
                vec![
                    ("id", token.id.into()),
                    ("name", token.name.into()),
                    ("account", token.account_id.into()),
                    (
                        "permissions",
                        if token.everything { Cell::null("everything") } else { Cell::list(token.permissions) },
                    ),
                    ("zones", Cell::list_or(token.zones, "all")),
                    ("expires", token.expires_on.map_or_else(|| Cell::null("never"), Cell::from)),
                ]
            };
            Ok(format_records(&output, tokens.into_iter().map(row)))
        }
        TokenCommand::Revoke { id } => {
            admin.revoke_token(&id).await?;
            Ok(format!("revoked {id}\n"))
        }
        TokenCommand::Permissions => Ok(String::new()),
    }
}

impl AccountArgs {
    async fn resolve(self, admin: &Admin) -> Result<String, AdminError> {
        if let Some(account) = self.account {
            return Ok(account);
        }
        match admin.accounts().await?.as_slice() {
            [account] => Ok(account.id.clone()),
            [] => {
                Err(AdminError::Rejected("no account exists; create one with `zonewright admin account create`".into()))
            }
            _ => Err(AdminError::Rejected("several accounts exist; select one with --account".into())),
        }
    }
}
