//! `zonewright test`: runs files of test cases.

use crate::input::{self, display_name};
use crate::output::{EXIT_OK, EXIT_PROBLEMS, EXIT_USAGE, print_error, style_for, write_stdout};
use clap::Args;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use zonewright_cases::{
    CaseResult, ExpressionOrigin, Report, ResultCounts, TEST_FAILED, TestReport, run_tests, to_junit_xml,
};
use zonewright_diagnostic::{Diagnostic, RenderStyle, Span, pluralize, render, render_all};

const AFTER_HELP: &str = "\
A test file is TOML:

  missing = \"absent\"
  [lists]
  office = [\"192.0.2.0/24\"]

  [[test]]
  name = \"only the office can reach the admin pages\"
  expression = 'starts_with(http.request.uri.path, \"/admin\") and not ip.src in $office'
  [[test.match]]
  request = \"https://www.example.com/admin/users\"
  fields = { \"ip.src\" = \"203.0.113.7\" }
  [[test.miss]]
  request = \"curl https://www.example.com/admin -A me\"
  fields = { \"ip.src\" = \"192.0.2.7\" }

A test has an `expression`, or a `file` that contains it (a path relative to the test file). Its cases are `match`
and `miss`. A value expression has `returns` cases instead, with the expected `value` or `no_value = true`. A case
has a `name`, a `request` (raw HTTP, curl, a URL, HAR, or fields as JSON), and `fields` that override it; `absent` names
fields that the request does not have. You can also set `request`, `fields`, `absent`, `lists`, `missing`, `phase`,
and `plan` for a test or at the top of the file. `kind = \"counting\"` in a test is for the counting expression of a
rate limit. A field without a value is unknown unless `missing` is \"absent\". A case with an unknown result fails.

Exit code: 0 if every case passed; 1 if a case failed; 2 on a usage error, or if a file cannot be read or has an
error (the tests that it does not affect still run). An error in a file is not a case: it is counted separately,
and is an <error> in the JUnit report.";

const FILE_NOT_FOUND: &str = "no such file";

/// Run test cases: requests that expressions must or must not match.
#[derive(Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Files with test cases; `-` for standard input.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Write a JUnit XML report to this file.
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
}

/// Runs the subcommand.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let mut io_failed = false;
    let mut reports: Vec<(String, String, Report)> = Vec::new();
    for path in &arguments.files {
        let name = path.to_string_lossy().into_owned();
        match read_test_file(path) {
            Ok(source) => {
                let report = run_tests(&source, &mut |file| read_expression_file(path, file));
                reports.push((display_name(&name).to_owned(), source, report));
            }
            Err(error) => {
                print_error(&format!("{}: {error}", display_name(&name)));
                io_failed = true;
            }
        }
    }
    if let Some(path) = &arguments.junit {
        let xml = to_junit_xml(reports.iter().map(|(name, _, report)| (name.as_str(), report)));
        if let Err(error) = fs::write(path, xml) {
            print_error(&format!("{}: cannot write the file: {error}", path.display()));
            io_failed = true;
        }
    }
    let counts = reports.iter().fold(ResultCounts::default(), |counts, (_, _, report)| counts + report.counts());
    let style = style_for(&std::io::stdout());
    let mut text: String =
        reports.iter().map(|(name, source, report)| render_report(name, source, report, style)).collect();
    if !reports.is_empty() {
        text.push_str(&summary(reports.len(), counts));
    }
    let code = match (io_failed || counts.file_errors > 0, counts.all_passed()) {
        (true, _) => EXIT_USAGE,
        (false, true) => EXIT_OK,
        (false, false) => EXIT_PROBLEMS,
    };
    write_stdout(&text, code)
}

fn read_test_file(path: &Path) -> Result<String, String> {
    input::decode_utf8(input::read_bytes(path, zonewright_cases::MAX_FILE_BYTES, FILE_NOT_FOUND)?)
}

/// Reads the expression file that a test names. Its path is relative to the test file.
fn read_expression_file(tests: &Path, file: &str) -> Result<String, String> {
    input::read_source(&tests.parent().unwrap_or(Path::new("")).join(file), FILE_NOT_FOUND)
}

fn summary(files: usize, counts: ResultCounts) -> String {
    let location = if files == 1 { "in the file" } else { "in the files" };
    let files = if files == 1 { String::new() } else { format!(" in {}", pluralize(files, "file")) };
    let mut parts = Vec::new();
    let mut add = |count: usize, noun: &str| parts.extend((count > 0).then(|| format!("{count} {noun}")));
    add(counts.passed, "passed");
    add(counts.failed, "failed");
    add(counts.errors, "could not be run");
    let cases = pluralize(counts.total(), "case");
    let cases =
        if parts.is_empty() { format!("{cases}{files}") } else { format!("{cases}{files}: {}", parts.join(", ")) };
    match counts.file_errors {
        0 => format!("{cases}\n"),
        file_errors => format!("{cases}; {} {location}\n", pluralize(file_errors, "error")),
    }
}

/// Renders all errors and failed cases under the lines of the file.
fn render_report(name: &str, source: &str, report: &Report, style: RenderStyle) -> String {
    let mut text = String::new();
    let mut add = |rendered: String| {
        text.push_str(&rendered);
        text.push('\n');
    };
    if !report.diagnostics.is_empty() {
        add(render_all(source, name, &report.diagnostics, style));
    }
    for test in &report.tests {
        let errors: Vec<Diagnostic> =
            test.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).cloned().collect();
        match &test.origin {
            _ if errors.is_empty() => {}
            ExpressionOrigin::Inline(offset) => {
                let shifted: Vec<Diagnostic> =
                    errors.into_iter().map(|diagnostic| shift_diagnostic(diagnostic, *offset)).collect();
                add(render_all(source, name, &shifted, style));
            }
            ExpressionOrigin::Escaped => {
                add(render_all(&test.expression, &format!("{name}, {}", test.name), &errors, style))
            }
            ExpressionOrigin::File(file) => add(render_all(&test.expression, file, &errors, style)),
        }
        for case in &test.cases {
            match &case.result {
                CaseResult::Passed => {}
                // The diagnostics of the test, rendered above, are the reason.
                CaseResult::Error(_) if test.diagnostics.iter().any(Diagnostic::is_error) => {}
                CaseResult::Error(problem) => add(render(source, name, problem, style)),
                CaseResult::Failed { expected, found, .. } => {
                    let message = format!("{}, {}: expected {expected}, found {found}", test.name, case.name);
                    add(render(source, name, &failure_diagnostic(test, case, message), style));
                }
            }
        }
    }
    text
}

