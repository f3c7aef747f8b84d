//! Defines the API types of the zone security service as serde types, its error codes, and readers of JSON.
//!
//! Shapes follow `zone-security-service` §2. Shapes that the specification does not show follow the requests and
//! responses of clients of the real API. The crate validates shapes only; it contains no domain rules. The modules, in
//! reading order:
//!
//! - [`envelope`]: the object around every response.
//! - [`error_code`]: the codes of errors.
//! - `string_enum`: enums whose values have names.
//! - [`account`]: accounts and users.
//! - [`zone`]: zones and their plans.
//! - [`firewall`]: filters and firewall rules.
//! - [`ruleset`]: rulesets and their rules.
//! - [`logpush`]: log push jobs.
//! - [`legacy_waf`]: the previous managed rules.
//! - [`page_rule`]: page rules.
//! - [`waf_migration`]: the state of a migration.
//! - [`finding`]: the findings of a migration.
//! - [`audit_log`]: entries of the audit log.
//! - [`relay`]: sessions of a relay.
//! - [`json`]: parses JSON text.
//! - `object_reader`: [`ObjectReader`] reads the members of a JSON object one by one.
//! - `typed_object`: [`read_object`] reads a type that derives `Deserialize`.
//! - `number`: [`parse_integer`] reads integers.
//! - `validation_error`: [`ValidationError`] is one validation error.

pub mod account;
pub mod audit_log;
pub mod envelope;
pub mod error_code;
pub mod finding;
pub mod firewall;
pub mod json;
pub mod legacy_waf;
pub mod logpush;
mod number;
mod object_reader;
pub mod page_rule;
pub mod relay;
pub mod ruleset;
mod string_enum;
mod typed_object;
mod validation_error;
pub mod waf_migration;
pub mod zone;

pub use envelope::{Envelope, ErrorCause, ErrorMeta, ErrorObject, ErrorSource, ResultInfo};
pub use number::parse_integer;
pub use object_reader::{ObjectReader, check_no_nul, describe_value, join_alternatives, join_names, shape_error};
pub use typed_object::read_object;
pub use validation_error::{ValidationError, ValidationWarning, escape_pointer_segment, prefix_pointers};
