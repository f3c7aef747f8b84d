//! The database of the service, SQLite or PostgreSQL: everything that it persists except log lines. The crate knows
//! nothing of HTTP.
//!
//! Start with [`Store`], the connections; [`UnitOfWork`], one write transaction; and [`Error`]. Each resource has a
//! file with its statements, as methods of [`Store`]. Two mechanisms make it fast: [`group_commit`] lets concurrent
//! SQLite transactions share one fsync, and [`auth_lookup`] batches the lookups of concurrent requests into one
//! statement.
//!
//! Modules in reading order. Foundations:
//!
//! - `clock`: timestamps.
//! - `config`: the database and its timeouts.
//! - `data_folder`: the data directory with its lock.
//! - `dialect`: the two kinds of database.
//! - `error`: errors.
//! - `failure`: the classes of database errors.
//! - `grants`: permission groups and grants.
//! - `owner`: zones and accounts as owners of objects.
//! - `page`: pages of lists.
//! - `principal`: principals of requests and actors of changes.
//! - `rows`: conversions of rows that several files share.
//! - `scope`: what a unit of work locks.
//! - `secret`: IDs, secrets and digests.
//!
//! The database:
//!
//! - `auth_lookup`: the batched auth lookup.
//! - `group_commit`: the writer queue of SQLite.
//! - `reach`: the first connection to a server.
//! - `schema`: schema migrations.
//! - `statements`: statement batches.
//! - `store`: opens the database.
//! - `audit`: the hash chain of the audit log.
//! - `unit_of_work`: write transactions.
//!
//! Resources:
//!
//! - `accounts`, `tokens`, `keys`: accounts, credentials and signing keys.
//! - `filters`: filters.
//! - `rules`: firewall rules.
//! - `rulesets`: rulesets and their versions.
//! - `jobs`: log push jobs.
//! - `waf`, `overrides`: the previous managed rules.
//! - `page_rules`: page rules.
//! - `migration`, `zone_config`: migrations of zones and their configuration.
//! - `zones`, `start`, `removal`: zones, their initial contents and their deletion.
//! - `lists`, `search`, `usage`: counted lists, searches and quotas.
//!
//! Administration:
//!
//! - `audit_check`, `audit_list`: verifies and lists the audit log.
//! - `backup`, `catalog`: backup and restore.
//! - `check`: the consistency of the database.
//! - `admin`: accounts, users, zones and tokens from the command line.
//! - `lease`: leases and their renewal in the background.
//! - `maintenance`: backup, restore and check from the command line.
//!
//! Invariant: every change of an account, a zone or a setting appends an entry to the audit log in the same
//! transaction. [`UnitOfWork::commit`] rejects a change without one.

mod clock;
mod config;
mod data_folder;
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
mod reach;
mod schema;
mod statements;
mod store;

mod audit;
mod unit_of_work;

mod accounts;
mod filters;
mod jobs;
mod keys;
mod lists;
mod migration;
mod overrides;
mod page_rules;
mod removal;
mod rules;
mod rulesets;
mod search;
mod start;
mod tokens;
mod usage;
mod waf;
mod zone_config;
mod zones;

mod audit_check;
mod audit_list;
mod backup;
mod catalog;
mod check;

mod admin;
mod lease;
mod maintenance;

#[cfg(test)]
mod testing;

pub use accounts::{NewAccount, NewZone};
pub use admin::{Admin, AdminError, NewToken, find_missing_database};
pub use audit_check::{LogHead, LogReport};
pub use audit_list::AuditSearch;
pub use auth_lookup::Authentication;
pub use check::Problem;
pub use clock::{format_millis, now, now_millis, parse as parse_time, to_micros_text};
pub use config::{Database, PostgresUrl, StoreConfig, Timeouts};
pub use data_folder::{DATABASE_FILE, lock, make_database, make_folder, private_file};
pub use error::{DatabaseError, Error, OpenError, Unavailability};
pub use filters::FilterSearch;
pub use grants::{Grant, Grants, Permission};
pub use group_commit::await_observed_commits;
pub use jobs::JobUpdate;
pub use lease::Lease;
pub use maintenance::{LogQuery, back_up, check, prepare, read_log, repair, restore, verify_audit_log};
pub use migration::{IfMatch, MigrationCommand, MigrationInput, RulesetUpdateOptions, obstacle_error, obstacles, tag};
pub use owner::{Owner, RulesetOwner, Zone};
pub use page::Page;
pub use principal::{Actor, Caller, Token, is_email};
pub use rows::FoundZone;
pub use rules::RuleSearch;
pub use rulesets::{NextRuleset, RulesetTarget, Sent, version_not_found};
pub use scope::Scope;
pub use secret::{KEY_DIGITS, TOKEN_CHARS, constant_time_eq, digest, hex, new_id, new_key, new_signing_key, new_token};
pub use start::ZoneSeed;
pub use store::{Store, TransactionObserver};
pub use tokens::TokenRecord;
pub use unit_of_work::UnitOfWork;
pub use waf::{WafSettingChange, WafSettingKind, WafSettings};
