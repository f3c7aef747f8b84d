//! The runner that the suites of case files share: it counts cases and collects failures.

#![allow(clippy::panic, reason = "tests may panic")]

use crate::markdown::{MarkdownElement, rewrite_case_files};

/// The progress and the failures of one run of a suite.
#[derive(Default)]
pub struct SuiteReport {
    /// File, line and heading of the current case, for messages.
    pub location: String,
    file: String,
    count: usize,
    /// Results that differ from the files. They are failures unless `UPDATE` is set.
    differences: Vec<String>,
    /// Failures that an update cannot fix.
    failures: Vec<String>,
}

impl SuiteReport {
    /// Sets the location to a block, given by its line and its heading.
    pub fn set_location(&mut self, line: usize, heading: &str) {
        self.location = format!("{}:{line} {heading}", self.file);
    }

    /// Counts a case that was compared.
    pub fn count(&mut self) {
        self.count += 1;
    }

    /// Compares a result with the block in the file; `None` is an absent block. `name` is the kind of result.
    pub fn compare(&mut self, name: &str, source: &str, expected: Option<&str>, actual: Option<&str>) {
        if expected != actual {
            let show = |text: Option<&str>| text.unwrap_or("nothing").replace('\n', "\n            ");
            let (expected, actual) = (show(expected), show(actual));
            let location = &self.location;
            self.differences
                .push(format!("{location} ({name})\n  {source}\n  expected: {expected}\n  got:      {actual}"));
        }
    }

    /// Records a failure that an update cannot fix.
    pub fn fail(&mut self, problem: &str) {
        self.failures.push(format!("{}: {problem}", self.location));
    }
}

/// Passes every case file of a directory to `answer`, which returns the elements of the file with the actual results.
/// With `UPDATE` set, the file is rewritten with these elements. Otherwise, each difference that
/// [`SuiteReport::compare`] found is a failure. Fewer than `min_cases` cases also fail, because files are missing.
///
/// # Panics
///
/// When a case fails or cases are missing.
pub fn run(
    folder: &str,
    min_cases: usize,
    mut answer: impl FnMut(&mut SuiteReport, Vec<MarkdownElement>) -> Vec<MarkdownElement>,
) {
    let mut report = SuiteReport::default();
    let update = rewrite_case_files(folder, |file, elements| {
        file.clone_into(&mut report.file);
        answer(&mut report, elements)
    });
    let SuiteReport { count, differences, mut failures, .. } = report;
    println!("{count} cases");
    assert!(count >= min_cases, "only {count} cases");
    if !update {
        failures.extend(differences);
    }
    assert!(failures.is_empty(), "{}\n\n{} of {count} cases failed", failures.join("\n\n"), failures.len());
}
