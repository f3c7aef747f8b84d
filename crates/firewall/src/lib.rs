//! Validates filters, firewall rules and rulesets (`zone-security-service` §2.4, §2.5, §4.2), and converts firewall
//! rules to custom rules. No I/O.
//!
//! [`check_filter`] and [`check_rule`] validate values. [`read_filters`] and [`read_rules`] validate JSON: first its
//! shape, then the values that could be read. The browser and the service call the same functions, so both report the
//! same errors. A result lists all errors up to a limit, not only the first one. Only a deletion stops at the first
//! invalid item.
//!
//! Start with [`ValidationError`], which is one error. The modules, in reading order:
//!
//! - `batch`: reads a request body as a batch of items.
//! - `filter`: [`check_filter`], filters and their expressions.
//! - `action`: [`check_action`], actions, products and plans.
//! - `rule`: [`check_rule`], firewall rules.
//! - [`quota`]: limits of rules and filters for each plan.
//! - `update`: [`read_rule_updates`], changes of filters and rules.
//! - `deletion`: [`read_rule_deletions`], deletions of filters and rules.
//! - [`ruleset`]: rulesets of all phases.
//! - `evaluation_order`: [`sort_for_evaluation`], the evaluation order of firewall rules.
//! - `rule_list`: [`read_list`], rule lists for analyses of a whole list.
//! - `convert`: [`convert()`], custom rules from firewall rules.

mod action;
mod batch;
mod convert;
mod deletion;
mod evaluation_order;
mod filter;
pub mod quota;
mod rule;
mod rule_list;
pub mod ruleset;
mod update;

pub use action::check_action;
pub use batch::{Batch, MAX_ITEMS};
pub use convert::{Conversion, convert};
pub use deletion::{read_filter_deletions, read_rule_deletion, read_rule_deletions};
pub use evaluation_order::sort_for_evaluation;
pub use filter::{
    check_expression, check_filter, expression_options, read_expression, read_filter, read_filters, render_errors,
};
pub use rule::{MAX_PRIORITY, check_rule, check_rule_except_expression, read_rule, read_rules};
pub use rule_list::{RuleEntry, RuleList, entries_in_evaluation_order, is_terminating, read_list, rule_list_from_json};
pub use ruleset::{read_ruleset, read_ruleset_rule};
pub use update::{
    MAX_UPDATED_RULES, read_filter_update, read_filter_updates, read_priority_change, read_priority_changes,
    read_rule_update, read_rule_updates,
};
pub use zonewright_api::ValidationError;

/// Returns whether `text` is an identifier: 32 lowercase hexadecimal digits (observed).
pub fn is_identifier(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
