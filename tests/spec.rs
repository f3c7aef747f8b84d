//! Runs the case files of `spec/`, the specification of the language. Its README describes the format.
//!
//! `UPDATE=1 cargo test -p zonewright-tests --test spec` writes the results of the engine into the files; read the
//! diff before you keep it.

#![allow(clippy::panic, clippy::unwrap_used, reason = "tests may panic")]

use std::path::Path;
use zonewright_expression::schema::FUNCTIONS;
use zonewright_expression::{Options, Record};
use zonewright_tests::equivalence;
use zonewright_tests::evaluation::{evaluate, read_record};
use zonewright_tests::expression::{
    apply_fixes, at_cursor, diagnostic_line, diagnostics, options, summarize_diagnostics,
};
use zonewright_tests::format_explain;
use zonewright_tests::markdown::{Block, MarkdownElement, rewrite_case_files};

/// A lower number of cases means that files are missing.
const MIN_CASES: usize = 300;

#[test]
fn spec_case_files_match() {
    let mut run = CaseRunner::default();
    let update = rewrite_case_files("spec", |file, elements| run.run_file(file, elements));
    println!("{} cases", run.cases);
    assert!(run.cases >= MIN_CASES, "only {} cases", run.cases);
    if !update || run.has_format_error {
        let failures = run.failures.len();
        assert!(run.failures.is_empty(), "{}\n\n{failures} of {} cases failed", run.failures.join("\n\n"), run.cases);
    }
}

#[test]
fn functions_and_explanations_have_cases_of_every_function() {
    for file in ["functions.md", "explain.md"] {
        let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("spec").join(file)).unwrap();
        // Quantifiers are among the cases of `[*]`.
        let functions = FUNCTIONS.iter().filter(|function| function.semantics.quantifier.is_none());
        let missing: Vec<_> =
            functions.map(|function| function.name).filter(|name| !text.contains(&format!("{name}("))).collect();
        assert!(missing.is_empty(), "tests/spec/{file} has no call of {missing:?}");
    }
}

#[derive(Default)]
struct CaseRunner {
    cases: usize,
    failures: Vec<String>,
    /// Whether a file has an error that an update cannot fix.
    has_format_error: bool,
}

impl CaseRunner {
    /// Runs the cases of a file and returns the expected content of the file.
    fn run_file(&mut self, file: &str, elements: Vec<MarkdownElement>) -> Vec<MarkdownElement> {
        let mut output = Vec::new();
        let mut name = String::new();
        let mut record = Record::default();
        let mut elements = elements.into_iter().peekable();
        while let Some(element) = elements.next() {
            match element {
                MarkdownElement::Heading(_, ref heading) => {
                    name.clone_from(heading);
                    output.push(element);
                }
                MarkdownElement::Block(block) => {
                    let location = format!("{file}:{} {name}", block.line);
                    if block.kind == "record" {
                        record = read_record(&block.options, &block.text)
                            .unwrap_or_else(|problem| panic!("{location}: {problem}"));
                        output.push(MarkdownElement::Block(block));
                        continue;
                    }
                    if let "formats" | "explanations" = block.kind.as_str() {
                        output.push(MarkdownElement::Block(self.run_short_lines(&location, block)));
                        continue;
                    }
                    let options = options(&block.options).unwrap_or_else(|problem| panic!("{location}: {problem}"));
                    match block.kind.as_str() {
                        "expression" => {
                            let mut answers = Vec::new();
                            while let Some(MarkdownElement::Block(answer)) = elements.next_if(is_answer) {
                                answers.push(answer);
                            }
                            output.extend(self.run_expression(&location, block, &options, &answers));
                        }
                        "expressions" => {
                            self.run_accepted_lines(&location, &block, &options);
                            output.push(MarkdownElement::Block(block));
                        }
                        "rejected" => {
                            output.push(MarkdownElement::Block(self.run_rejected_lines(&location, block, &options)))
                        }
                        "equivalent" | "subsumes" => {
                            let answer_line = |question: &str| equivalence::verdict(&block.kind, question, &options);
                            output.push(MarkdownElement::Block(self.run_answer_lines(&location, &block, answer_line)));
                        }
                        "complete" | "hover" | "signature" => {
                            let answer_line = |marked: &str| at_cursor(&block.kind, marked, &options);
                            let answer_line = |marked: &str| answer_line(marked).ok_or_else(|| "no cursor".to_owned());
                            output.push(MarkdownElement::Block(self.run_answer_lines(&location, &block, answer_line)));
                        }
                        "evaluated" => {
                            let answer_line = |source: &str| {
                                let actual = evaluate(source, &options, &record);
                                if actual.starts_with("rejected") { Err(actual) } else { Ok(actual) }
                            };
                            output.push(MarkdownElement::Block(self.run_answer_lines(&location, &block, answer_line)));
                        }
                        "suspicious" => {
                            output.push(MarkdownElement::Block(self.run_suspicious_lines(&location, block, &options)))
                        }
                        "diagnostics" | "fixed" | "formatted" | "explained" => {
                            self.has_format_error = true;
                            self.failures.push(format!("{location}: the block does not follow an expression"));
                        }
                        _ => output.push(MarkdownElement::Block(block)),
                    }
                }
                MarkdownElement::Line(_) => output.push(element),
            }
        }
        output
    }

