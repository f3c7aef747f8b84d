//! Plans the migration of a zone from the previous managed rules to ruleset-based ones
//! (`zone-security-service` §2.6, §3, §4.3 to §4.7).
//!
//! This crate does no I/O: it maps the configuration of a zone to a [`Plan`]. A plan has exactly one finding for each
//! setting, in the order of [`setting_pointers()`]. In reading order:
//!
//! - [`catalogue`]: packages, groups and rules with their counterparts.
//! - `config`: [`ZoneConfig`], the old configuration, read by [`read_config`].
//! - `section`, `settings`: the sections of a configuration, and a pointer for each setting.
//! - [`read`]: the bodies of requests to the previous API.
//! - `duplicates`, `warnings`: repeated IDs, and rules that the catalogue does not list.
//! - `fingerprint`: a hash of a configuration.
//! - `state`: [`advance`], the migration states and their transitions.
//! - `eligibility`, `provider_support`: [`check_eligibility()`] and [`support_findings()`], the conditions that a zone does
//!   not meet.
//! - `limits`, `entry_point`: the limits of a migration, and the entry point that it writes.
//! - [`codes`], `finding`: the codes of findings, and their constructors.
//! - `skip`, `bypass`, `page_rules`, `paranoia`: the migration of each kind of setting.
//! - `plan`: [`plan()`], the new entry point and its findings.
//! - `diff`: [`diff()`], the differences between the existing and the new entry point.
//! - `execution`: [`executes_managed_ruleset`], whether an entry point executes a managed ruleset at all.
//! - `simulate`: [`simulate()`], the simulation of sample requests.
//! - `evaluation_order`: the order of evaluation before and after.
//! - `report`: [`render_report()`], a plan in Markdown or HTML.

mod bypass;
pub mod catalogue;
pub mod codes;
mod config;
mod diff;
mod duplicates;
mod eligibility;
mod entry_point;
mod evaluation_order;
mod execution;
mod finding;
mod fingerprint;
mod limits;
mod page_rules;
mod paranoia;
mod plan;
mod provider_support;
pub mod read;
mod report;
mod section;
mod settings;
mod simulate;
mod skip;
mod state;
mod warnings;

pub use bypass::bypasses_managed_rules;
pub use config::{ZoneConfig, read_config};
pub use diff::{Change, ChangeKind, diff};
pub use eligibility::{MigrationPhase, check_eligibility};
pub use evaluation_order::{EvaluationOrder, EvaluationStep, evaluation_order};
pub use execution::executes_managed_ruleset;
pub use fingerprint::fingerprint;
pub use limits::{MAX_BYPASS_RULES, MAX_EXPRESSION_BYTES};
pub use page_rules::{PatternError, matches_pattern, pattern_expression};
pub use plan::{Plan, plan};
pub use provider_support::support_findings;
pub use report::{OUTCOME_HEADINGS, ReportFormat, render_report};
pub use section::Section;
pub use settings::setting_pointers;
pub use simulate::{RequestComparison, Ternary, WafResult, simulate};
pub use state::{MigrationStep, RunningRules, advance, leaves_zone_unprotected, may_enable_rules, running_rules};
pub use warnings::{entry_point_warnings, unlisted_references};
pub use zonewright_api::{ValidationError, ValidationWarning};
