//! Formats reports as JUnit XML, which CI servers read.

use crate::TEST_FILE;
use crate::report::{CaseReport, CaseResult, Report, ResultCounts, TestReport};

/// Formats the reports of named files as one document.
///
/// Each case is a `testcase` in the `testsuite` of its file, with the name of its test as `classname`. JUnit has no
/// element for an error in the file itself, so such an error is a `testcase` with the name of the file.
pub fn to_junit_xml<'a>(files: impl IntoIterator<Item = (&'a str, &'a Report)>) -> String {
    let mut suites = String::new();
    let mut total = ResultCounts::default();
    for (name, report) in files {
        let counts = report.counts();
        total = total + counts;
        suites.push_str(&format!("  <testsuite name=\"{}\"{}>\n", escape_xml(name), format_count_attributes(counts)));
        for diagnostic in report.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()) {
            suites.push_str(&format!("    <testcase classname=\"{0}\" name=\"{0}\">\n", escape_xml(name)));
            let help = escape_xml(diagnostic.help.as_deref().unwrap_or_default());
            let message = escape_xml(&diagnostic.message);
            suites.push_str(&format!(
                "      <error type=\"{TEST_FILE}\" message=\"{message}\">{help}</error>\n    </testcase>\n"
            ));
        }
        for test in &report.tests {
            for case in &test.cases {
                suites.push_str(&format_test_case(name, test, case));
            }
        }
        suites.push_str("  </testsuite>\n");
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"zonewright\"{}>\n{suites}</testsuites>\n",
        format_count_attributes(total)
    )
}

fn format_count_attributes(counts: ResultCounts) -> String {
    // An error in the file itself is also a `testcase` element, so it is counted.
    let (tests, errors) = (counts.total() + counts.file_errors, counts.errors + counts.file_errors);
    format!(" tests=\"{tests}\" failures=\"{}\" errors=\"{errors}\" skipped=\"0\"", counts.failed)
}

fn format_test_case(file: &str, test: &TestReport, case: &CaseReport) -> String {
    let open_tag = format!(
        "    <testcase classname=\"{}\" name=\"{}\" file=\"{}\" line=\"{}\"",
        escape_xml(&test.name),
        escape_xml(&case.name),
        escape_xml(file),
        case.line
    );
    let with_child = |element: &str, message: &str, text: &str| {
        format!(
            "{open_tag}>\n      <{element} message=\"{}\">{}</{element}>\n    </testcase>\n",
            escape_xml(message),
            escape_xml(text)
        )
    };
    match &case.result {
        CaseResult::Passed => format!("{open_tag}/>\n"),
        CaseResult::Failed { expected, found, reasons } => {
            let reasons = reasons.iter().map(crate::DecidingCondition::describe);
            let lines: Vec<String> = reasons.chain(case.notes.iter().cloned()).collect();
            with_child("failure", &format!("expected {expected}, found {found}"), &lines.join("\n"))
        }
        CaseResult::Error(diagnostic) => {
            let expression_error = test.diagnostics.iter().find(|diagnostic| diagnostic.is_error());
            let text = expression_error.map(|error| error.message.as_str()).or(diagnostic.help.as_deref());
            with_child("error", &diagnostic.message, text.unwrap_or_default())
        }
    }
}

/// Escapes a text for XML 1.0. Characters that XML cannot represent become U+FFFD.
fn escape_xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            '\t' => out.push_str("&#9;"),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
