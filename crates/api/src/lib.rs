//! The nouns of the zone security service as serde types, its numbered errors, and how a noun is read.
//!
//! Shapes follow `zone-security-service` §2; what that document does not show follows what clients
//! of such services send and read. Read in this order: [`envelope`], [`error_code`], [`account`],
//! [`zone`], [`firewall`], [`logpush`], [`legacy_waf`], [`page_rule`], [`ruleset`], [`waf_migration`], [`finding`],
//! [`audit_log`]; [`json`] reads texts, [`Members`] a noun from JSON, and a [`Refusal`] is what was wrong with it.

pub mod account;
pub mod audit_log;
pub mod envelope;
pub mod error_code;
pub mod finding;
pub mod firewall;
pub mod json;
pub mod legacy_waf;
pub mod logpush;
mod members;
mod number;
pub mod page_rule;
mod refusal;
pub mod relay;
pub mod ruleset;
mod string_enum;
pub mod waf_migration;
pub mod zone;

pub use envelope::{Envelope, ErrorLink, ErrorObject, Meta, ResultInfo, Source};
pub use members::{Members, check_storable, described, list, refuse};
pub use number::whole_number;
pub use refusal::{Refusal, Warning, under};
