//! Tests the service through its real router, on a real database: one file per route. The database is SQLite in a
//! temporary directory, or PostgreSQL (`database.rs`). The names of tests of a numbered rule of the specification start
//! with its number.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "tests may panic"
)]

mod access;
mod accounts;
mod app;
mod audit;
mod audit_page;
mod audit_tampering;
mod auth;
mod backups;
mod bad_input;
mod combined_create;
mod compression;
mod connections;
mod contract;
mod cors;
mod database;
mod encodings;
mod filters;
mod filters_changes;
mod firewall_clients;
mod firewall_deletions;
mod firewall_rules;
mod firewall_rules_changes;
mod firewall_rules_priorities;
mod float_integers;
mod logpush_datasets;
mod logpush_delivery;
mod logpush_destinations;
mod logpush_edge;
mod logpush_errors;
mod logpush_jobs;
mod logpush_ownership;
mod logpush_updates;
mod middleware;
mod migration_client;
mod monitoring;
mod openapi;
mod openapi_errors;
mod openapi_examples;
mod page_rules;
mod pages;
mod process_crash;
mod rate_limit;
mod relay;
mod removal;
mod ruleset_accounts;
mod ruleset_migration;
mod ruleset_rules;
mod rulesets;
mod rulesets_unlisted;
mod service;
mod settings;
mod shared_database;
mod stalled_clients;
mod validate_expr;
mod waf_groups;
mod waf_migration;
mod waf_migration_errors;
mod waf_migration_updates;
mod waf_overrides;
mod waf_packages;
mod waf_rules;
mod zones;
