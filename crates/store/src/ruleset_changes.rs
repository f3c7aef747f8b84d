//! Creates, updates and deletes rulesets, and retains their earlier versions.
//!
//! - `write`: the changes.
//! - `follow`: matches the rules of a request with current rules.
//! - `versions`: earlier versions.
//! - `logged`: audit entries.

mod follow;
mod logged;
mod versions;
mod write;

pub(crate) use versions::MAX_VERSIONS;
pub use versions::version_not_found;
pub use write::{NextRuleset, RulesetTarget, Sent};
