//! Runs the tests of a file.

use crate::file::{self, Case, CaseInput, ExpectedResult, ExpressionSource, Test};
use crate::report::{CaseReport, CaseResult, ExpressionOrigin, Report, TestReport, shorten};
use crate::toml_table::file_error;
use crate::{MAX_FILE_BYTES, TEST_REQUEST, explain};
use zonewright_diagnostic::{Diagnostic, Positions, Problems, Span, group_digits};
use zonewright_expression::{Outcome, Program, Record, check, code};
use zonewright_request::{json, read_input};

/// Runs the tests of a file. `read_file` returns the text of a file that a test names, relative to the test file, or
/// an error message.
///
/// A part of the file with an error is ignored, and the rest of the file still runs. The report lists the first 1,000
/// errors and states the number of further errors.
pub fn run_tests(source: &str, read_file: &mut dyn FnMut(&str) -> Result<String, String>) -> Report {
    let mut report = Report::default();
    if source.len() > MAX_FILE_BYTES {
        let message =
            format!("the file has {} bytes; the limit is {}", group_digits(source.len()), group_digits(MAX_FILE_BYTES));
        report.diagnostics.push(file_error(Span::empty(0), message));
        return report;
    }
    let mut problems = Problems::default();
    let file = file::parse_file(source, &mut problems);
    let mut positions = Positions::new(source);
    for test in file.tests {
        report.tests.push(run_test(source, test, &mut positions, read_file, &mut problems));
    }
    report.diagnostics = problems.into_diagnostics(code::TOO_MANY_DIAGNOSTICS);
    report
}

fn run_test(
    source: &str,
    test: Test,
    positions: &mut Positions<'_>,
    read_file: &mut dyn FnMut(&str) -> Result<String, String>,
    problems: &mut Problems,
) -> TestReport {
    let (expression, origin) = match test.expression {
        ExpressionSource::Inline { text, span } => {
            let offset = find_verbatim(source, span, &text);
            (Some(text), offset.map_or(ExpressionOrigin::Escaped, ExpressionOrigin::Inline))
        }
        ExpressionSource::File { name, span } => {
            let text = read_file(&name).map_err(|error| problems.push(file_error(span, format!("`{name}`: {error}"))));
            (text.ok(), ExpressionOrigin::File(name))
        }
        ExpressionSource::Missing => (None, ExpressionOrigin::Escaped),
    };
    let checked = expression.as_deref().map(|text| check(text, &test.options));
    let (program, diagnostics) = checked.map_or((None, Vec::new()), |checked| (checked.program, checked.diagnostics));
    let expression = expression.unwrap_or_default();
    let run = |case: &Case| {
        let mut notes = Vec::new();
        let result = match &program {
            None => CaseResult::Error(Box::new(file_error(case.span, "the expression has errors"))),
            Some(program) => run_case(source, &expression, program, case, &mut notes),
        };
        (result, notes)
    };
    let report = |case: Case| {
        let (result, notes) = run(&case);
        CaseReport {
            line: positions.position_at(case.span.start).line,
            name: case.name,
            span: case.span,
            result,
            notes,
        }
    };
    let cases = test.cases.into_iter().map(report).collect();
    TestReport { name: test.name, span: test.span, expression, origin, diagnostics, cases }
}

/// Finds the offset of a text inside the span of its TOML value. Returns `None` if the value is written with escapes.
fn find_verbatim(source: &str, span: Span, text: &str) -> Option<usize> {
    span.text(source).find(text).map(|offset| span.start + offset)
}

fn run_case(source: &str, expression: &str, program: &Program, case: &Case, notes: &mut Vec<String>) -> CaseResult {
    let record = match build_record(source, case.span, &case.input, notes) {
        Ok(record) => record,
        Err(error) => return CaseResult::Error(error),
    };
    let outcome = program.evaluate(&record);
    let expected = match &case.expected {
        ExpectedResult::Match if outcome == Outcome::True => return CaseResult::Passed,
        ExpectedResult::Match => "a match".to_owned(),
        ExpectedResult::NoMatch if outcome == Outcome::False => return CaseResult::Passed,
        ExpectedResult::NoMatch => "no match".to_owned(),
        ExpectedResult::NoValue if outcome == Outcome::Absent => return CaseResult::Passed,
        ExpectedResult::NoValue => "no value".to_owned(),
        ExpectedResult::Value(value) if matches!(&outcome, Outcome::Value(found) if json::value_to_json(found) == *value) =>
        {
            return CaseResult::Passed;
        }
        ExpectedResult::Value(value) => shorten(&value.to_string()),
    };
    let found = match &outcome {
        Outcome::True => "a match".to_owned(),
        Outcome::False => "no match".to_owned(),
        Outcome::Unknown { fields } => {
            let names: Vec<String> = fields.iter().take(8).map(|name| format!("`{name}`")).collect();
            let others = if fields.len() > names.len() { " and more" } else { "" };
            format!("an unknown result: it depends on {}{others}, which the case does not set", names.join(", "))
        }
        Outcome::Value(value) => shorten(&json::value_to_json(value).to_string()),
        Outcome::Absent => "no value".to_owned(),
    };
    CaseResult::Failed {
        expected,
        found,
        reasons: explain::find_deciding_conditions(expression, &program.trace(&record)),
    }
}

fn build_record(
    source: &str,
    case: Span,
    input: &CaseInput,
    notes: &mut Vec<String>,
) -> Result<Record, Box<Diagnostic>> {
    let mut record = Record::new(input.missing);
    let to_diagnostic = |error: zonewright_request::Error, span: Span| {
        let diagnostic = Diagnostic::error(TEST_REQUEST, span, error.message);
        Box::new(match error.help {
            Some(help) => diagnostic.with_help(help),
            None => diagnostic,
        })
    };
    // Fields are set first, because the request does not overwrite existing fields.
    json::set_fields(&input.fields, &mut record).map_err(|error| to_diagnostic(error, case))?;
    for (name, items) in &input.lists {
        record.set_list(name, items.to_vec());
    }
    if let Some((text, span)) = &input.request {
        let parsed = read_input(text.as_bytes(), &mut record).map_err(|error| {
            let start = find_verbatim(source, *span, text);
            let error_span = start.and_then(|start| error_span(text, start, &error));
            to_diagnostic(error, error_span.unwrap_or(*span))
        })?;
        notes.extend(parsed.notes);
    }
    json::add_deprecated_names(&mut record);
    Ok(record)
}

/// Returns the span of a request error in the test file. The text of the request begins at `start`. The span extends
/// from the column of the error, or from the start of the line if the error has no column, to the end of the line.
fn error_span(text: &str, start: usize, error: &zonewright_request::Error) -> Option<Span> {
    let line = text.split_inclusive('\n').nth(error.line?.checked_sub(1)?)?;
    let line_offset: usize = text.split_inclusive('\n').take(error.line? - 1).map(str::len).sum();
    let skipped_bytes =
        error.column.map_or(0, |column| line.chars().take(column.saturating_sub(1)).map(char::len_utf8).sum());
    let line_start = start + line_offset;
    Some(Span::new(line_start + skipped_bytes, line_start + line.trim_end().len().max(skipped_bytes)))
}
