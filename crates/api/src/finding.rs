//! Findings of a conversion or migration: the outcome of each setting.
//!
//! Start with [`Finding`].

use crate::string_enum::string_enum;
use serde::Serialize;

string_enum! {
    /// What becomes of a setting.
    Fate {
        /// It means the same in the new configuration.
        Carried = "carried",
        /// It is there in the new configuration, with a difference.
        Changed = "changed",
        /// It is not in the new configuration and has to be made anew.
        Lost = "lost",
        /// It stands in the way and has to be removed first.
        Blocked = "blocked",
        /// The provider's support has to carry it over.
        NeedsSupport = "needs-support",
        /// It is no part of what is carried over and goes on as it is.
        Unaffected = "unaffected",
    }
}

/// What becomes of one setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Finding {
    /// What becomes of it.
    pub fate: Fate,
    /// What it is about, in kebab-case: `override-blocks`.
    pub code: &'static str,
    /// JSON pointer (RFC 6901) to the setting in the old configuration: `/packages/1/sensitivity`.
    pub setting: String,
    /// The setting's name for people: `Sensitivity of OWASP ModSecurity Core Rule Set`.
    pub name: String,
    /// What becomes of it and why: one line without a final period.
    pub message: String,
    /// What to do, when something is to be done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// JSON pointers to what it became, in the new configuration: `/rules/0/action_parameters/overrides`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub became: Vec<String>,
    /// How what is lost can be made anew, or what stands in the way removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draft: Option<Draft>,
}

impl Finding {
    /// Returns whether the finding only reports a default value, so that a list may omit it.
    pub fn is_default_setting(&self) -> bool {
        self.code.ends_with("-delivered")
    }
}

/// The method of a [`Draft`] that is not a request but an addition to the new configuration.
pub const ADD_OPERATION: &str = "ADD";

/// A request that mends something, to be looked at before it is sent; or what is to be added to the new
/// configuration before that is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Draft {
    /// The request's method, or [`ADD_OPERATION`].
    pub method: &'static str,
    /// The request's path below the base URL, with `{zone_id}` when the zone is not known. With [`ADD_OPERATION`], a
    /// JSON pointer into the new configuration as the operation `add` of RFC 6902 has it: `/rules/0` comes before the
    /// first rule, `/rules/-` behind the last; lists and objects on the way that are not there yet are made.
    pub path: String,
    /// The request's JSON body, or what is added.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<serde_json::Value>,
}
