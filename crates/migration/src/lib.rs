//! The migration of a zone from the previous managed rules to ruleset-based ones
//! (`zone-security-service` §2.6, §3, §4.3 to §4.7). Pure: what is known of a zone comes in, what is to
//! become of it goes out.
//!
//! Read in this order: [`ZoneConfig`], [`catalogue`], [`eligibility`], [`plan()`], [`advance`], [`read`].

mod bypass;
mod carried;
pub mod catalogue;
pub mod codes;
mod config;
mod draft;
mod eligibility;
mod fingerprint;
mod page_rules;
mod paranoia;
mod plan;
pub mod read;
mod settings;
mod state;
mod support;

pub use bypass::MOST_RULES;
pub use carried::LONGEST_EXPRESSION;
pub use config::{ZoneConfig, read_config};
pub use eligibility::{Phase, eligibility};
pub use fingerprint::fingerprint;
pub use page_rules::{PatternError, matches_pattern, pattern_expression};
pub use plan::{Plan, plan};
pub use settings::settings;
pub use state::{Running, Step, advance, running};
pub use support::support;
pub use zonewright_api::Refusal;
