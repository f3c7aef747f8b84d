//! Runs the tests of a file.

use crate::file::{self, Case, Expected, Expression, Given, Test};
use crate::report::{CaseReport, CaseResult, Origin, Report, TestReport, short};
use crate::table::problem;
use crate::{MOST_BYTES, TEST_REQUEST, explain};
use zonewright_diagnostic::{Diagnostic, Positions, Problems, Span};
use zonewright_expression::{Outcome, Program, Record, check, code};
use zonewright_request::{json, read_input};

/// Runs the tests of a file. `open` gives the text of a file that a test names (relative to the file
/// of the tests), or says why it cannot.
///
/// With a problem in the file, what is not concerned is still run. The problems of a file are the first 1,000, and how
/// many more.
pub fn run(source: &str, open: &mut dyn FnMut(&str) -> Result<String, String>) -> Report {
    let mut report = Report::default();
    if source.len() > MOST_BYTES {
        let message = format!("{} bytes are too many, at most {MOST_BYTES} are read", source.len());
        report.diagnostics.push(problem(Span::at(0), message));
        return report;
    }
    let mut problems = Problems::default();
    let file = file::read(source, &mut problems);
    let mut places = Positions::new(source);
    for test in file.tests {
        let done = run_test(source, test, &mut places, open, &mut problems);
        report.tests.push(done);
    }
    report.diagnostics = problems.into_diagnostics(code::TOO_MANY_PROBLEMS);
    report
}

fn run_test(
    source: &str,
    test: Test,
    places: &mut Positions<'_>,
    open: &mut dyn FnMut(&str) -> Result<String, String>,
    problems: &mut Problems,
) -> TestReport {
    let (expression, origin) = match test.expression {
        Expression::Here { text, span } => {
            let origin = verbatim(source, span, &text).map_or(Origin::Escaped, Origin::Here);
            (Some(text), origin)
        }
        Expression::File { name, span } => {
            let text = open(&name).map_err(|why| problems.push(problem(span, format!("`{name}`: {why}"))));
            (text.ok(), Origin::File(name))
        }
        Expression::Missing => (None, Origin::Escaped),
    };
    let checked = expression.as_deref().map(|text| check(text, &test.options));
    let (program, diagnostics) = checked.map_or((None, Vec::new()), |checked| (checked.program, checked.diagnostics));
    let expression = expression.unwrap_or_default();
    let run = |case: &Case| {
        let mut notes = Vec::new();
        let result = match &program {
            None => {
                let message = "the expression cannot be evaluated".to_owned();
                CaseResult::Error(Box::new(problem(case.span, message)))
            }
            Some(program) => run_case(source, &expression, program, case, &mut notes),
        };
        (result, notes)
    };
    let report = |case: Case| {
        let (result, notes) = run(&case);
        CaseReport { line: places.at(case.span.start).line, name: case.name, span: case.span, result, notes }
    };
    let cases = test.cases.into_iter().map(report).collect();
    TestReport { name: test.name, span: test.span, expression, origin, diagnostics, cases }
}

/// Where the text stands within a value of the file, if it is written there as it is.
fn verbatim(source: &str, span: Span, text: &str) -> Option<usize> {
    span.text(source).find(text).map(|at| span.start + at)
}

fn run_case(source: &str, expression: &str, program: &Program, case: &Case, notes: &mut Vec<String>) -> CaseResult {
    let record = match record(source, case.span, &case.given, notes) {
        Ok(record) => record,
        Err(problem) => return CaseResult::Error(problem),
    };
    let outcome = program.evaluate(&record);
    let expected = match &case.expected {
        Expected::Match if outcome == Outcome::True => return CaseResult::Passed,
        Expected::Match => "a match".to_owned(),
        Expected::Miss if outcome == Outcome::False => return CaseResult::Passed,
        Expected::Miss => "no match".to_owned(),
        Expected::Nothing if outcome == Outcome::Absent => return CaseResult::Passed,
        Expected::Nothing => "no value".to_owned(),
        Expected::Value(value) if matches!(&outcome, Outcome::Value(found) if json::value_to_json(found) == *value) => {
            return CaseResult::Passed;
        }
        Expected::Value(value) => short(&value.to_string()),
    };
    let found = match &outcome {
        Outcome::True => "a match".to_owned(),
        Outcome::False => "no match".to_owned(),
        Outcome::Unknown { fields } => {
            let names: Vec<String> = fields.iter().take(8).map(|name| format!("`{name}`")).collect();
            let more = if fields.len() > names.len() { " and more" } else { "" };
            format!("unknown: it depends on {}{more}, which the case does not give", names.join(", "))
        }
        Outcome::Value(value) => short(&json::value_to_json(value).to_string()),
        Outcome::Absent => "no value".to_owned(),
    };
    CaseResult::Failed { expected, found, reasons: explain::reasons(expression, &program.trace(&record)) }
}

fn record(source: &str, case: Span, given: &Given, notes: &mut Vec<String>) -> Result<Record, Box<Diagnostic>> {
    let mut record = Record::new(given.missing);
    let refused = |error: zonewright_request::Error, span: Span| {
        let problem = Diagnostic::error(TEST_REQUEST, span, error.message);
        Box::new(match error.help {
            Some(help) => problem.with_help(help),
            None => problem,
        })
    };
    // Fields first: what is given stays when the request is read.
    json::set_fields(&given.fields, &mut record).map_err(|error| refused(error, case))?;
    for (name, items) in &given.lists {
        record.set_list(name, items.to_vec());
    }
    if let Some((text, span)) = &given.request {
        let reading = read_input(text.as_bytes(), &mut record).map_err(|error| {
            let place = verbatim(source, *span, text).and_then(|start| place_of(text, start, &error));
            refused(error, place.unwrap_or(*span))
        })?;
        notes.extend(reading.notes);
    }
    json::add_deprecated_names(&mut record);
    Ok(record)
}

/// The place in the file of an error in a text that begins there: from its column, or its whole line.
fn place_of(text: &str, start: usize, error: &zonewright_request::Error) -> Option<Span> {
    let line = text.split_inclusive('\n').nth(error.line?.checked_sub(1)?)?;
    let before: usize = text.split_inclusive('\n').take(error.line? - 1).map(str::len).sum();
    let skipped =
        error.column.map_or(0, |column| line.chars().take(column.saturating_sub(1)).map(char::len_utf8).sum());
    let line_start = start + before;
    Some(Span::new(line_start + skipped, line_start + line.trim_end().len().max(skipped)))
}
