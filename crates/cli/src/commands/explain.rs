//! `zonewright explain`: explains expressions in English.

use crate::input::{NO_FILE, expression, files_or_stdin, shown_name};
use crate::json::{Problem, pretty, problems};
use crate::language::Language;
use crate::output::{Format, PROBLEMS, USAGE, VALID, complain, finish, remark, style};
use clap::Args;
use serde::Serialize;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use zonewright_diagnostic::{Diagnostic, draw_all};
use zonewright_expression::{Explained, Outline, OutlineKind, Sentence, explain};

const AFTER_HELP: &str = "\
Each file holds one expression; a line break at its end does not belong to it. What the schema does not \
know is shown in backticks as it was written, so an expression with unknown names or wrong types is \
explained too; its problems are drawn on standard error.

Exit code: 0 when every expression is valid (warnings allowed), 1 when one has an error, 2 when the \
command was called wrongly or a file could not be read (the others are still explained).

--format json writes one array with one object a file, in the order of the files:
  {\"file\", \"ok\", \"text\", \"sentences\": [{\"text\", \"start\", \"end\", \"depth\"}], \"tree\", \"diagnostics\"}
text is a list in Markdown, empty when the syntax is wrong; tree is null then, and else
{\"kind\", \"text\", \"start\", \"end\", \"children\"} with the kinds all, any, odd, not, condition and value.
start and end are byte offsets; diagnostics are those of `zonewright check`. A file that could not be \
read has a member \"error\" that says why.";

/// Put expressions into plain English.
#[derive(Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Files with one expression each; `-` or none for standard input.
    files: Vec<PathBuf>,
    /// How the answer is written.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    #[command(flatten)]
    language: Language,
}

/// The result of one file.
struct Report {
    file: String,
    result: Result<(String, Explained), String>,
}

impl Report {
    fn code(&self) -> u8 {
        match &self.result {
            Ok((_, explained)) if explained.diagnostics.iter().any(Diagnostic::is_error) => PROBLEMS,
            Ok(_) => VALID,
            Err(_) => USAGE,
        }
    }
}

/// Runs the subcommand.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let options = arguments.language.options();
    over(&arguments.files, arguments.format, |source| explain(source, &options))
}

/// Explains the sources of files.
pub(super) fn over(files: &[PathBuf], format: Format, explain: impl Fn(&str) -> Explained) -> ExitCode {
    let report = |path: PathBuf| Report {
        file: path.to_string_lossy().into_owned(),
        result: expression(&path, NO_FILE).map(|source| {
            let explained = explain(&source);
            (source, explained)
        }),
    };
    let reports: Vec<Report> = files_or_stdin(files).into_iter().map(report).collect();
    for report in &reports {
        if let Err(error) = &report.result {
            complain(&format!("{}: {error}", shown_name(&report.file)));
        }
    }
    let code = reports.iter().map(Report::code).max().unwrap_or(VALID);
    let text = match format {
        Format::Text => as_text(&reports),
        Format::Json => as_json(&reports),
    };
    finish(&text, code)
}

fn as_text(reports: &[Report]) -> String {
    let mut text = String::new();
    for report in reports {
        let Ok((source, explained)) = &report.result else { continue };
        let name = shown_name(&report.file);
        if !explained.diagnostics.is_empty() {
            remark(&format!("{}\n", draw_all(source, name, &explained.diagnostics, style(&io::stderr()))));
        }
        if explained.tree.is_none() {
            continue;
        }
        // A single explanation needs no heading.
        if reports.len() > 1 {
            let gap = if text.is_empty() { "" } else { "\n" };
            text.push_str(&format!("{gap}{name}:\n"));
        }
        text.push_str(&explained.text);
        text.push('\n');
    }
    text
}

/// One file in the JSON output.
#[derive(Serialize)]
struct FileAnswer<'a> {
    file: &'a str,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    text: &'a str,
    sentences: Vec<Line<'a>>,
    tree: Option<Node<'a>>,
    diagnostics: Vec<Problem<'a>>,
}

/// One sentence of an explanation.
#[derive(Serialize)]
struct Line<'a> {
    text: &'a str,
    start: usize,
    end: usize,
    depth: usize,
}

/// One node of the tree.
#[derive(Serialize)]
struct Node<'a> {
    kind: &'static str,
    text: &'a str,
    start: usize,
    end: usize,
    children: Vec<Node<'a>>,
}

fn as_json(reports: &[Report]) -> String {
    let answers: Vec<FileAnswer<'_>> = reports.iter().map(file_answer).collect();
    pretty(&answers)
}

fn file_answer(report: &Report) -> FileAnswer<'_> {
    let (file, ok) = (report.file.as_str(), report.code() == VALID);
    match &report.result {
        Err(error) => FileAnswer {
            file,
            ok,
            error: Some(error),
            text: "",
            sentences: Vec::new(),
            tree: None,
            diagnostics: Vec::new(),
        },
        Ok((source, explained)) => FileAnswer {
            file,
            ok,
            error: None,
            text: &explained.text,
            sentences: explained.sentences.iter().map(line).collect(),
            tree: explained.tree.as_ref().map(node),
            diagnostics: problems(source, &explained.diagnostics),
        },
    }
}

fn line(sentence: &Sentence) -> Line<'_> {
    Line { text: &sentence.text, start: sentence.span.start, end: sentence.span.end, depth: sentence.depth }
}

fn node(outline: &Outline) -> Node<'_> {
    Node {
        kind: match outline.kind {
            OutlineKind::All => "all",
            OutlineKind::Any => "any",
            OutlineKind::Odd => "odd",
            OutlineKind::Not => "not",
            OutlineKind::Condition => "condition",
            OutlineKind::Value => "value",
        },
        text: &outline.text,
        start: outline.span.start,
        end: outline.span.end,
        children: outline.children.iter().map(node).collect(),
    }
}
