//! Plans the migration of a zone from the previous managed rules to ruleset-based ones
//! (`zone-security-service` §2.6, §3, §4.3 to §4.7).
//!
//! This crate does no I/O: it maps the configuration of a zone to a [`Plan`]. A plan has exactly one finding for each
//! setting, in the order of [`setting_pointers()`]. In reading order:
//!
//! - [`catalog`]: packages, groups and rules with their counterparts.
//! - `config`: [`ZoneConfig`], the old configuration, read by [`read_config`].
//! - `section`: [`Section`], a section of a configuration.
//! - `settings`: [`setting_pointers()`], a pointer for each setting.
//! - [`read`]: the bodies of requests to the previous API.
//! - `duplicates`: items that repeat the ID of an earlier item.
//! - `warnings`: [`entry_point_warnings`], references to rules that the catalog does not list.
//! - `fingerprint`: [`fingerprint()`], a hash of everything that a new configuration depends on.
//! - `state`: [`advance`], the migration states and their transitions.
//! - `eligibility`: [`check_eligibility()`], the conditions that a zone does not meet.
//! - `provider_support`: [`support_findings()`], the settings that need support.
//! - `limits`: the limits of a migration.
//! - `entry_point`: the entry point that a migration writes.
//! - [`codes`]: the codes of findings.
//! - `finding`: the constructors of findings.
//! - `skip`: skip rules and execute rules.
//! - `bypass`: firewall rules that bypass the previous managed rules.
//! - `page_rules`: page rules that turn the previous managed rules off or on.
//! - `paranoia`: the paranoia level and the score threshold of each sensitivity.
//! - `plan`: [`plan()`], the new entry point and its findings.
//! - `diff`: [`diff()`], the differences between the existing and the new entry point.
//! - `execution`: [`executes_managed_ruleset`], whether an entry point executes a managed ruleset for some request.
//! - `simulate`: [`simulate()`], the simulation of sample requests.
//! - `evaluation_order`: the order of evaluation before and after a migration.
//! - `report`: [`render_report()`], a plan in Markdown or HTML.

mod bypass;
pub mod catalog;
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
