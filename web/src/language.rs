//! The languages of the editors: the Rules language and log push filters.
//!
//! [`Language`] is the interface between a language and the components that edit its texts.

use crate::engine::to_js;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use wasm_bindgen::JsValue;
use zonewright_expression::schema::{Phase, Tier};

/// A language. The implementing type holds the options of the analysis.
pub(crate) trait Language: Clone + Debug + Send + Sync + 'static {
    /// The prefix of the verbs of the engine, such as `logpush.`.
    const NAMESPACE: &'static str;
    /// Whether an empty text is valid in the editor.
    const ACCEPTS_EMPTY: bool;
    /// The result of an analysis, except the diagnostics and the tokens.
    type Facts: Clone + Debug + DeserializeOwned + Send + Sync + 'static;

    /// Converts the options to those of the engine.
    fn to_js(&self) -> JsValue;
    /// Returns all diagnostic codes that have a page.
    fn codes() -> &'static [&'static str];

    /// Returns the static name of a diagnostic code, or an empty text for a code without a page.
    fn code_name(code: &str) -> &'static str {
        Self::codes().iter().copied().find(|name| *name == code).unwrap_or_default()
    }
}

/// The facts of an expression.
#[derive(Clone, Debug, serde::Deserialize)]
pub(crate) struct ExpressionFacts {
    /// The type of the whole expression; absent if there is an error.
    #[serde(rename = "type")]
    pub(crate) ty: Option<String>,
    /// The usage of each limit.
    pub(crate) usage: ExpressionUsage,
}

/// The usage of the limits of an expression. The lengths are in characters.
#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExpressionUsage {
    pub(crate) length: usize,
    pub(crate) max_length: usize,
    pub(crate) depth: usize,
    pub(crate) max_depth: usize,
    pub(crate) regexes: usize,
}

/// The facts of a log push filter.
#[derive(Clone, Debug, serde::Deserialize)]
pub(crate) struct FilterFacts {
    /// The usage of each limit.
    pub(crate) usage: FilterUsage,
}

/// The usage of the limits of a log push filter.
#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FilterUsage {
    pub(crate) operators: usize,
    pub(crate) max_operators: usize,
    pub(crate) bytes: usize,
    pub(crate) max_bytes: usize,
}

/// The options of an expression, as the engine reads them.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ExpressionOptions {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    phase: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<&'static str>,
    max_length: usize,
    lint: bool,
}

/// The options of a log push filter, as the engine reads them.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FilterOptions {
    dataset: &'static str,
    max_operators: usize,
    max_bytes: usize,
    lint: bool,
}

impl Language for zonewright_expression::Options {
    const NAMESPACE: &'static str = "";
    const ACCEPTS_EMPTY: bool = false;
    type Facts = ExpressionFacts;

    fn to_js(&self) -> JsValue {
        to_js(&ExpressionOptions {
            kind: self.kind.name(),
            phase: self.phase.map(Phase::name),
            plan: self.plan.map(Tier::name),
            max_length: self.max_length,
            lint: self.lint.is_some(),
        })
    }

    fn codes() -> &'static [&'static str] {
        zonewright_expression::code::NAMES
    }
}

impl Language for zonewright_logpush::Options {
    const NAMESPACE: &'static str = "logpush.";
    /// Without a filter, every line is sent.
    const ACCEPTS_EMPTY: bool = true;
    type Facts = FilterFacts;

    fn to_js(&self) -> JsValue {
        to_js(&FilterOptions {
            dataset: self.dataset.name,
            max_operators: self.max_operators,
            max_bytes: self.max_bytes,
            lint: self.lint.is_some(),
        })
    }

    fn codes() -> &'static [&'static str] {
        zonewright_logpush::code::NAMES
    }
}
