//! Changes of the settings that a migration depends on: filters, firewall rules, rulesets, page rules and the previous
//! managed rules. The module of a resource has its statements; the transactions here combine them.
//!
//! Invariant: a transaction that could leave a zone without managed rules checks this with the module `migration`
//! before it commits. The migration reads the resources, so the transactions are a layer above both.

mod filters;
mod legacy_waf;
mod page_rules;
mod rules;
mod rulesets;

pub use rulesets::{ChangedPart, NextRuleset, RulesetTarget};
