//! Validates rulesets (`zone-security-service` §2.6, §4.5; the rest is observed): phases with their levels and actions,
//! rules, and the parameters of each action.
//!
//! Start with [`RulesetContext`], [`allowed_actions`], [`read_ruleset`] and [`read_ruleset_rule`]. The modules, in
//! reading order:
//!
//! - `context`: the level, kind, phase and plan of a ruleset.
//! - `phases`: the actions of each phase.
//! - `published`: managed rulesets with unpublished rules.
//! - `validation`: validators that several modules share.
//! - `value_schema`: schemas of JSON values, and their interpreter.
//! - `parse`: reads whole rulesets.
//! - `rule`: reads single rules and changes of rules.
//! - `edit`: inserts and changes single rules.
//! - `parameters`: selects the schema of an action.
//! - `action_schemas`, `rewrite_schemas`: schemas of parameters.
//! - `execute`: parameters of `execute`, with overrides.
//! - `skip`: parameters of `skip`.
//! - `rate_limit`: the member `ratelimit`.
//! - `unlisted`: warnings about rules and categories that the catalog does not list.

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
pub use edit::{EditedRules, add_rule, change_rule};
pub use parse::{MAX_RULES, check_rule_count, read_ruleset, read_ruleset_update, unknown_phase_message};
pub use phases::{allowed_actions, allows_kind, has_entry_point};
pub use published::PUBLISHED_RULESETS;
pub use rule::{Position, RuleChange, read_ruleset_rule, read_ruleset_rule_change};
pub use unlisted::unlisted_references;

#[cfg(test)]
mod tests;
