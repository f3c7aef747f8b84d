//! What became of the tests of a file.

use zonewright_diagnostic::{Diagnostic, Span};
use zonewright_expression::{Truth, Value};

/// What became of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// What is wrong with the file itself; with an error, the tests it belongs to were not run.
    pub diagnostics: Vec<Diagnostic>,
    /// The tests, in the order of the file.
    pub tests: Vec<TestReport>,
}

/// What became of a test.
#[derive(Clone, Debug, PartialEq)]
pub struct TestReport {
    /// Its name.
    pub name: String,
    /// Where it begins in the file.
    pub span: Span,
    /// Its expression; empty when it could not be had.
    pub expression: String,
    /// Where the expression stands.
    pub origin: Origin,
    /// The problems of the expression, at their places in it.
    pub diagnostics: Vec<Diagnostic>,
    /// The cases, in the order of the file.
    pub cases: Vec<CaseReport>,
}

/// Where an expression stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// In the file of the tests, from this offset on.
    Here(usize),
    /// In the file of the tests, written with escapes: its places have none there.
    Escaped,
    /// In another file.
    File(String),
}

/// What became of a case.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseReport {
    /// Its name, or one made for it.
    pub name: String,
    /// Where it stands in the file.
    pub span: Span,
    /// The line it begins on, from 1.
    pub line: usize,
    /// Whether it gave what it must.
    pub result: CaseResult,
    /// What was assumed of the request, one sentence each.
    pub notes: Vec<String>,
}

/// Whether a case gave what it must.
#[derive(Clone, Debug, PartialEq)]
pub enum CaseResult {
    /// It did.
    Passed,
    /// It did not.
    Failed {
        /// What it must give, in words.
        expected: String,
        /// What it gave, in words.
        found: String,
        /// The conditions that decided.
        reasons: Vec<Reason>,
    },
    /// It could not be run, for this reason, which has its place in the file.
    Error(Box<Diagnostic>),
}

/// A condition that decided.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// Where it stands in the expression.
    pub span: Span,
    /// Its text.
    pub text: String,
    /// What it gave.
    pub truth: Truth,
    /// The value on its left, if it is known.
    pub value: Option<Value>,
}

/// How many cases there are of each result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Cases that gave what they must.
    pub passed: usize,
    /// Cases that did not.
    pub failed: usize,
    /// Cases that could not be run.
    pub errors: usize,
    /// Mistakes of the file itself, which are no cases.
    pub mistakes: usize,
}

impl Report {
    /// How many cases there are of each result.
    pub fn counts(&self) -> Counts {
        let mistakes = self.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
        let mut counts = Counts { mistakes, ..Counts::default() };
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

impl Counts {
    /// How many cases there are.
    pub fn cases(self) -> usize {
        self.passed + self.failed + self.errors
    }

    /// Whether all is as it must be.
    pub fn all_passed(self) -> bool {
        self.failed == 0 && self.errors == 0 && self.mistakes == 0
    }
}

impl std::ops::Add for Counts {
    type Output = Counts;

    fn add(self, other: Counts) -> Counts {
        Counts {
            passed: self.passed + other.passed,
            failed: self.failed + other.failed,
            errors: self.errors + other.errors,
            mistakes: self.mistakes + other.mistakes,
        }
    }
}

impl Reason {
    /// In one line: what it is, what it gave, on which value.
    pub fn sentence(&self) -> String {
        let text: Vec<&str> = self.text.split_whitespace().collect();
        let truth = match self.truth {
            Truth::True => "true",
            Truth::False => "false",
            Truth::Unknown => "unknown",
            Truth::NotReached => "not reached",
            Truth::Absent => "false, as a value in it is missing",
        };
        let value = self.value.as_ref().map(zonewright_request::json::value_to_json);
        let value = value.map_or(String::new(), |value| format!(" (the value is {})", short(&value.to_string())));
        format!("`{}` is {truth}{value}", short(&text.join(" ")))
    }
}

/// At most 120 characters, for a message.
pub(crate) fn short(text: &str) -> String {
    let mut start: String = text.chars().take(120).collect();
    if text.chars().nth(120).is_some() {
        start.push('…');
    }
    start
}
