//! What a ruleset may be (`zone-security-service` §2.6, §4.5; what is not shown there is observed): phases with their
//! levels and actions, rules, and what each action needs to know.
//!
//! Read in this order: [`RulesetContext`], [`actions`], [`read_ruleset`], [`read_ruleset_rule`], `parameters`.

mod action_schemas;
mod context;
mod edit;
mod execute;
mod parameters;
mod parse;
mod phases;
mod published;
mod rate_limit;
mod rewrite_schemas;
mod rule;
mod skip;
mod unlisted;
mod validation;
mod value_schema;

pub use context::{Level, RulesetCatalog, RulesetContext, RulesetInfo};
pub use edit::{Placed, add_rule, change_rule};
pub use parse::{MAX_RULES, check_count, no_such_phase, read_ruleset, read_ruleset_update};
pub use phases::{actions, allows, level};
pub use published::PUBLISHED;
pub use rule::{Position, RuleChange, read_ruleset_rule, read_ruleset_rule_change};
pub use unlisted::unlisted_references;

#[cfg(test)]
mod tests;