/// Creates the diagnostic of a failed case. Deciding conditions are related spans if the expression is inline;
/// otherwise they are in the help.
fn failure_diagnostic(test: &TestReport, case: &zonewright_cases::CaseReport, message: String) -> Diagnostic {
    let mut diagnostic = Diagnostic::error(TEST_FAILED, case.span, message);
    let CaseResult::Failed { reasons, .. } = &case.result else { return diagnostic };
    for reason in reasons {
        diagnostic = match test.origin {
            ExpressionOrigin::Inline(offset) => {
                diagnostic.with_related(shift_span(reason.span, offset), reason.describe())
            }
            _ => {
                let before = diagnostic.help.take().map_or(String::new(), |help| format!("{help}; "));
                diagnostic.with_help(format!("{before}{}", reason.describe()))
            }
        };
    }
    for note in &case.notes {
        diagnostic = diagnostic.with_related(case.span, note.clone());
    }
    diagnostic
}

fn shift_span(span: Span, offset: usize) -> Span {
    Span::new(span.start + offset, span.end + offset)
}

/// Moves a diagnostic of an expression to its position in the file that contains the expression. Edits of fixes are not
/// shifted, because only their titles are rendered.
fn shift_diagnostic(mut diagnostic: Diagnostic, offset: usize) -> Diagnostic {
    diagnostic.span = shift_span(diagnostic.span, offset);
    for related in &mut diagnostic.related {
        related.span = shift_span(related.span, offset);
    }
    diagnostic
}
