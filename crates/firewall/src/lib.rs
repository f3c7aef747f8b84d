//! What a filter and a firewall rule may be (`zone-security-service` §2.4, §2.5, §4.2). Pure.
//!
//! [`check_filter`] and [`check_rule`] judge values, [`read_filters`] and [`read_rules`] judge JSON:
//! its shape first, then the values as far as they could be read. Browser and service both call
//! them, so both say the same words. Every problem is found, not only the first.
//!
//! Read in this order: [`Refusal`], [`filter`](check_filter), [`action`](check_action),
//! [`rule`](check_rule), [`quota`], then the changes of both: [`update`](read_rule_updates) and
//! [`removal`](read_rule_removals); [`ruleset`]. [`read_list`] is by itself: it reads lists of rules for questions about
//! all of them.

mod action;
mod convert;
mod filter;
mod listing;
mod order;
pub mod quota;
mod read;
mod removal;
mod rule;
pub mod ruleset;
mod update;

pub use action::check_action;
pub use convert::{Converted, convert};
pub use filter::{
    check_expression, check_filter, drawn, expression_options, read_expression, read_filter, read_filters,
};
pub use listing::{Listed, RuleList, ends_evaluation, evaluation_order, list_from_json, read_list};
pub use order::in_order;
pub use read::{Batch, MAX_ITEMS};
pub use removal::{read_filter_removals, read_rule_removal, read_rule_removals};
pub use rule::{MOST_PRIORITY, check_rule, read_rule, read_rules};
pub use ruleset::{read_ruleset, read_ruleset_rule};
pub use update::{
    MAX_UPDATED_RULES, read_filter_update, read_filter_updates, read_priority_change, read_priority_changes,
    read_rule_update, read_rule_updates,
};
pub use zonewright_api::Refusal;

/// Whether `text` has the form of an identifier: 32 lower-case hexadecimal digits (observed).
pub fn is_identifier(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
