//! Everything the service persists, in SQLite or PostgreSQL. The crate knows nothing of HTTP.
//!
//! Start with [`Store`], the pool of connections; [`UnitOfWork`], one transaction that writes; and [`Error`]. Each
//! resource has a file with its statements, as methods of [`Store`]. Two mechanisms carry the load: [`group_commit`]
//! lets concurrent SQLite transactions share one fsync, and [`auth_lookup`] batches the credentials of concurrent
//! requests into one statement.
//!
//! Invariant: every change of an account, a zone or a setting appends an entry to the audit log in the same
//! transaction ([`UnitOfWork::commit`] refuses to commit without one).

// In reading order: what everything uses, the database, then the resources.
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
mod filter_changes;
mod filters;
mod jobs;
mod keys;
mod leases;
mod lists;
mod migration;
mod overrides;
mod page_rule_changes;
mod page_rules;
mod removal;
mod rule_changes;
mod rule_creation;
mod rules;
mod ruleset_changes;
mod rulesets;
mod search;
mod start;
mod tokens;
mod usage;
mod waf;
mod waf_changes;
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
pub use audit_list::LogSearch;
pub use auth_lookup::Authentication;
pub use check::Problem;
pub use clock::{at_millis, millis, moment, now, read as read_time};
pub use config::{Database, PostgresUrl, StoreConfig, Timeouts};
pub use data_folder::{DATABASE_FILE, lock, make_database, make_folder, private_file};
pub use error::{DatabaseError, Error, OpenError, Unavailability};
pub use filters::FilterSearch;
pub use grants::{Grant, Grants, Permission};
pub use group_commit::settled;
pub use jobs::JobUpdate;
pub use lease::Lease;
pub use maintenance::{LogQuery, back_up, check, prepare, read_log, repair, restore, verify_log};
pub use migration::{IfMatch, Migrating, Outlook, Update, obstacles, tag, told};
pub use owner::{Owner, RulesetOwner, Zone};
pub use page::Page;
pub use principal::{Actor, Caller, Token, is_email};
pub use rows::FoundZone;
pub use rules::RuleSearch;
pub use ruleset_changes::{Next, Sent, Target, missing_version};
pub use scope::Scope;
pub use secret::{KEY_LENGTH, TOKEN_LENGTH, digest, hex, new_id, new_key, new_signing_key, new_token, same};
pub use start::Start;
pub use store::{Store, TransactionObserver};
pub use tokens::TokenRecord;
pub use unit_of_work::UnitOfWork;
pub use waf::{Change, Kind, WafSettings};
