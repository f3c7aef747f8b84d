//! Runs the log push filters and jobs in the case files of `spec/logpush/`. Its README describes the format.
//!
//! `UPDATE=1 cargo test -p zonewright-tests --test logpush` writes the results of the engine into the files; read the
//! diff before you keep it.

#![allow(clippy::panic, clippy::unwrap_used, reason = "tests may panic")]

use std::iter::Peekable;
use std::path::Path;
use zonewright_diagnostic::Diagnostic;
use zonewright_logpush::Options;
use zonewright_tests::case_files::{SuiteReport, run};
use zonewright_tests::expression::{diagnostic_line, summarize_diagnostics};
use zonewright_tests::filter_case::Case;
use zonewright_tests::logpush::{ANSWER_BLOCKS, AnswerFn, LINE_BLOCKS, apply_fixes, diagnostics, options};
use zonewright_tests::logpush_jobs::JobCase;
use zonewright_tests::markdown::{Block, MarkdownElement};

/// A lower number of cases means that files are missing.
const MIN_CASES: usize = 200;

#[test]
fn logpush_case_files_match() {
    run("spec/logpush", MIN_CASES, |cases, elements| CaseRunner { cases, line: String::new() }.run_file(elements));
}

#[test]
fn jobs_have_cases_of_every_member() {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("spec/logpush/jobs.md")).unwrap();
    let section = |heading: &str| text.split(&format!("## {heading}\n")).nth(1).unwrap().split("\n## ").next().unwrap();
    // The message about an unknown member lists all members.
    let (_, names) = section("Unknown members").split_once("allowed members: ").unwrap();
    let names: Vec<&str> = names.lines().next().unwrap().split('`').skip(1).step_by(2).collect();
    for (heading, exceptions) in [
        // This service has no transformers, and output options replace the older form.
        ("A job with every member", &["logpull_options", "transformer_id"][..]),
        ("A wrong type for every member", &[]),
    ] {
        let is_missing =
            |name: &&&str| !section(heading).contains(&format!("\"{name}\":")) && !exceptions.contains(*name);
        let missing: Vec<_> = names.iter().filter(is_missing).collect();
        assert!(missing.is_empty(), "`{heading}` in tests/spec/logpush/jobs.md does not have {missing:?}");
    }
}

struct CaseRunner<'a> {
    cases: &'a mut SuiteReport,
    /// The last `line` block.
    line: String,
}

