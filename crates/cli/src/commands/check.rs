//! `zonewright check`: checks expressions from files or standard input.

use super::ndjson;
use crate::input::{FILE_NOT_FOUND, display_name, files_or_stdin, read_source};
use crate::json::{DiagnosticOutput, diagnostics_output, to_pretty_json};
use crate::language::{LanguageArgs, LintArgs};
use crate::output::{
    EXIT_OK, EXIT_PROBLEMS, EXIT_USAGE, OutputFormat, pluralize, print_error, style_for, write_stdout,
};
use crate::stream;
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;
use zonewright_diagnostic::{Diagnostic, Severity, draw_all};
use zonewright_expression::{Options, check, code::TOO_MANY_DIAGNOSTICS};

const AFTER_HELP: &str = "\
Each file holds one expression; a line break at its end does not belong to it.

Lints are warnings and hints about expressions that are right and suspicious, such as `never-matches`; \
they never change \"ok\". Beside an error they are about the parts with nothing wrong in or beside them. Each code has a page in the documentation of the engine.

Exit code: 0 when every expression is valid (warnings allowed), 1 when one has an error, or a warning \
under --deny-warnings, 2 when the command was called wrongly or a file could not be read (the other \
files are still checked).

--format json writes one array with one object a file, in the order of the files:
  {\"file\", \"ok\", \"diagnostics\": [{\"code\", \"severity\", \"message\", \"start\", \"end\", \"line\", \"column\",
  \"help\", \"fixes\": [{\"title\", \"safe\", \"edits\": [{\"start\", \"end\", \"text\"}]}]}]}
start and end are byte offsets, line and column count from 1 (columns in characters), severity is
error, warning or hint, help is null when there is none. A file that could not be read has
\"ok\": false and a member \"error\" that says why; standard input is called \"-\".

--ndjson reads JSON objects from standard input, one a line, and answers each with one line, in the
same order and at once:
  {\"id\"?, \"kind\"?, \"source\", \"phase\"?, \"plan\"?}
  {\"id\", \"ok\", \"diagnostics\": [… as above …]}
id may be any JSON value and comes back as it is (null without one); a kind, phase or plan that is
missing or null is taken from the options. A line that is not such an object is answered with
\"ok\": false, no diagnostics and a member \"error\" that says what is wrong and where, and the next
line is read. An empty line is such a line too; only nothing after the last line break is no line.
A line may have 16 MiB. The exit code is 0 when every line was answered, whatever the answers.";

/// Check expressions and show every problem with its place and its remedy.
#[derive(Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct Arguments {
    #[command(flatten)]
    asked: CheckInputArgs,
    #[command(flatten)]
    lints: LintArgs,
    #[command(flatten)]
    language: LanguageArgs,
}

/// The form that the text output mentions, because users may not know that their filter has it.
pub(super) const ESCAPED: &str = "escaped";

/// The result of one file.
struct FileReport {
    file: String,
    result: Result<(String, Vec<Diagnostic>), String>,
    /// The form of the source, if the language has more than one.
    form: Option<&'static str>,
}

impl FileReport {
    /// Returns the exit code of the file, if diagnostics of severity `refused` and worse count as errors.
    fn exit_code(&self, refused: Severity) -> u8 {
        match &self.result {
            Ok((_, diagnostics)) if diagnostics.iter().any(|one| one.severity <= refused) => EXIT_PROBLEMS,
            Ok(_) => EXIT_OK,
            Err(_) => EXIT_USAGE,
        }
    }
}

/// Runs the subcommand.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let lint = arguments.lints.wanted();
    if arguments.asked.ndjson {
        return ndjson::run(&["kind", "source", "phase", "plan"], |line, members| {
            let source = stream::source_member(line, members)?;
            let language = stream::language_members(line, members, arguments.language)?;
            let options = Options { lint: lint.clone(), ..language.to_options() };
            let diagnostics = check(&source, &options).diagnostics;
            Ok((source, diagnostics))
        });
    }
    let options = Options { lint, ..arguments.language.to_options() };
    check_files(&arguments.asked, "expression", |source| (check(source, &options).diagnostics, None))
}

/// What is to be checked, and how the answer is written.
#[derive(Args)]
pub(super) struct CheckInputArgs {
    /// Files with one text each; `-` or none for standard input.
    files: Vec<PathBuf>,
    /// How the answer is written.
    #[arg(long, value_enum, default_value = "text")]
    format: OutputFormat,
    /// Answer a stream of JSON objects, one a line, from standard input.
    #[arg(long, conflicts_with_all = ["files", "format"])]
    pub(super) ndjson: bool,
    /// End with exit code 1 when there is a warning; hints are allowed.
    #[arg(long, conflicts_with = "ndjson")]
    deny_warnings: bool,
}

/// Checks files that contain one `noun` each; `check` returns the diagnostics, and the form if there are several.
pub(super) fn check_files(
    asked: &CheckInputArgs,
    noun: &str,
    check: impl Fn(&str) -> (Vec<Diagnostic>, Option<&'static str>),
) -> ExitCode {
    let report = |path: PathBuf| {
        let file = path.to_string_lossy().into_owned();
        match read_source(&path, FILE_NOT_FOUND) {
            Ok(source) => {
                let (diagnostics, form) = check(&source);
                FileReport { file, result: Ok((source, diagnostics)), form }
            }
            Err(error) => FileReport { file, result: Err(error), form: None },
        }
    };
    let reports: Vec<FileReport> = files_or_stdin(&asked.files).into_iter().map(report).collect();
    for report in &reports {
        if let Err(error) = &report.result {
            print_error(&format!("{}: {error}", display_name(&report.file)));
        }
    }
    let refused = if asked.deny_warnings { Severity::Warning } else { Severity::Error };
    let code = reports.iter().map(|report| report.exit_code(refused)).max().unwrap_or(EXIT_OK);
    let text = match asked.format {
        OutputFormat::Text => reports_to_text(&reports, noun),
        OutputFormat::Json => reports_to_json(&reports),
    };
    write_stdout(&text, code)
}

fn reports_to_text(reports: &[FileReport], noun: &str) -> String {
    let style = style_for(&std::io::stdout());
    let mut text = String::new();
    let mut counts = [(Severity::Error, 0), (Severity::Warning, 0), (Severity::Hint, 0)];
    let mut checked = 0;
    for report in reports {
        let Ok((source, diagnostics)) = &report.result else { continue };
        checked += 1;
        for (severity, count) in &mut counts {
            *count +=
                diagnostics.iter().filter(|one| one.severity == *severity && one.code != TOO_MANY_DIAGNOSTICS).count();
        }
        if !diagnostics.is_empty() {
            text.push_str(&draw_all(source, display_name(&report.file), diagnostics, style));
            text.push('\n');
        }
        if report.form == Some(ESCAPED) {
            text.push_str(&format!("{} is read as an escaped string\n", display_name(&report.file)));
        }
    }
    let found: Vec<String> = counts
        .iter()
        .filter(|(_, count)| *count > 0)
        .map(|(severity, count)| pluralize(*count, severity.as_str()))
        .collect();
    let is_cut = |report: &FileReport| {
        report.result.as_ref().is_ok_and(|(_, found)| found.iter().any(|one| one.code == TOO_MANY_DIAGNOSTICS))
    };
    let found = if reports.iter().any(is_cut) { [found, vec!["and more".to_owned()]].concat() } else { found };
    let found = if found.is_empty() { "no problems".to_owned() } else { found.join(", ") };
    // If no file could be read, a summary would be misleading.
    if checked == 0 {
        return text;
    }
    text.push_str(&format!("{} checked: {found}\n", pluralize(checked, noun)));
    text
}

/// One file in the JSON output.
#[derive(Serialize)]
struct FileResult<'a> {
    file: &'a str,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    form: Option<&'static str>,
    diagnostics: Vec<DiagnosticOutput<'a>>,
}

fn reports_to_json(reports: &[FileReport]) -> String {
    let answers: Vec<FileResult<'_>> = reports.iter().map(file_result).collect();
    to_pretty_json(&answers)
}

fn file_result(report: &FileReport) -> FileResult<'_> {
    let (diagnostics, error) = match &report.result {
        Ok((source, diagnostics)) => (diagnostics_output(source, diagnostics), None),
        Err(error) => (Vec::new(), Some(error.as_str())),
    };
    let ok = report.exit_code(Severity::Error) == EXIT_OK;
    FileResult { file: &report.file, ok, error, form: report.form, diagnostics }
}
