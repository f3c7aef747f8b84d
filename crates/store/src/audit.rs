//! The audit log. The unit of work appends its entries with `hash_chain`.
//!
//! - `list`: lists entries.
//! - `verify`: verifies the hash chains.

mod list;
mod verify;

pub use list::AuditSearch;
pub(crate) use list::object_ids;
pub(crate) use verify::verify;
pub use verify::{LogHead, LogReport};
