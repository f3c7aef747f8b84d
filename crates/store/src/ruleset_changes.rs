//! Rulesets that are created, changed and deleted, and their former versions.

mod follow;
mod logged;
mod versions;
mod write;

pub(crate) use versions::MOST_VERSIONS;
pub use versions::missing as missing_version;
pub use write::{Next, Sent, Target};
