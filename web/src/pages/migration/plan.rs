//! The plan of a migration, as the verbs of the engine return it.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use zonewright_api::ValidationWarning;
use zonewright_api::finding::FindingOutcome;
use zonewright_api::ruleset::EntryPoint;

/// A plan. Its JSON is that of `zonewright migrate plan`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Plan {
    pub(super) entry_point: EntryPoint,
    /// One finding for each setting.
    pub(super) findings: Vec<Finding>,
    /// The rules and categories of the existing entry point that the catalog does not list.
    pub(super) warnings: Vec<ValidationWarning>,
}

/// The outcome of one setting, as in `zonewright_api::finding`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Finding {
    pub(super) outcome: FindingOutcome,
    pub(super) code: String,
    pub(super) setting: String,
    pub(super) name: String,
    pub(super) message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) help: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) targets: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) draft: Option<Draft>,
}

/// A suggested request, or an addition to the new configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Draft {
    pub(super) method: String,
    pub(super) path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) body: Option<Value>,
}

impl Finding {
    /// Returns whether the finding only reports a default value, so that a list may omit it.
    pub(super) fn is_default_setting(&self) -> bool {
        zonewright_api::finding::is_default_setting(&self.code)
    }
}
