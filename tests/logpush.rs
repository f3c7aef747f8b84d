//! Log push filters as cases: runs every file of `spec/logpush/`. Its README describes the format.
//!
//! `UPDATE=1 cargo test -p zonewright-tests --test logpush` writes the results of the engine into the files; read the
//! diff before you keep it.

#![allow(clippy::panic, clippy::unwrap_used, reason = "tests may panic")]

use std::iter::Peekable;
use zonewright_diagnostic::Diagnostic;
use zonewright_logpush::Options;
use zonewright_tests::case_files::{CaseReport, run};
use zonewright_tests::expression::{diagnostic_line, summarize_diagnostics};
use zonewright_tests::filter_case::Case;
use zonewright_tests::logpush::{ANSWER_BLOCKS, AnswerFn, LINE_BLOCKS, apply_fixes, diagnostics, options};
use zonewright_tests::logpush_jobs::JobCase;
use zonewright_tests::markdown::{Block, MarkdownBlock};

/// A lower number of cases means that files are missing.
const MIN_CASES: usize = 200;

#[test]
fn logpush_case_files_match() {
    run("spec/logpush", MIN_CASES, |cases, pieces| CaseRunner { cases, line: String::new() }.run_file(pieces));
}

struct CaseRunner<'a> {
    cases: &'a mut CaseReport,
    /// The last `line` block.
    line: String,
}

