//! Types of findings: the outcome of each setting in a conversion or migration.
//!
//! Start with [`Finding`].

use crate::string_enum::string_enum;
use serde::Serialize;

string_enum! {
    /// The outcome of a setting.
    FindingOutcome {
        /// The setting has the same effect in the new configuration.
        Carried = "carried",
        /// The setting is in the new configuration, with a difference.
        Changed = "changed",
        /// The setting is not in the new configuration and must be recreated.
        Lost = "lost",
        /// The setting blocks the migration and must be removed first.
        Blocked = "blocked",
        /// The provider's support must migrate the setting.
        NeedsSupport = "needs-support",
        /// The setting is not part of the migration and continues to work.
        Unaffected = "unaffected",
    }
}

/// The outcome of one setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Finding {
    /// The outcome.
    pub outcome: FindingOutcome,
    /// Stable kebab-case code of the finding, such as `override-blocks`.
    pub code: &'static str,
    /// JSON pointer (RFC 6901) to the setting in the old configuration, such as `/packages/1/sensitivity`.
    pub setting: String,
    /// Display name of the setting, such as `Sensitivity of OWASP ModSecurity Core Rule Set`.
    pub name: String,
    /// The outcome and the reason, as one line without a final period.
    pub message: String,
    /// Instruction for the user; omitted if no action is needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// JSON pointers to the corresponding parts of the new configuration, such as
    /// `/rules/0/action_parameters/overrides`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<String>,
    /// Suggested request that recreates a lost setting or removes a blocker.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draft: Option<Draft>,
}

impl Finding {
    /// Returns whether the finding only reports a default value, so that a list may omit it.
    pub fn is_default_setting(&self) -> bool {
        is_default_setting(self.code)
    }
}

/// Returns whether findings with this code only report a default value.
pub fn is_default_setting(code: &str) -> bool {
    code.ends_with("-delivered")
}

/// The method of a [`Draft`] that is not a request but an addition to the new configuration.
pub const ADD_OPERATION: &str = "ADD";

/// A suggested request, for the user to review before sending it; or, with the method `ADD`, an addition to the new
/// configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Draft {
    /// HTTP method of the request, or `ADD`.
    pub method: &'static str,
    /// Path of the request relative to the base URL, with `{zone_id}` if the zone is unknown. With `ADD`, a JSON
    /// pointer into the new configuration with the semantics of the `add` operation of RFC 6902: `/rules/0`
    /// inserts before the first rule, `/rules/-` appends after the last. Missing parent arrays and objects are created.
    pub path: String,
    /// JSON body of the request, or the value to add.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<serde_json::Value>,
}
