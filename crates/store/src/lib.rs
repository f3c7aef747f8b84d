//! The database of the service, SQLite or PostgreSQL: everything that it persists except log lines. The crate knows
//! nothing of HTTP.
//!
//! Start with [`Store`], the connections; [`UnitOfWork`], one write transaction; and [`Error`]. Each resource has one
//! file or folder with all of its statements. Two mechanisms make it fast: [`group_commit`] lets concurrent SQLite
//! transactions share one fsync, and [`auth_lookup`] batches the lookups of concurrent requests into one statement.
//!
//! Modules in reading order. Foundations:
//!
//! - `config`: the database and its timeouts.
//! - `data_directory`: the data directory with its lock.
//! - `dialect`: the two kinds of database.
//! - `error`: errors.
//! - `failure`: the classes of database errors.
//! - `clock`: timestamps.
//! - `secret`: IDs, secrets and digests.
//! - `grants`: permission groups and grants.
//! - `principal`: principals of requests, and actors of changes.
//! - `scope`: the object that a unit of work locks.
//! - `owner`: zones and accounts as owners of objects.
//! - `page`: pages of lists.
//! - `rows`: rows of zones, and conversions of values in rows.
//!
//! The database:
//!
//! - `server_connection`: the first connection to a server.
//! - `schema`: schema migrations.
//! - `store`: opens the database.
//! - `statements`: statement batches.
//! - `group_commit`: the writer queue of SQLite.
//! - `hash_chain`: appends entries to the audit log.
//! - `unit_of_work`: write transactions.
//! - `auth_lookup`: the batched auth lookup.
//! - `lease`: leases and their renewal in the background.
//!
//! Helpers of resources:
//!
//! - `lists`: counted lists.
//! - `search`: the conditions of a search.
//! - `usage`: the usage of quotas.
//! - `catalog`: the tables of a schema version.
//! - `removal`: deletes a zone or an account with its contents.
//!
//! Resources:
//!
//! - `accounts`: accounts.
//! - `users`: users with their API keys.
//! - `tokens`: API tokens with their grants.
//! - `zones`: zones and their initial contents.
//! - `filters`: filters.
//! - `rules`: firewall rules.
//! - `rulesets`: rulesets and their versions.
//! - `legacy_waf`: settings of the previous managed rules.
//! - `overrides`: overrides of the previous managed rules by URL.
//! - `page_rules`: page rules.
//! - `migration_state`: the migration state of a zone.
//! - `migration`: the steps of migrations.
//! - `changes`: changes of filters, rules, rulesets, page rules and managed rules, which the migration constrains.
//! - `jobs`: log push jobs.
//! - `keys`: the signing keys of the service.
//! - `audit`: the audit log.
//!
//! Administration:
//!
//! - `backup`: backup and restore.
//! - `check`: the consistency of the database.
//! - `admin`: accounts, users, zones and tokens from the command line.
//! - `maintenance`: backup, restore, check, repair, schema migration and the audit log from the command line.
//!
//! Invariant: every change of an account, a zone or a setting appends an entry to the audit log in the same
//! transaction. [`UnitOfWork::commit`] rejects a change without one.

mod clock;
mod config;
mod data_directory;
mod dialect;
mod error;
mod failure;
mod grants;
mod owner;
mod page;
mod principal;
mod rows;
mod scope;
mod secret;

mod auth_lookup;
mod group_commit;
mod hash_chain;
mod lease;
mod schema;
mod server_connection;
mod statements;
mod store;
mod unit_of_work;

mod catalog;
mod lists;
mod removal;
mod search;
mod usage;

mod accounts;
mod audit;
mod changes;
mod filters;
mod jobs;
mod keys;
mod legacy_waf;
mod migration;
mod migration_state;
mod overrides;
mod page_rules;
mod rules;
mod rulesets;
mod tokens;
mod users;
mod zones;

mod admin;
mod backup;
mod check;
mod maintenance;

#[cfg(test)]
mod testing;

pub use accounts::NewAccount;
pub use admin::{Admin, AdminError, NewToken, find_missing_database, parse_domain_name};
pub use audit::{AuditSearch, LogHead, LogReport};
pub use auth_lookup::Authentication;
pub use changes::{ChangedPart, NextRuleset, RulesetTarget};
pub use check::{Problem, Remedy};
pub use clock::{format_millis, now, now_millis, parse as parse_time, to_micros_text};
pub use config::{Database, PostgresUrl, StoreConfig, Timeouts};
pub use data_directory::{
    DATABASE_FILE, create_private_directory, ensure_database_file, lock_data_directory, private_file_options,
};
pub use error::{DatabaseError, Error, OpenError, Resource, Unavailability};
pub use filters::FilterSearch;
pub use grants::{Grant, Grants, Permission};
pub use group_commit::await_observed_commits;
pub use jobs::JobUpdate;
pub use lease::Lease;
pub use legacy_waf::{WafSettingChange, WafSettingKind, WafSettings};
pub use maintenance::{
    LogQuery, RestoreError, back_up, check, migrate_schema, read_log, repair, restore, verify_audit_log,
};
pub use migration::{
    MigrationCommand, MigrationInput, Precondition, RulesetUpdateOptions, blocker_error, find_blockers, revision_tag,
};
pub use owner::{Owner, RulesetOwner, Zone};
pub use page::Page;
pub use principal::{Actor, ActorKind, Principal, Token, is_email};
pub use rows::FoundZone;
pub use rules::RuleSearch;
pub use rulesets::version_not_found;
pub use scope::Scope;
pub use secret::{KEY_DIGITS, TOKEN_CHARS, constant_time_eq, digest, hex, new_id, new_key, new_signing_key, new_token};
pub use store::{Store, TransactionObserver};
pub use tokens::TokenRecord;
pub use unit_of_work::UnitOfWork;
pub use users::User;
pub use zones::{NewZone, ZoneSeed};
