//! Converts reports of test files.

use super::{diagnostics, evaluation::value_to_js, range};
use crate::types::{self, RawJsValue};
use zonewright_cases::{CaseReport, CaseResult, DecidingCondition, ExpressionOrigin, Report, TestReport};
use zonewright_diagnostic::Utf16Offsets;
use zonewright_request::truth_name;

pub(crate) fn test_result(source: &str, report: &Report, junit: Option<String>) -> types::TestResult {
    let offsets = Utf16Offsets::new(source);
    let counts = report.counts();
    types::TestResult {
        ok: counts.all_passed(),
        passed: counts.passed,
        failed: counts.failed,
        errors: counts.errors,
        file_errors: counts.file_errors,
        tests: report.tests.iter().map(|report| test(source, &offsets, report)).collect(),
        junit,
        diagnostics: diagnostics(source, &report.diagnostics),
    }
}

fn test(source: &str, offsets: &Utf16Offsets, test: &TestReport) -> types::Test {
    let (start, end) = range(offsets, test.span);
    let (expression_start, file) = match &test.origin {
        ExpressionOrigin::Inline(offset) => (Some(offsets.byte_to_utf16(*offset)), None),
        ExpressionOrigin::Escaped => (None, None),
        ExpressionOrigin::File(name) => (None, Some(name.clone())),
    };
    let expression_offsets = Utf16Offsets::new(&test.expression);
    types::Test {
        name: test.name.clone(),
        start,
        end,
        expression: test.expression.clone(),
        expression_start,
        file,
        cases: test.cases.iter().map(|report| case(source, offsets, &expression_offsets, report)).collect(),
        diagnostics: diagnostics(&test.expression, &test.diagnostics),
    }
}

fn case(source: &str, offsets: &Utf16Offsets, expression_offsets: &Utf16Offsets, case: &CaseReport) -> types::Case {
    let (start, end) = range(offsets, case.span);
    let mut result = types::Case {
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
            result.result = "failed";
            result.expected = Some(expected.clone());
            result.found = Some(found.clone());
            result.reasons = reasons.iter().map(|condition| reason(expression_offsets, condition)).collect();
        }
        CaseResult::Error(diagnostic) => {
            result.result = "error";
            result.problem = diagnostics(source, std::slice::from_ref(diagnostic)).pop();
        }
    }
    result
}

fn reason(expression_offsets: &Utf16Offsets, condition: &DecidingCondition) -> types::Reason {
    let (start, end) = range(expression_offsets, condition.span);
    let value = condition.value.as_ref().map(|value| RawJsValue(value_to_js(value)));
    types::Reason { start, end, truth: truth_name(condition.truth), value, text: condition.describe() }
}