    fn run_expression(
        &mut self,
        location: &str,
        block: Block,
        options: &Options,
        answers: &[Block],
    ) -> Vec<MarkdownElement> {
        let diagnostics = diagnostics(&block.text, options);
        let lines: Vec<_> = diagnostics.iter().map(|diagnostic| diagnostic_line(&block.text, diagnostic)).collect();
        let fixed = apply_fixes(&block.text, options);
        let changed = fixed != block.text;
        let mut elements = Vec::new();
        let source = block.text.clone();
        elements.push(MarkdownElement::Block(block));
        for (kind, actual) in [
            ("diagnostics", Some(lines.join("\n")).filter(|text| !text.is_empty())),
            ("fixed", changed.then_some(fixed)),
        ] {
            let expected = answers.iter().find(|answer| answer.kind == kind).map(|answer| answer.text.clone());
            self.compare(&format!("{location} ({kind})"), &source, expected.as_deref(), actual.as_deref());
            elements.extend(actual.map(|actual| MarkdownElement::Block(Block::new(kind, actual))));
        }
        // Two comparisons count as one case.
        self.cases -= 1;
        for answer in answers.iter().filter(|answer| matches!(answer.kind.as_str(), "formatted" | "explained")) {
            let location = format!("{location} ({} {})", answer.kind, answer.options);
            let actual = format_explain::answer(&answer.kind, &answer.options, &source, options);
            let actual = actual.unwrap_or_else(|problem| panic!("{location}: {problem}"));
            self.compare(&location, &source, Some(&answer.text), actual.as_deref());
            elements.extend(actual.map(|text| MarkdownElement::Block(Block { text, ..answer.clone() })));
        }
        elements
    }

    /// Runs short cases: an expression and its result on each line.
    fn run_short_lines(&mut self, location: &str, block: Block) -> Block {
        let mut lines = Vec::new();
        for text in block.text.lines() {
            let (source, expected) = text.split_once(" ⇒ ").unwrap_or((text.trim_end_matches(" ⇒"), ""));
            let actual = format_explain::short_answer(&block.kind, &block.options, source);
            let actual = actual.unwrap_or_else(|problem| panic!("{location}: {problem}"));
            self.compare(location, source, Some(expected), Some(&actual));
            lines.push(format!("{source} ⇒ {actual}"));
        }
        Block { text: lines.join("\n"), ..block }
    }

    fn run_accepted_lines(&mut self, location: &str, block: &Block, options: &Options) {
        for source in block.text.lines() {
            let diagnostics = diagnostics(source, options);
            let lines: Vec<_> = diagnostics.iter().map(|diagnostic| diagnostic_line(source, diagnostic)).collect();
            self.has_format_error |= !lines.is_empty();
            self.compare(location, source, None, Some(lines.join("\n")).as_deref().filter(|text| !text.is_empty()));
        }
    }

    fn run_rejected_lines(&mut self, location: &str, block: Block, options: &Options) -> Block {
        self.run_diagnostic_lines(location, block, options, true)
    }

    fn run_suspicious_lines(&mut self, location: &str, block: Block, options: &Options) -> Block {
        self.run_diagnostic_lines(location, block, options, false)
    }

    /// Runs cases of one line with all diagnostics: with errors when `expects_errors` is set, else with lints only.
    fn run_diagnostic_lines(&mut self, location: &str, block: Block, options: &Options, expects_errors: bool) -> Block {
        let mut lines = Vec::new();
        for text in block.text.lines() {
            let (source, expected) = text.rsplit_once(" ⇒ ").unwrap_or((text.trim_end_matches(" ⇒"), ""));
            let diagnostics = diagnostics(source, options);
            let actual = summarize_diagnostics(source, &diagnostics);
            if diagnostics.is_empty() || diagnostics.iter().any(|diagnostic| diagnostic.is_error()) != expects_errors {
                self.has_format_error = true;
                let actual = if expects_errors { "accepted" } else { "rejected, or has no diagnostics" };
                self.failures.push(format!("{location}\n  {source}\n  is {actual}"));
            }
            self.compare(location, source, Some(expected), Some(&actual));
            lines.push(format!("{source} ⇒ {actual}"));
        }
        Block { text: lines.join("\n"), ..block }
    }

    /// Runs one case per line, with the expected answer after the arrow.
    fn run_answer_lines(
        &mut self,
        location: &str,
        block: &Block,
        answer_line: impl Fn(&str) -> Result<String, String>,
    ) -> Block {
        let mut lines = Vec::new();
        for text in block.text.lines() {
            let (question, expected) = text.rsplit_once(" ⇒ ").unwrap_or((text.trim_end_matches(" ⇒"), ""));
            let actual = answer_line(question).unwrap_or_else(|problem| {
                self.has_format_error = true;
                problem
            });
            self.compare(location, question, Some(expected), Some(&actual));
            lines.push(format!("{question} ⇒ {actual}").trim_end().to_owned());
        }
        Block { text: lines.join("\n"), ..block.clone() }
    }

    fn compare(&mut self, location: &str, source: &str, expected: Option<&str>, actual: Option<&str>) {
        self.cases += 1;
        if expected != actual {
            let show = |text: Option<&str>| text.unwrap_or("nothing").replace('\n', "\n            ");
            let (expected, actual) = (show(expected), show(actual));
            self.failures.push(format!("{location}\n  {source}\n  expected: {expected}\n  got:      {actual}"));
        }
    }
}

fn is_answer(element: &MarkdownElement) -> bool {
    let MarkdownElement::Block(block) = element else { return false };
    matches!(block.kind.as_str(), "diagnostics" | "fixed" | "formatted" | "explained")
}
