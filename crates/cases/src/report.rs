//! The [`Report`] of a test file: the results of its tests and cases.

use zonewright_diagnostic::{Diagnostic, Span};
use zonewright_expression::{Truth, Value};

/// The results of a test file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Errors in the file itself. A part with such an error is ignored, and the rest of the file still runs. Nothing
    /// runs if the file is too large or is not TOML.
    pub diagnostics: Vec<Diagnostic>,
    /// The tests, in the order of the file.
    pub tests: Vec<TestReport>,
}

/// The results of a test.
#[derive(Clone, Debug, PartialEq)]
pub struct TestReport {
    /// Name of the test.
    pub name: String,
    /// Span of its header in the file.
    pub span: Span,
    /// The expression; empty if it is unknown.
    pub expression: String,
    /// Where the expression comes from.
    pub origin: ExpressionOrigin,
    /// Diagnostics of the expression. Their spans refer to it.
    pub diagnostics: Vec<Diagnostic>,
    /// The cases, in the order of the file.
    pub cases: Vec<CaseReport>,
}

/// Where an expression comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpressionOrigin {
    /// From the test file, where it begins at this byte offset.
    Inline(usize),
    /// From the test file, written with escapes, so its spans cannot be mapped to the file. A test without an
    /// expression also has this origin.
    Escaped,
    /// From the file with this name.
    File(String),
}

/// The result of a case.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseReport {
    /// Name of the case; a generated name, such as `match 1`, if the file gives none.
    pub name: String,
    /// Span of its header in the file.
    pub span: Span,
    /// The line on which it begins, from 1.
    pub line: usize,
    /// Whether it passed.
    pub result: CaseResult,
    /// Notes: sentences about assumptions, and about ignored parts of the request.
    pub notes: Vec<String>,
}

/// Whether a case passed.
#[derive(Clone, Debug, PartialEq)]
pub enum CaseResult {
    /// The expression had the expected result.
    Passed,
    /// The expression had a different result.
    Failed {
        /// The expected result, such as `a match`.
        expected: String,
        /// The actual result.
        found: String,
        /// The conditions that decided the result.
        reasons: Vec<DecidingCondition>,
    },
    /// The case could not be run. The span of the diagnostic refers to the file.
    Error(Box<Diagnostic>),
}

/// A condition that decided the result of an expression.
#[derive(Clone, Debug, PartialEq)]
pub struct DecidingCondition {
    /// Span in the expression.
    pub span: Span,
    /// Source of the condition.
    pub text: String,
    /// Truth value of the condition.
    pub truth: Truth,
    /// The value of its left operand, if it is known.
    pub value: Option<Value>,
}

/// The number of cases with each result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResultCounts {
    /// Cases that passed.
    pub passed: usize,
    /// Cases that failed.
    pub failed: usize,
    /// Cases that could not be run.
    pub errors: usize,
    /// Errors in the file itself, which are not cases.
    pub file_errors: usize,
}

impl Report {
    /// Counts the cases with each result.
    pub fn counts(&self) -> ResultCounts {
        let file_errors = self.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
        let mut counts = ResultCounts { file_errors, ..ResultCounts::default() };
        for case in self.tests.iter().flat_map(|test| &test.cases) {
            match case.result {
                CaseResult::Passed => counts.passed += 1,
                CaseResult::Failed { .. } => counts.failed += 1,
                CaseResult::Error(_) => counts.errors += 1,
            }
        }
        counts
    }
}

impl ResultCounts {
    /// Returns the number of all cases.
    pub fn total(self) -> usize {
        self.passed + self.failed + self.errors
    }

    /// Returns whether every case passed and the file has no errors.
    pub fn all_passed(self) -> bool {
        self.failed == 0 && self.errors == 0 && self.file_errors == 0
    }
}

impl std::ops::Add for ResultCounts {
    type Output = ResultCounts;

    fn add(self, other: ResultCounts) -> ResultCounts {
        ResultCounts {
            passed: self.passed + other.passed,
            failed: self.failed + other.failed,
            errors: self.errors + other.errors,
            file_errors: self.file_errors + other.file_errors,
        }
    }
}

impl DecidingCondition {
    /// Describes the condition, its truth value and the value of its left operand in one line.
    pub fn describe(&self) -> String {
        let text: Vec<&str> = self.text.split_whitespace().collect();
        let truth = match self.truth {
            Truth::True => "true",
            Truth::False => "false",
            Truth::Unknown => "unknown",
            Truth::NotReached => "not reached",
            Truth::Absent => "false because one of its values is missing",
        };
        let value = self.value.as_ref().map(zonewright_request::json::value_to_json);
        let value = value.map_or(String::new(), |value| format!(" (the value is {})", shorten(&value.to_string())));
        format!("`{}` is {truth}{value}", shorten(&text.join(" ")))
    }
}

/// The maximum number of characters of a text in a message.
const MAX_SHORTENED_CHARS: usize = 120;

/// Truncates a text that is too long for a message.
pub(crate) fn shorten(text: &str) -> String {
    let mut short: String = text.chars().take(MAX_SHORTENED_CHARS).collect();
    if text.chars().nth(MAX_SHORTENED_CHARS).is_some() {
        short.push('…');
    }
    short
}
