//! The schema as data.

use super::Parameter;
use serde::Serialize;

/// Result of `schema`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Schema {
    pub(crate) reference_date: &'static str,
    pub(crate) fields: Vec<Field>,
    pub(crate) functions: Vec<Function>,
    pub(crate) operators: Vec<Operator>,
    pub(crate) logical: Vec<Operator>,
    pub(crate) phases: Vec<NamedItem>,
    pub(crate) plans: Vec<NamedItem>,
    pub(crate) managed_lists: [&'static str; 5],
    pub(crate) lints: &'static [&'static str],
}

/// A field of requests, responses or packets.
#[derive(Serialize)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    #[serde(rename = "type")]
    pub(crate) ty: String,
    pub(crate) doc: &'static str,
    pub(crate) available: &'static str,
    pub(crate) phases: Option<Vec<&'static str>>,
    pub(crate) needs: Option<&'static str>,
    pub(crate) deprecated: bool,
    pub(crate) replacement: Option<&'static str>,
    pub(crate) unconfirmed: bool,
}

/// A function.
#[derive(Serialize)]
pub(crate) struct Function {
    pub(crate) name: &'static str,
    pub(crate) signature: String,
    pub(crate) returns: String,
    pub(crate) doc: &'static str,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) phases: Option<Vec<&'static str>>,
    pub(crate) needs: Option<&'static str>,
    pub(crate) unconfirmed: bool,
}

/// An operator.
#[derive(Serialize)]
pub(crate) struct Operator {
    pub(crate) name: &'static str,
    pub(crate) symbol: Option<&'static str>,
    pub(crate) doc: &'static str,
    pub(crate) notes: &'static [&'static str],
}

/// A phase or a plan.
#[derive(Serialize)]
pub(crate) struct NamedItem {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
}
