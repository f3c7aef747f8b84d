//! Results of test cases.

use super::{Diagnostic, RawJsValue};
use serde::Serialize;

/// Result of `test`.
#[derive(Default, Serialize)]
pub(crate) struct TestResult {
    pub(crate) ok: bool,
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    pub(crate) errors: usize,
    #[serde(rename = "fileErrors")]
    pub(crate) file_errors: usize,
    pub(crate) tests: Vec<Test>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) junit: Option<String>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// The results of a test.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Test {
    pub(crate) name: String,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) expression: String,
    pub(crate) expression_start: Option<usize>,
    pub(crate) file: Option<String>,
    pub(crate) cases: Vec<Case>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// The result of a case.
#[derive(Serialize)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) line: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) result: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) expected: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) found: Option<String>,
    pub(crate) reasons: Vec<Reason>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) problem: Option<Diagnostic>,
    pub(crate) notes: Vec<String>,
}

/// A condition that decided the result of a case.
#[derive(Serialize)]
pub(crate) struct Reason {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) truth: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<RawJsValue>,
    pub(crate) text: String,
}
