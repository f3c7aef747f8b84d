//! Plans the migration of a zone from the previous managed rules to ruleset-based ones
//! (`zone-security-service` §2.6, §3, §4.3 to §4.7).
//!
//! This crate does no I/O: it maps the configuration of a zone to a [`Plan`]. A plan has exactly one finding for each
//! setting, in the order of [`settings()`]. In reading order:
//!
//! - [`ZoneConfig`]: the old configuration, read by [`read_config`].
//! - [`catalogue`]: packages, groups and rules with their counterparts.
//! - [`eligibility()`] and [`support()`]: the conditions that a zone does not meet.
//! - [`plan()`]: the new entry point and its findings; [`codes`] lists the codes of findings.
//! - [`diff()`]: the differences between the existing and the new entry point.
//! - [`rehearse()`]: the simulation of sample requests.
//! - [`order()`]: the order of evaluation before and after.
//! - [`report()`]: a plan in Markdown or HTML.
//! - [`advance`]: the migration states and their transitions.
//! - [`executes()`]: whether an entry point executes a managed ruleset at all.
//! - [`read`]: the bodies of requests to the previous API.

mod bypass;
pub mod catalogue;
pub mod codes;
mod config;
mod diff;
mod duplicates;
mod eligibility;
mod entry_point;
mod executes;
mod finding;
mod fingerprint;
mod limits;
mod order;
mod page_rules;
mod paranoia;
mod plan;
pub mod read;
mod rehearse;
mod report;
mod section;
mod settings;
mod skip;
mod state;
mod support;
mod warnings;

pub use bypass::is_to_migrate;
pub use config::{ZoneConfig, read_config};
pub use diff::{Change, ChangeKind, diff};
pub use eligibility::{Phase, eligibility};
pub use executes::executes;
pub use fingerprint::fingerprint;
pub use limits::{MAX_BYPASS_RULES, MAX_EXPRESSION_BYTES};
pub use order::{EvaluationOrder, EvaluationStep, order};
pub use page_rules::{PatternError, matches_pattern, pattern_expression};
pub use plan::{Plan, plan};
pub use rehearse::{Rehearsed, Runs, Side, rehearse};
pub use report::{ReportFormat, report};
pub use section::Section;
pub use settings::settings;
pub use state::{Running, Step, advance, is_bare, may_enable, running};
pub use support::support;
pub use warnings::{unlisted_references, warnings};
pub use zonewright_api::{Refusal, Warning};
