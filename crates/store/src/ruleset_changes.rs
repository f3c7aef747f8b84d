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

pub(crate) use versions::MOST_VERSIONS;
pub use versions::missing as missing_version;
pub use write::{Next, Sent, Target};
