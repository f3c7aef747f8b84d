//! `zonewright explain`: explains expressions in English.

use crate::input::{FILE_NOT_FOUND, display_name, files_or_stdin, read_source};
use crate::json::{DiagnosticOutput, diagnostics_output, to_pretty_json};
use crate::language::LanguageArgs;
use crate::output::{
    EXIT_OK, EXIT_PROBLEMS, EXIT_USAGE, OutputFormat, print_error, print_stderr, style_for, write_stdout,
};
use clap::Args;
use serde::Serialize;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use zonewright_diagnostic::{Diagnostic, render_all};
use zonewright_expression::{Explanation, OutlineKind, OutlineNode, Sentence, explain};

const AFTER_HELP: &str = "\
Each file contains one expression. A line break at its end is not part of the expression. An expression \
with unknown names or wrong types is explained too: unknown names appear in backticks, and the problems are \
reported on standard error.

Exit code: 0 if every expression is valid (warnings are allowed); 1 if one has an error; 2 on a usage error, \
or if a file cannot be read (the other files are still explained).

--format json writes an array with one object per file, in the order of the files:
  {\"file\", \"ok\", \"text\", \"sentences\": [{\"text\", \"start\", \"end\", \"depth\"}], \"tree\", \"diagnostics\"}
text is a Markdown list, and empty if there is a syntax error; tree is null then, and otherwise
{\"kind\", \"text\", \"start\", \"end\", \"children\"} with the kinds all, any, xor, not, condition, and value.
start and end are byte offsets. diagnostics are those of `zonewright check`. A file that cannot be read
has a member \"error\" with the reason.";

/// Explain expressions in plain English.
#[derive(Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Files with one expression each; `-` or no file reads standard input.
    files: Vec<PathBuf>,
    /// Output format.
    #[arg(long, value_enum, default_value = "text")]
    format: OutputFormat,
    #[command(flatten)]
    language: LanguageArgs,
}

/// The result of one file.
struct FileReport {
    file: String,
    result: Result<(String, Explanation), String>,
}

impl FileReport {
    fn exit_code(&self) -> u8 {
        match &self.result {
            Ok((_, explanation)) if explanation.diagnostics.iter().any(Diagnostic::is_error) => EXIT_PROBLEMS,
            Ok(_) => EXIT_OK,
            Err(_) => EXIT_USAGE,
        }
    }
}

/// Runs the subcommand.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let options = arguments.language.to_options();
    explain_files(&arguments.files, arguments.format, |source| explain(source, &options))
}

/// Explains the sources of files.
pub(super) fn explain_files(
    files: &[PathBuf],
    format: OutputFormat,
    explain: impl Fn(&str) -> Explanation,
) -> ExitCode {
    let report = |path: PathBuf| FileReport {
        file: path.to_string_lossy().into_owned(),
        result: read_source(&path, FILE_NOT_FOUND).map(|source| {
            let explanation = explain(&source);
            (source, explanation)
        }),
    };
    let reports: Vec<FileReport> = files_or_stdin(files).into_iter().map(report).collect();
    for report in &reports {
        if let Err(error) = &report.result {
            print_error(&format!("{}: {error}", display_name(&report.file)));
        }
    }
    let code = reports.iter().map(FileReport::exit_code).max().unwrap_or(EXIT_OK);
    let text = match format {
        OutputFormat::Text => reports_to_text(&reports),
        OutputFormat::Json => reports_to_json(&reports),
    };
    write_stdout(&text, code)
}

fn reports_to_text(reports: &[FileReport]) -> String {
    let mut text = String::new();
    for report in reports {
        let Ok((source, explanation)) = &report.result else { continue };
        let name = display_name(&report.file);
        if !explanation.diagnostics.is_empty() {
            print_stderr(&format!(
                "{}\n",
                render_all(source, name, &explanation.diagnostics, style_for(&io::stderr()))
            ));
        }
        if explanation.tree.is_none() {
            continue;
        }
        // A single explanation needs no heading.
        if reports.len() > 1 {
            let gap = if text.is_empty() { "" } else { "\n" };
            text.push_str(&format!("{gap}{name}:\n"));
        }
        text.push_str(&explanation.text);
        text.push('\n');
    }
    text
}

/// One file in the JSON output.
#[derive(Serialize)]
struct FileResult<'a> {
    file: &'a str,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    text: &'a str,
    sentences: Vec<SentenceOutput<'a>>,
    tree: Option<NodeOutput<'a>>,
    diagnostics: Vec<DiagnosticOutput<'a>>,
}

/// One sentence of an explanation.
#[derive(Serialize)]
struct SentenceOutput<'a> {
    text: &'a str,
    start: usize,
    end: usize,
    depth: usize,
}

/// One node of the tree.
#[derive(Serialize)]
struct NodeOutput<'a> {
    kind: &'static str,
    text: &'a str,
    start: usize,
    end: usize,
    children: Vec<NodeOutput<'a>>,
}

fn reports_to_json(reports: &[FileReport]) -> String {
    let results: Vec<FileResult<'_>> = reports.iter().map(file_result).collect();
    to_pretty_json(&results)
}

fn file_result(report: &FileReport) -> FileResult<'_> {
    let (file, ok) = (report.file.as_str(), report.exit_code() == EXIT_OK);
    match &report.result {
        Err(error) => FileResult {
            file,
            ok,
            error: Some(error),
            text: "",
            sentences: Vec::new(),
            tree: None,
            diagnostics: Vec::new(),
        },
        Ok((source, explanation)) => FileResult {
            file,
            ok,
            error: None,
            text: &explanation.text,
            sentences: explanation.sentences.iter().map(sentence_output).collect(),
            tree: explanation.tree.as_ref().map(node_output),
            diagnostics: diagnostics_output(source, &explanation.diagnostics),
        },
    }
}

fn sentence_output(sentence: &Sentence) -> SentenceOutput<'_> {
    SentenceOutput { text: &sentence.text, start: sentence.span.start, end: sentence.span.end, depth: sentence.depth }
}

fn node_output(outline: &OutlineNode) -> NodeOutput<'_> {
    NodeOutput {
        kind: match outline.kind {
            OutlineKind::All => "all",
            OutlineKind::Any => "any",
            OutlineKind::Xor => "xor",
            OutlineKind::Not => "not",
            OutlineKind::Condition => "condition",
            OutlineKind::Value => "value",
        },
        text: &outline.text,
        start: outline.span.start,
        end: outline.span.end,
        children: outline.children.iter().map(node_output).collect(),
    }
}
