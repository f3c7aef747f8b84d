//! Types of the migration to ruleset-based managed rules (§2.6, §3, §4.3 to §4.6; the members of the status are
//! observed), and of the check whether a zone can migrate.
//!
//! Start with [`MigrationState`].

use crate::legacy_waf::Switch;
use crate::string_enum::string_enum;
use serde::{Deserialize, Serialize};

string_enum! {
    /// Migration state of a zone (§3).
    MigrationState {
        /// The migration has not started (§2.6).
        Start = "start",
        /// Old and new managed rules run in parallel (§3).
        Validation = "validation",
        /// The new rules are on, and the old ones are being turned off (§3).
        Pending = "pending",
        /// The old rules were removed (observed; assumption migration-complete).
        Complete = "complete",
    }
}

string_enum! {
    /// Whether managed rules are enabled.
    WafStatus {
        /// Enabled.
        Enabled = "enabled",
        /// Disabled.
        Disabled = "disabled",
    }
}

/// Whether a zone can migrate (§4.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MigrationCompatibility {
    /// Whether the zone can migrate.
    pub compatible: bool,
    /// Migration state of the zone.
    pub migration_state: MigrationState,
}

/// Migration state of a zone, and which managed rules are enabled (§4.6; members observed).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MigrationStatus {
    /// Whether the previous managed rules are enabled.
    pub old_waf_status: WafStatus,
    /// Whether the ruleset-based managed rules are enabled.
    pub new_waf_status: WafStatus,
    /// Migration state of the zone.
    pub migration_state: MigrationState,
    /// RFC 3339 time at which the migration started; empty if it has not started.
    pub created: String,
    /// `zone` if the migration of the zone has started, otherwise `defaults`.
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
