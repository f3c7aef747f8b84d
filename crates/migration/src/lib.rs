//! The migration of a zone from the previous managed rules to ruleset-based ones
//! (`zone-security-service` §2.6, §3, §4.3 to §4.7). Pure: what is known of a zone comes in, what is to
//! become of it goes out.
//!
//! Read in this order: [`ZoneConfig`], [`catalogue`], [`eligibility`], [`plan()`],
//! [`diff()`], [`rehearse()`], [`order()`], [`report()`], [`advance`], [`read`].

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
