//! The nouns of the zone security service as serde types, and its numbered errors. No logic.
//!
//! Shapes follow `zone-security-service` §2; what that document does not show follows what clients
//! of such services send and read. Read in this order: [`envelope`], [`error_code`], [`zone`],
//! [`firewall`].

pub mod envelope;
pub mod error_code;
pub mod firewall;
pub mod zone;

pub use envelope::{Envelope, ErrorLink, ErrorObject, Meta, ResultInfo, Source};
