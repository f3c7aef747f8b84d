//! The service through its real router, on a real database in a temporary folder: one file a route.
//! Tests are named after the numbered rules of the specification where there is one.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test may fail"
)]

mod access;
mod app;
mod auth;
mod bad_input;
mod combined_create;
mod filters;
mod firewall_rules;
mod logpush_datasets;
mod logpush_delivery;
mod logpush_destinations;
mod logpush_edge;
mod logpush_errors;
mod logpush_jobs;
mod logpush_ownership;
mod migrating;
mod page_rules;
mod pages;
mod relay;
mod rulesets;
mod service;
mod settings;
mod waf_groups;
mod waf_migration;
mod waf_migration_refused;
mod waf_migration_updates;
mod waf_overrides;
mod waf_packages;
mod waf_rules;
mod zones;
