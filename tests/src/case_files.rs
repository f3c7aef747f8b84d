//! What runners of case files share: counting, and telling what differs.

#![allow(clippy::panic, reason = "a test may fail")]

use crate::markdown::{Piece, answer_files};

/// What has been run so far.
#[derive(Default)]
pub struct Cases {
    /// The file, and where in it the case stands.
    pub place: String,
    file: String,
    count: usize,
    /// Answers other than the files say; an update mends them.
    differences: Vec<String>,
    /// What no update can mend.
    wrong: Vec<String>,
}

impl Cases {
    /// Goes to the block of this line, under this heading.
    pub fn go_to(&mut self, line: usize, heading: &str) {
        self.place = format!("{}:{line} {heading}", self.file);
    }

    /// Counts a case that was compared.
    pub fn count(&mut self) {
        self.count += 1;
    }

    /// Holds an answer against what the file says; nothing stands for no block. `what` was asked of `source`.
    pub fn compare(&mut self, what: &str, source: &str, expected: Option<&str>, got: Option<&str>) {
        if expected != got {
            let show = |text: Option<&str>| text.unwrap_or("nothing").replace('\n', "\n            ");
            let (expected, got) = (show(expected), show(got));
            let place = &self.place;
            self.differences.push(format!("{place} ({what})\n  {source}\n  expected: {expected}\n  got:      {got}"));
        }
    }

    /// Takes down what no update can mend.
    pub fn wrong(&mut self, problem: &str) {
        self.wrong.push(format!("{}: {problem}", self.place));
    }
}

/// Runs every file of a folder through `answer`, which gives the file as it should be. With `UPDATE` set, the
/// files become that; without, they have to be it. Fewer cases than `fewest` mean that files got lost.
pub fn run(folder: &str, fewest: usize, mut answer: impl FnMut(&mut Cases, Vec<Piece>) -> Vec<Piece>) {
    let mut cases = Cases::default();
    let update = answer_files(folder, |file, pieces| {
        file.clone_into(&mut cases.file);
        answer(&mut cases, pieces)
    });
    let Cases { count, differences, mut wrong, .. } = cases;
    println!("{count} cases");
    assert!(count >= fewest, "only {count} cases");
    if !update {
        wrong.extend(differences);
    }
    assert!(wrong.is_empty(), "{}\n\n{} of {count} cases failed", wrong.join("\n\n"), wrong.len());
}
