//! Types of the migration to ruleset-based managed rules (§2.6, §3, §4.3 to §4.6; the members of the status are
//! observed), and of the check whether a zone can migrate.
//!
//! Start with [`MigrationState`].

use crate::legacy_waf::Switch;
use crate::string_enum::string_enum;
use serde::{Deserialize, Serialize};

string_enum! {
    /// How far the migration of a zone is (§3).
    MigrationState {
        /// Nothing has happened (§2.6).
        Start = "start",
        /// Old and new managed rules run side by side (§3).
        Validation = "validation",
        /// The new rules are on, the old ones are being switched off (§3).
        Pending = "pending",
        /// The old rules are gone (observed; assumption migration-complete).
        Complete = "complete",
    }
}

string_enum! {
    /// Whether managed rules run.
    WafStatus {
        /// They do.
        Enabled = "enabled",
        /// They do not.
        Disabled = "disabled",
    }
}

/// Whether a zone can migrate (§4.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MigrationCompatibility {
    /// Whether it can.
    pub compatible: bool,
    /// How far it is.
    pub migration_state: MigrationState,
}

/// How far the migration of a zone is, and which rules run (§4.6; members observed).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MigrationStatus {
    /// The previous managed rules.
    pub old_waf_status: WafStatus,
    /// The ruleset-based managed rules.
    pub new_waf_status: WafStatus,
    /// How far the migration is.
    pub migration_state: MigrationState,
    /// RFC 3339 time at which it began; empty before.
    pub created: String,
    /// `zone` when the zone has begun, else `defaults`.
    pub source: String,
}

/// Converts `on` and `off` to a status.
impl From<Switch> for WafStatus {
    fn from(switch: Switch) -> Self {
        match switch {
            Switch::On => WafStatus::Enabled,
            Switch::Off => WafStatus::Disabled,
        }
    }
}
