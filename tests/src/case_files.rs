//! The runner that the suites of case files share: it counts cases and collects failures.

#![allow(clippy::panic, reason = "tests may panic")]

use crate::markdown::{MarkdownElement, rewrite_case_files};

/// The state of one run.
#[derive(Default)]
pub struct CaseReport {
    /// File, line and heading of the current case, for messages.
    pub location: String,
    file: String,
    count: usize,
    /// Results that differ from the files; `UPDATE` writes them.
    differences: Vec<String>,
    /// Failures that an update cannot fix.
    failures: Vec<String>,
}

impl CaseReport {
    /// Sets the position to a block, given by its line and its heading.
    pub fn set_position(&mut self, line: usize, heading: &str) {
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

/// Runs every file of a directory through `answer`, which returns the expected content. With `UPDATE` set, the
/// content is written; without it, the files must be equal to it. Fewer than `min_cases` cases mean that files are
/// missing.
pub fn run(
    folder: &str,
    min_cases: usize,
    mut answer: impl FnMut(&mut CaseReport, Vec<MarkdownElement>) -> Vec<MarkdownElement>,
) {
    let mut cases = CaseReport::default();
    let update = rewrite_case_files(folder, |file, elements| {
        file.clone_into(&mut cases.file);
        answer(&mut cases, elements)
    });
    let CaseReport { count, differences, mut failures, .. } = cases;
    println!("{count} cases");
    assert!(count >= min_cases, "only {count} cases");
    if !update {
        failures.extend(differences);
    }
    assert!(failures.is_empty(), "{}\n\n{} of {count} cases failed", failures.join("\n\n"), failures.len());
}