impl CaseRunner<'_> {
    /// Runs the cases of a file and returns its elements with the actual results.
    fn run_file(&mut self, elements: Vec<MarkdownElement>) -> Vec<MarkdownElement> {
        let mut output = Vec::new();
        let mut heading = String::new();
        let mut elements = elements.into_iter().peekable();
        while let Some(element) = elements.next() {
            let block = match element {
                MarkdownElement::Block(block) => block,
                MarkdownElement::Heading(level, text) => {
                    heading.clone_from(&text);
                    output.push(MarkdownElement::Heading(level, text));
                    continue;
                }
                MarkdownElement::Line(_) => {
                    output.push(element);
                    continue;
                }
            };
            self.cases.set_location(block.line, &heading);
            if block.kind == "line" {
                self.line.clone_from(&block.text);
                output.push(MarkdownElement::Block(block));
                continue;
            }
            if block.kind == "job" {
                output.extend(self.run_job(block, &mut elements));
                continue;
            }
            let list = LINE_BLOCKS.iter().find(|(kind, _)| *kind == block.kind);
            let options = self.options(&block.options);
            match block.kind.as_str() {
                "filter" => {
                    let mut answers = Vec::new();
                    while let Some(MarkdownElement::Block(answer)) = elements.next_if(is_answer) {
                        answers.push(answer);
                    }
                    output.extend(self.run_filter(block, &options, &answers));
                }
                "filters" => {
                    self.run_accepted_lines(&block, &options);
                    output.push(MarkdownElement::Block(block));
                }
                "rejected" => output.push(MarkdownElement::Block(self.run_diagnostic_lines(block, &options, true))),
                "suspicious" => output.push(MarkdownElement::Block(self.run_diagnostic_lines(block, &options, false))),
                _ if list.is_some() => {
                    let answer_fn = list.map(|(_, answer_fn)| *answer_fn).unwrap();
                    output.push(MarkdownElement::Block(self.run_lines(block, &options, answer_fn)));
                }
                _ => {
                    self.cases.fail(&format!("`{}` is not a block of this directory", block.kind));
                    output.push(MarkdownElement::Block(block));
                }
            }
        }
        output
    }

    fn options(&self, option_text: &str) -> Options {
        options(option_text).unwrap_or_else(|problem| panic!("{}: {problem}", self.cases.location))
    }

    /// Runs a filter with the answer blocks below it.
    fn run_filter(&mut self, block: Block, options: &Options, answers: &[Block]) -> Vec<MarkdownElement> {
        let diagnostics = diagnostics(&block.text, options);
        let lines: Vec<_> = diagnostics.iter().map(|diagnostic| diagnostic_line(&block.text, diagnostic)).collect();
        let fixed = apply_fixes(&block.text, options);
        let changed = fixed != block.text;
        let source = block.text.clone();
        let mut elements = vec![MarkdownElement::Block(block)];
        for (kind, actual) in [
            ("diagnostics", Some(lines.join("\n")).filter(|text| !text.is_empty())),
            ("fixed", changed.then_some(fixed)),
        ] {
            let expected = answers.iter().find(|answer| answer.kind == kind).map(|answer| answer.text.clone());
            self.cases.compare(kind, &source, expected.as_deref(), actual.as_deref());
            elements.extend(actual.map(|actual| MarkdownElement::Block(Block::new(kind, actual))));
        }
        self.cases.count();
        for answer in answers {
            let Some((kind, answer_fn)) = ANSWER_BLOCKS.iter().find(|(kind, _)| *kind == answer.kind) else { continue };
            let case = Case { source: &source, option_text: &answer.options, options, line: &self.line };
            let actual = answer_fn(&case).unwrap_or_else(|problem| panic!("{}: {problem}", self.cases.location));
            self.compare(kind, &source, Some(&answer.text), actual.as_deref());
            elements.extend(actual.map(|text| MarkdownElement::Block(Block { text, ..answer.clone() })));
        }
        elements
    }

    /// Runs a job with the answer blocks below it: `errors` when it is invalid, else `settings`, or `line` and
    /// `rendered`.
    fn run_job(
        &mut self,
        block: Block,
        elements: &mut Peekable<impl Iterator<Item = MarkdownElement>>,
    ) -> Vec<MarkdownElement> {
        let job = JobCase::read(&block.options, &block.text)
            .unwrap_or_else(|problem| panic!("{}: {problem}", self.cases.location));
        let source = block.text.clone();
        let mut output = vec![MarkdownElement::Block(block)];
        let mut below = Vec::new();
        while let Some(MarkdownElement::Block(answer)) = elements.next_if(is_job_answer) {
            below.push(answer);
        }
        let find_answer = |kind: &str| below.iter().find(|answer| answer.kind == kind);
        if let (Some(lines), Some(expected)) = (find_answer("line"), find_answer("rendered")) {
            let actual =
                job.rendered(&lines.text).unwrap_or_else(|problem| panic!("{}: {problem}", self.cases.location));
            self.compare("rendered", &source, Some(&expected.text), Some(&actual));
            output.push(MarkdownElement::Block(lines.clone()));
            output.push(MarkdownElement::Block(Block { text: actual, ..expected.clone() }));
            return output;
        }
        let errors = job.errors();
        let expected = find_answer("errors").map(|answer| answer.text.as_str());
        self.compare("errors", &source, expected, errors.as_deref());
        output.extend(errors.map(|actual| MarkdownElement::Block(Block::new("errors", actual))));
        if let (Some(expected), Some(actual)) = (find_answer("settings"), job.settings()) {
            self.compare("settings", &source, Some(&expected.text), Some(&actual));
            output.push(MarkdownElement::Block(Block { text: actual, ..expected.clone() }));
        }
        output
    }

    fn run_accepted_lines(&mut self, block: &Block, options: &Options) {
        for source in block.text.lines() {
            let diagnostics = diagnostics(source, options);
            let lines: Vec<_> = diagnostics.iter().map(|diagnostic| diagnostic_line(source, diagnostic)).collect();
            self.cases.count();
            if !lines.is_empty() {
                self.cases.fail(&format!("{source}\n  {}", lines.join("\n  ")));
            }
        }
    }

    /// Runs cases of one line with all diagnostics: with errors when `expects_errors` is set, else with lints only.
    fn run_diagnostic_lines(&mut self, block: Block, options: &Options, expects_errors: bool) -> Block {
        let mut lines = Vec::new();
        for (source, expected) in split_answers(&block.text) {
            let diagnostics = diagnostics(source, options);
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

    /// Runs one case per line, with the expected answer after the arrow.
    fn run_lines(&mut self, block: Block, options: &Options, answer_fn: AnswerFn) -> Block {
        let mut lines = Vec::new();
        for (source, expected) in split_answers(&block.text) {
            let case = Case { source, option_text: &block.options, options, line: &self.line };
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

fn is_answer(element: &MarkdownElement) -> bool {
    let MarkdownElement::Block(block) = element else { return false };
    let is_common = ["diagnostics", "fixed"].contains(&block.kind.as_str());
    is_common || ANSWER_BLOCKS.iter().any(|(kind, _)| *kind == block.kind)
}

fn is_job_answer(element: &MarkdownElement) -> bool {
    let MarkdownElement::Block(block) = element else { return false };
    ["errors", "settings", "line", "rendered"].contains(&block.kind.as_str())
}
