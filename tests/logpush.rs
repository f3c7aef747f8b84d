//! Log push filters as cases: runs every file of `spec/logpush/`. Its README describes the format.
//!
//! `UPDATE=1 cargo test -p zonewright-tests --test logpush` writes the results of the engine into the files; read the
//! diff before you keep it.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test may fail")]

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
            if block.holds == "line" {
                self.line.clone_from(&block.text);
                answered.push(MarkdownBlock::Block(block));
                continue;
            }
            if block.holds == "job" {
                answered.extend(self.job(block, &mut pieces));
                continue;
            }
            let list = LINE_BLOCKS.iter().find(|(kind, _)| *kind == block.holds);
            let checked = self.options(&block.options);
            match block.holds.as_str() {
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
                    let ask = list.map(|(_, ask)| *ask).unwrap();
                    answered.push(MarkdownBlock::Block(self.run_lines(block, &checked, ask)));
                }
                _ => {
                    self.cases.fail(&format!("`{}` is not a block of this directory", block.holds));
                    answered.push(MarkdownBlock::Block(block));
                }
            }
        }
        answered
    }

    fn options(&self, words: &str) -> Options {
        options(words).unwrap_or_else(|problem| panic!("{}: {problem}", self.cases.place))
    }

    /// A filter with the answer blocks below it.
    fn filter(&mut self, block: Block, checked: &Options, answers: &[Block]) -> Vec<MarkdownBlock> {
        let found = diagnostics(&block.text, checked);
        let lines: Vec<_> = found.iter().map(|diagnostic| diagnostic_line(&block.text, diagnostic)).collect();
        let fixed = apply_fixes(&block.text, checked);
        let changed = fixed != block.text;
        let source = block.text.clone();
        let mut pieces = vec![MarkdownBlock::Block(block)];
        for (kind, got) in [
            ("diagnostics", Some(lines.join("\n")).filter(|text| !text.is_empty())),
            ("fixed", changed.then_some(fixed)),
        ] {
            let expected = answers.iter().find(|answer| answer.holds == kind).map(|answer| answer.text.clone());
            self.cases.compare(kind, &source, expected.as_deref(), got.as_deref());
            pieces.extend(got.map(|got| MarkdownBlock::Block(Block::new(kind, got))));
        }
        self.cases.count();
        for answer in answers {
            let Some((kind, ask)) = ANSWER_BLOCKS.iter().find(|(kind, _)| *kind == answer.holds) else { continue };
            let case = Case { source: &source, words: &answer.options, options: checked, line: &self.line };
            let got = ask(&case).unwrap_or_else(|problem| panic!("{}: {problem}", self.cases.place));
            self.compare(kind, &source, Some(&answer.text), got.as_deref());
            pieces.extend(got.map(|text| MarkdownBlock::Block(Block { text, ..answer.clone() })));
        }
        pieces
    }

    /// A job with the answer blocks below it: `errors` when it is invalid, else `settings`, or `line` and
    /// `rendered`.
    fn job(&mut self, block: Block, pieces: &mut Peekable<impl Iterator<Item = MarkdownBlock>>) -> Vec<MarkdownBlock> {
        let job = JobCase::read(&block.options, &block.text)
            .unwrap_or_else(|problem| panic!("{}: {problem}", self.cases.place));
        let source = block.text.clone();
        let mut answered = vec![MarkdownBlock::Block(block)];
        let mut below = Vec::new();
        while let Some(MarkdownBlock::Block(answer)) = pieces.next_if(is_about_a_job) {
            below.push(answer);
        }
        let given = |kind: &str| below.iter().find(|answer| answer.holds == kind);
        if let (Some(lines), Some(expected)) = (given("line"), given("rendered")) {
            let got = job.rendered(&lines.text).unwrap_or_else(|problem| panic!("{}: {problem}", self.cases.place));
            self.compare("rendered", &source, Some(&expected.text), Some(&got));
            answered.push(MarkdownBlock::Block(lines.clone()));
            answered.push(MarkdownBlock::Block(Block { text: got, ..expected.clone() }));
            return answered;
        }
        let errors = job.errors();
        let expected = given("errors").map(|answer| answer.text.as_str());
        self.compare("errors", &source, expected, errors.as_deref());
        answered.extend(errors.map(|got| MarkdownBlock::Block(Block::new("errors", got))));
        if let (Some(expected), Some(got)) = (given("settings"), job.settings()) {
            self.compare("settings", &source, Some(&expected.text), Some(&got));
            answered.push(MarkdownBlock::Block(Block { text: got, ..expected.clone() }));
        }
        answered
    }

    fn run_accepted_lines(&mut self, block: &Block, checked: &Options) {
        for source in block.text.lines() {
            let found = diagnostics(source, checked);
            let lines: Vec<_> = found.iter().map(|diagnostic| diagnostic_line(source, diagnostic)).collect();
            self.cases.count();
            if !lines.is_empty() {
                self.cases.fail(&format!("{source}\n  {}", lines.join("\n  ")));
            }
        }
    }

    /// Cases of one line with all diagnostics: with errors when `refused` is set, else with lints only.
    fn run_diagnostic_lines(&mut self, block: Block, checked: &Options, refused: bool) -> Block {
        let mut lines = Vec::new();
        for (source, expected) in split_answers(&block.text) {
            let found = diagnostics(source, checked);
            let got = summarize_diagnostics(source, &found);
            if found.is_empty() || found.iter().any(Diagnostic::is_error) != refused {
                let got = if refused { "accepted" } else { "rejected, or has no diagnostics" };
                self.cases.fail(&format!("{source}\n  is {got}"));
            }
            self.compare(&block.holds, source, Some(expected), Some(&got));
            lines.push(format!("{source} ⇒ {got}"));
        }
        Block { text: lines.join("\n"), ..block }
    }

    /// One case per line, with the expected answer after the arrow.
    fn run_lines(&mut self, block: Block, checked: &Options, ask: AnswerFn) -> Block {
        let mut lines = Vec::new();
        for (source, expected) in split_answers(&block.text) {
            let case = Case { source, words: &block.options, options: checked, line: &self.line };
            let got = ask(&case).unwrap_or_else(|problem| panic!("{}: {source}: {problem}", self.cases.place));
            let got = got.unwrap_or_default().replace('\n', "␊");
            self.compare(&block.holds, source, Some(expected), Some(&got));
            lines.push(format!("{source} ⇒ {got}").trim_end().to_owned());
        }
        Block { text: lines.join("\n"), ..block }
    }

    fn compare(&mut self, what: &str, source: &str, expected: Option<&str>, got: Option<&str>) {
        self.cases.count();
        self.cases.compare(what, source, expected, got);
    }
}

/// The lines of a block, each with the text after its last arrow.
fn split_answers(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().map(|line| line.rsplit_once(" ⇒ ").unwrap_or((line.trim_end_matches(" ⇒"), "")))
}

fn is_answer(piece: &MarkdownBlock) -> bool {
    let MarkdownBlock::Block(block) = piece else { return false };
    let own = ["diagnostics", "fixed"].contains(&block.holds.as_str());
    own || ANSWER_BLOCKS.iter().any(|(kind, _)| *kind == block.holds)
}

fn is_about_a_job(piece: &MarkdownBlock) -> bool {
    let MarkdownBlock::Block(block) = piece else { return false };
    ["errors", "settings", "line", "rendered"].contains(&block.holds.as_str())
}
