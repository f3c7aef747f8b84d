//! Reports in the XML of JUnit, which build servers read.

use crate::TEST_FILE;
use crate::report::{CaseReport, CaseResult, Counts, Report, TestReport};

/// The reports of files by their names, as one document. Each case is a `testcase` in the `testsuite`
/// of its file, with the name of its test as `classname`; a mistake of the file itself, for which JUnit
/// has no place, is one with the name of the file and an `error` in it.
pub fn junit<'a>(files: impl IntoIterator<Item = (&'a str, &'a Report)>) -> String {
    let mut suites = String::new();
    let mut total = Counts::default();
    for (name, report) in files {
        let counts = report.counts();
        total = total + counts;
        suites.push_str(&format!("  <testsuite name=\"{}\"{}>\n", escaped(name), attributes(counts)));
        for diagnostic in report.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()) {
            suites.push_str(&format!("    <testcase classname=\"{0}\" name=\"{0}\">\n", escaped(name)));
            let help = escaped(diagnostic.help.as_deref().unwrap_or_default());
            let message = escaped(&diagnostic.message);
            suites.push_str(&format!(
                "      <error type=\"{TEST_FILE}\" message=\"{message}\">{help}</error>\n    </testcase>\n"
            ));
        }
        for test in &report.tests {
            for one in &test.cases {
                suites.push_str(&case(name, test, one));
            }
        }
        suites.push_str("  </testsuite>\n");
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"zonewright\"{}>\n{suites}</testsuites>\n",
        attributes(total)
    )
}

fn attributes(counts: Counts) -> String {
    // The numbers are those of the elements.
    let (tests, errors) = (counts.cases() + counts.mistakes, counts.errors + counts.mistakes);
    format!(" tests=\"{tests}\" failures=\"{}\" errors=\"{errors}\" skipped=\"0\"", counts.failed)
}

fn case(file: &str, test: &TestReport, case: &CaseReport) -> String {
    let start = format!(
        "    <testcase classname=\"{}\" name=\"{}\" file=\"{}\" line=\"{}\"",
        escaped(&test.name),
        escaped(&case.name),
        escaped(file),
        case.line
    );
    let problem = |element: &str, message: &str, text: &str| {
        format!(
            "{start}>\n      <{element} message=\"{}\">{}</{element}>\n    </testcase>\n",
            escaped(message),
            escaped(text)
        )
    };
    match &case.result {
        CaseResult::Passed => format!("{start}/>\n"),
        CaseResult::Failed { expected, found, reasons } => {
            let reasons = reasons.iter().map(crate::Reason::sentence);
            let lines: Vec<String> = reasons.chain(case.notes.iter().cloned()).collect();
            problem("failure", &format!("expected {expected}, found {found}"), &lines.join("\n"))
        }
        CaseResult::Error(diagnostic) => {
            let first = test.diagnostics.iter().find(|diagnostic| diagnostic.is_error());
            let text = first.map(|first| first.message.as_str()).or(diagnostic.help.as_deref());
            problem("error", &diagnostic.message, text.unwrap_or_default())
        }
    }
}

/// Text for XML 1.0, in which most control characters cannot stand in any form.
fn escaped(text: &str) -> String {
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