impl CaseRunner<'_> {
    /// Runs the cases of a file and returns the expected content of the file.
    fn run_file(&mut self, pieces: Vec<MarkdownBlock>) -> Vec<MarkdownBlock> {
        let mut answered = Vec::new();
        let mut heading = String::new();
        let mut pieces = pieces.into_iter().peekable();
        while let Some(piece) = pieces.next() {
            let block = match piece {
                MarkdownBlock::Block(block) => block,
                MarkdownBlock::Heading(level, text) => {
                    heading.clone_from(&text);
                    answered.push(MarkdownBlock::Heading(level, text));
                    continue;
                }
                MarkdownBlock::Line(_) => {
                    answered.push(piece);
                    continue;
                }
            };
            self.cases.set_position(block.line, &heading);
            if block.kind == "line" {
                self.line.clone_from(&block.text);
                answered.push(MarkdownBlock::Block(block));
                continue;
            }
            if block.kind == "job" {
                answered.extend(self.job(block, &mut pieces));
                continue;
            }
            let list = LINE_BLOCKS.iter().find(|(kind, _)| *kind == block.kind);
            let checked = self.options(&block.options);
            match block.kind.as_str() {
                "filter" => {
                    let mut answers = Vec::new();
                    while let Some(MarkdownBlock::Block(answer)) = pieces.next_if(is_answer) {
                        answers.push(answer);
                    }
                    answered.extend(self.filter(block, &checked, &answers));
                }
                "filters" => {
                    self.run_accepted_lines(&block, &checked);
                    answered.push(MarkdownBlock::Block(block));
                }
                "refused" => answered.push(MarkdownBlock::Block(self.run_diagnostic_lines(block, &checked, true))),
                "suspicious" => answered.push(MarkdownBlock::Block(self.run_diagnostic_lines(block, &checked, false))),
                _ if list.is_some() => {
                    let answer_fn = list.map(|(_, answer_fn)| *answer_fn).unwrap();
                    answered.push(MarkdownBlock::Block(self.run_lines(block, &checked, answer_fn)));
                }
                _ => {
                    self.cases.fail(&format!("`{}` is not a block of this directory", block.kind));
                    answered.push(MarkdownBlock::Block(block));
                }
            }
        }
        answered
    }

    fn options(&self, option_text: &str) -> Options {
        options(option_text).unwrap_or_else(|problem| panic!("{}: {problem}", self.cases.location))
    }

    /// A filter with the answer blocks below it.
    fn filter(&mut self, block: Block, checked: &Options, answers: &[Block]) -> Vec<MarkdownBlock> {
        let diagnostics = diagnostics(&block.text, checked);
        let lines: Vec<_> = diagnostics.iter().map(|diagnostic| diagnostic_line(&block.text, diagnostic)).collect();
        let fixed = apply_fixes(&block.text, checked);
        let changed = fixed != block.text;
        let source = block.text.clone();
        let mut pieces = vec![MarkdownBlock::Block(block)];
        for (kind, actual) in [
            ("diagnostics", Some(lines.join("\n")).filter(|text| !text.is_empty())),
            ("fixed", changed.then_some(fixed)),
        ] {
            let expected = answers.iter().find(|answer| answer.kind == kind).map(|answer| answer.text.clone());
            self.cases.compare(kind, &source, expected.as_deref(), actual.as_deref());
            pieces.extend(actual.map(|actual| MarkdownBlock::Block(Block::new(kind, actual))));
        }
        self.cases.count();
        for answer in answers {
            let Some((kind, answer_fn)) = ANSWER_BLOCKS.iter().find(|(kind, _)| *kind == answer.kind) else { continue };
            let case = Case { source: &source, option_text: &answer.options, options: checked, line: &self.line };
            let actual = answer_fn(&case).unwrap_or_else(|problem| panic!("{}: {problem}", self.cases.location));
            self.compare(kind, &source, Some(&answer.text), actual.as_deref());
            pieces.extend(actual.map(|text| MarkdownBlock::Block(Block { text, ..answer.clone() })));
        }
        pieces
    }

    /// A job with the answer blocks below it: `errors` when it is invalid, else `settings`, or `line` and
    /// `rendered`.
    fn job(&mut self, block: Block, pieces: &mut Peekable<impl Iterator<Item = MarkdownBlock>>) -> Vec<MarkdownBlock> {
        let job = JobCase::read(&block.options, &block.text)
            .unwrap_or_else(|problem| panic!("{}: {problem}", self.cases.location));
        let source = block.text.clone();
        let mut answered = vec![MarkdownBlock::Block(block)];
        let mut below = Vec::new();
        while let Some(MarkdownBlock::Block(answer)) = pieces.next_if(is_about_a_job) {
            below.push(answer);
        }
        let find_answer = |kind: &str| below.iter().find(|answer| answer.kind == kind);
        if let (Some(lines), Some(expected)) = (find_answer("line"), find_answer("rendered")) {
            let actual =
                job.rendered(&lines.text).unwrap_or_else(|problem| panic!("{}: {problem}", self.cases.location));
            self.compare("rendered", &source, Some(&expected.text), Some(&actual));
            answered.push(MarkdownBlock::Block(lines.clone()));
            answered.push(MarkdownBlock::Block(Block { text: actual, ..expected.clone() }));
            return answered;
        }
        let errors = job.errors();
        let expected = find_answer("errors").map(|answer| answer.text.as_str());
        self.compare("errors", &source, expected, errors.as_deref());
        answered.extend(errors.map(|actual| MarkdownBlock::Block(Block::new("errors", actual))));
        if let (Some(expected), Some(actual)) = (find_answer("settings"), job.settings()) {
            self.compare("settings", &source, Some(&expected.text), Some(&actual));
            answered.push(MarkdownBlock::Block(Block { text: actual, ..expected.clone() }));
        }
        answered
    }

    fn run_accepted_lines(&mut self, block: &Block, checked: &Options) {
        for source in block.text.lines() {
            let diagnostics = diagnostics(source, checked);
            let lines: Vec<_> = diagnostics.iter().map(|diagnostic| diagnostic_line(source, diagnostic)).collect();
            self.cases.count();
            if !lines.is_empty() {
                self.cases.fail(&format!("{source}\n  {}", lines.join("\n  ")));
            }
        }
    }

    /// Cases of one line with all diagnostics: with errors when `expects_errors` is set, else with lints only.
    fn run_diagnostic_lines(&mut self, block: Block, checked: &Options, expects_errors: bool) -> Block {
        let mut lines = Vec::new();
        for (source, expected) in split_answers(&block.text) {
            let diagnostics = diagnostics(source, checked);
            let actual = summarize_diagnostics(source, &diagnostics);
            if diagnostics.is_empty() || diagnostics.iter().any(Diagnostic::is_error) != expects_errors {
                let actual = if expects_errors { "accepted" } else { "rejected, or has no diagnostics" };
                self.cases.fail(&format!("{source}\n  is {actual}"));
            }
            self.compare(&block.kind, source, Some(expected), Some(&actual));
            lines.push(format!("{source} ⇒ {actual}"));
        }
        Block { text: lines.join("\n"), ..block }
    }

    /// One case per line, with the expected answer after the arrow.
    fn run_lines(&mut self, block: Block, checked: &Options, answer_fn: AnswerFn) -> Block {
        let mut lines = Vec::new();
        for (source, expected) in split_answers(&block.text) {
            let case = Case { source, option_text: &block.options, options: checked, line: &self.line };
            let actual =
                answer_fn(&case).unwrap_or_else(|problem| panic!("{}: {source}: {problem}", self.cases.location));
            let actual = actual.unwrap_or_default().replace('\n', "␊");
            self.compare(&block.kind, source, Some(expected), Some(&actual));
            lines.push(format!("{source} ⇒ {actual}").trim_end().to_owned());
        }
        Block { text: lines.join("\n"), ..block }
    }

    fn compare(&mut self, block_name: &str, source: &str, expected: Option<&str>, actual: Option<&str>) {
        self.cases.count();
        self.cases.compare(block_name, source, expected, actual);
    }
}

/// The lines of a block, each with the text after its last arrow.
fn split_answers(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().map(|line| line.rsplit_once(" ⇒ ").unwrap_or((line.trim_end_matches(" ⇒"), "")))
}

fn is_answer(piece: &MarkdownBlock) -> bool {
    let MarkdownBlock::Block(block) = piece else { return false };
    let own = ["diagnostics", "fixed"].contains(&block.kind.as_str());
    own || ANSWER_BLOCKS.iter().any(|(kind, _)| *kind == block.kind)
}

fn is_about_a_job(piece: &MarkdownBlock) -> bool {
    let MarkdownBlock::Block(block) = piece else { return false };
    ["errors", "settings", "line", "rendered"].contains(&block.kind.as_str())
}
