//! The result of `traceZone`.

use super::{Diagnostic, ValidationError};
use serde::Serialize;

/// Result of `traceZone`.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ZoneTraceResult {
    pub(crate) reaches_origin: Option<bool>,
    pub(crate) terminating_rules: Vec<TraceTerminatingRule>,
    pub(crate) phases: Vec<TracePhase>,
    pub(crate) notes: Vec<String>,
    pub(crate) errors: Vec<ValidationError>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// A rule that ends the request, or may end it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TraceTerminatingRule {
    pub(crate) pointer: String,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) terminates: Option<bool>,
    pub(crate) depends_on: Vec<String>,
}

/// The rules of one entry point, or the firewall rules.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TracePhase {
    pub(crate) phase: &'static str,
    pub(crate) title: &'static str,
    pub(crate) pointer: String,
    pub(crate) name: String,
    pub(crate) rules: Vec<TraceRule>,
}

/// The trace of one rule.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TraceRule {
    pub(crate) pointer: String,
    pub(crate) name: String,
    pub(crate) action: &'static str,
    pub(crate) expression: String,
    pub(crate) enabled: bool,
    pub(crate) reached: Option<bool>,
    pub(crate) matches: Option<bool>,
    pub(crate) depends_on: Vec<String>,
    pub(crate) error: Option<String>,
    pub(crate) effects: Vec<TraceEffect>,
    pub(crate) rules: Vec<TraceRule>,
}

/// An effect of a rule.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum TraceEffect {
    Terminate {
        description: String,
        terminates: Option<bool>,
    },
    Rewrite {
        field: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        before: Option<Option<String>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        after: Option<Option<String>>,
    },
    Other {
        description: String,
    },
}
