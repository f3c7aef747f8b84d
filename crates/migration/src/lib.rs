//! The migration of a zone from the previous managed rules to ruleset-based ones
//! (`zone-security-service` §2.6, §3, §4.3 to §4.7). Pure: what is known of a zone comes in, what is to
//! become of it goes out.
//!
//! Read in this order: [`ZoneConfig`], [`advance`], [`read`].

mod config;
pub mod read;
mod state;

pub use config::{ZoneConfig, read_config};
pub use state::{Running, Step, advance, running};
pub use zonewright_api::Refusal;
