//! The report of test cases.

use super::{diagnostics, evaluation::plain, range};
use crate::types::{self, Js};
use zonewright_cases::{CaseReport, CaseResult, DecidingCondition, ExpressionOrigin, Report, TestReport};
use zonewright_diagnostic::Utf16Offsets;
use zonewright_request::truth_name;

/// Answer of `test`.
pub(crate) fn report(source: &str, report: &Report, junit: Option<String>) -> types::TestResult {
    let offsets = Utf16Offsets::new(source);
    let counts = report.counts();
    types::TestResult {
        ok: counts.all_passed(),
        passed: counts.passed,
        failed: counts.failed,
        errors: counts.errors,
        mistakes: counts.file_errors,
        tests: report.tests.iter().map(|one| test(source, &offsets, one)).collect(),
        junit,
        diagnostics: diagnostics(source, &report.diagnostics),
    }
}

fn test(source: &str, offsets: &Utf16Offsets, test: &TestReport) -> types::Test {
    let (start, end) = range(offsets, test.span);
    let (expression_start, file) = match &test.origin {
        ExpressionOrigin::Inline(at) => (Some(offsets.from_byte(*at)), None),
        ExpressionOrigin::Escaped => (None, None),
        ExpressionOrigin::File(name) => (None, Some(name.clone())),
    };
    let in_expression = Utf16Offsets::new(&test.expression);
    types::Test {
        name: test.name.clone(),
        start,
        end,
        expression: test.expression.clone(),
        expression_start,
        file,
        cases: test.cases.iter().map(|one| case(source, offsets, &in_expression, one)).collect(),
        diagnostics: diagnostics(&test.expression, &test.diagnostics),
    }
}

fn case(source: &str, offsets: &Utf16Offsets, in_expression: &Utf16Offsets, case: &CaseReport) -> types::Case {
    let (start, end) = range(offsets, case.span);
    let mut answer = types::Case {
        name: case.name.clone(),
        line: case.line,
        start,
        end,
        result: "passed",
        expected: None,
        found: None,
        reasons: Vec::new(),
        problem: None,
        notes: case.notes.clone(),
    };
    match &case.result {
        CaseResult::Passed => {}
        CaseResult::Failed { expected, found, reasons } => {
            answer.result = "failed";
            answer.expected = Some(expected.clone());
            answer.found = Some(found.clone());
            answer.reasons = reasons.iter().map(|one| reason(in_expression, one)).collect();
        }
        CaseResult::Error(problem) => {
            answer.result = "error";
            answer.problem = diagnostics(source, std::slice::from_ref(problem)).pop();
        }
    }
    answer
}

fn reason(in_expression: &Utf16Offsets, reason: &DecidingCondition) -> types::Reason {
    let (start, end) = range(in_expression, reason.span);
    let value = reason.value.as_ref().map(|value| Js(plain(value)));
    types::Reason { start, end, truth: truth_name(reason.truth), value, text: reason.describe() }
}
