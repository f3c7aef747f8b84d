//! What a ruleset may be (`zone-security-service` §2.6, §4.5; what is not shown there is observed): phases with their
//! levels and actions, rules, and what each action needs to know.
//!
//! Read in this order: [`Place`], [`actions`], [`read_ruleset`], [`read_ruleset_rule`], `parameters`.

mod execute;
mod list;
mod parameters;
mod phases;
mod place;
mod published;
mod rate_limit;
mod read;
mod rewrite;
mod rule;
mod settings;
mod shape;
mod skip;
mod unlisted;
mod words;

pub use list::{Placed, add_rule, change_rule};
pub use phases::{actions, allows, level};
pub use place::{Known, KnownRuleset, Level, Place};
pub use published::PUBLISHED;
pub use read::{MOST_RULES, check_count, no_such_phase, read_ruleset, read_ruleset_update};
pub use rule::{Position, RuleChange, read_ruleset_rule, read_ruleset_rule_change};
pub use unlisted::unlisted_references;

#[cfg(test)]
mod tests;
