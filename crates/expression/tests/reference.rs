//! Compares the parser with the reference grammar, `reference.pest`, on the cases of `tests/spec`.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

// The code that pest derives refers to the crate `alloc` if the feature `std` of pest is off.
extern crate alloc;

use grammar::{Reference, Rule};
use pest::Parser;
use std::path::Path;
use zonewright_expression::{Kind, Options, check, code, parse};

mod grammar {
    #![allow(missing_docs, reason = "pest derives the rules from the grammar")]

    #[derive(pest_derive::Parser)]
    #[grammar = "reference.pest"]
    pub(super) struct Reference;
}

/// The minimum number of expressions. If there are fewer, the test did not find all cases.
const MIN_EXPRESSIONS: usize = 1900;

/// The codes of limits, which the grammar does not express.
const LIMIT_CODES: [&str; 3] = [code::NESTING_TOO_DEEP, code::EXPRESSION_TOO_LONG, code::SOURCE_TOO_LARGE];

/// Sources with errors that the grammar does not express: an index above 32 bits, a key that is not UTF-8, and a
/// keyword of other languages.
const EXCEPTIONS: [&str; 3] = [
    r#"http.request.headers.names[4294967296] eq "a""#,
    r#"http.request.headers["\xff"][0] eq "a""#,
    r#"if (http.host eq "a")"#,
];

fn is_derived(source: &str) -> bool {
    Reference::parse(Rule::expression, source).is_ok()
}

/// Returns whether some kind of expression accepts the source.
fn is_accepted(source: &str) -> bool {
    Kind::ALL.into_iter().any(|kind| {
        let options = Options { kind, max_length: usize::MAX, ..Options::default() };
        check(source, &options).program.is_some()
    })
}

fn is_refused_for_syntax(source: &str) -> bool {
    let mut problems = parse(source).diagnostics.into_iter();
    problems.any(|problem| problem.is_error() && !LIMIT_CODES.contains(&problem.code))
}

/// Returns the expressions of all cases in `tests/spec`.
fn sources() -> Vec<String> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/spec");
    let mut sources = Vec::new();
    for entry in directory.read_dir().unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "md") {
            collect_sources(&std::fs::read_to_string(path).unwrap(), &mut sources);
        }
    }
    sources
}

/// Appends the expressions of one file. The word after the fence of a code block decides which of its lines are
/// expressions.
fn collect_sources(file: &str, sources: &mut Vec<String>) {
    let mut lines = file.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match info.split(' ').next() {
            Some("expression") => sources.push(block.join("\n")),
            Some("expressions" | "rejected" | "suspicious") => {
                let lines = block.iter().map(|line| line.split_once(" ⇒ ").map_or(*line, |(source, _)| source));
                sources.extend(lines.map(str::to_owned));
            }
            _ => {}
        }
    }
}

#[test]
fn reference_grammar_agrees_with_parser_on_spec_cases() {
    let sources = sources();
    assert!(sources.len() > MIN_EXPRESSIONS, "only {} expressions", sources.len());
    let mut failures = Vec::new();
    for source in &sources {
        match is_derived(source) {
            false if is_accepted(source) => failures.push(format!("not derived: {source}")),
            true if is_refused_for_syntax(source) && !EXCEPTIONS.contains(&source.as_str()) => {
                failures.push(format!("derived, but refused: {source}"))
            }
            _ => {}
        }
    }
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), sources.len(), failures.join("\n"));
}
