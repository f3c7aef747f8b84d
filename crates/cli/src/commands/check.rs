//! `zonewright check`: checks expressions from files or standard input.

use super::ndjson;
use crate::input::{FILE_NOT_FOUND, display_name, files_or_stdin, read_source};
use crate::json::{DiagnosticOutput, diagnostics_output, to_pretty_json};
use crate::language::{LanguageArgs, LintArgs};
use crate::output::{EXIT_OK, EXIT_PROBLEMS, EXIT_USAGE, OutputFormat, print_error, style_for, write_stdout};
use crate::stream;
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;
use zonewright_diagnostic::{Diagnostic, Severity, pluralize, render_all};
use zonewright_expression::{Options, check, code::TOO_MANY_DIAGNOSTICS};

const AFTER_HELP: &str = "\
Each file contains one expression. A line break at its end is not part of the expression.

Lints are warnings and hints about valid but suspicious expressions, such as `never-matches`. They never change \
\"ok\". In an expression with errors, lints skip each comparison or call that contains an error or is next to \
one. The documentation of the engine has a page for each code.

Exit code: 0 if every expression is valid (warnings are allowed); 1 if one has an error, or a warning with \
--deny-warnings; 2 on a usage error, or if a file cannot be read (the other files are still checked).

--format json writes an array with one object per file, in the order of the files:
  {\"file\", \"ok\", \"diagnostics\": [{\"code\", \"severity\", \"message\", \"start\", \"end\", \"line\", \"column\",
  \"help\", \"fixes\": [{\"title\", \"safe\", \"edits\": [{\"start\", \"end\", \"text\"}]}]}]}
start and end are byte offsets. line and column start at 1, and column counts characters. severity is
error, warning, or hint. help is null if there is none. A file that cannot be read has \"ok\": false and
a member \"error\" with the reason. Standard input has the name \"-\".

--ndjson reads JSON objects from standard input, one per line, and immediately writes one line for each,
in the same order:
  {\"id\"?, \"kind\"?, \"source\", \"phase\"?, \"plan\"?}
  {\"id\", \"ok\", \"diagnostics\": [… as above …]}
id may be any JSON value and is returned unchanged, or as null if it is missing. The command-line
options supply the kind, phase, or plan if it is missing or null. For a line that is not such an
object, the response has \"ok\": false, no diagnostics, and a member \"error\" with the reason and the
position; the stream continues. An empty line is an error, except after the last line break. A line can
have up to 16 MiB. The exit code is 0 if every line got a response, even if the response is an error.";

/// Check expressions and report errors, warnings, and hints with their fixes.
#[derive(Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct Arguments {
    #[command(flatten)]
    input_args: CheckInputArgs,
    #[command(flatten)]
    lints: LintArgs,
    #[command(flatten)]
    language: LanguageArgs,
}

/// The encoding that the text output mentions, because users may not know that their filter has it.
pub(super) const ESCAPED: &str = "escaped";

/// The result of one file.
struct FileReport {
    file: String,
    result: Result<(String, Vec<Diagnostic>), String>,
    /// The encoding of the source, if the language has more than one.
    encoding: Option<&'static str>,
}

impl FileReport {
    /// Returns the exit code of the file, if diagnostics of severity `min_severity` and worse count as errors.
    fn exit_code(&self, min_severity: Severity) -> u8 {
        match &self.result {
            Ok((_, diagnostics)) if diagnostics.iter().any(|diagnostic| diagnostic.severity <= min_severity) => {
                EXIT_PROBLEMS
            }
            Ok(_) => EXIT_OK,
            Err(_) => EXIT_USAGE,
        }
    }
}

/// Runs the subcommand.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let lint = arguments.lints.to_lint();
    if arguments.input_args.ndjson {
        return ndjson::run(&["kind", "source", "phase", "plan"], |line, members| {
            let source = stream::read_source_member(line, members)?;
            let language = stream::read_language_members(line, members, arguments.language)?;
            let options = Options { lint: lint.clone(), ..language.to_options() };
            let diagnostics = check(&source, &options).diagnostics;
            Ok((source, diagnostics))
        });
    }
    let options = Options { lint, ..arguments.language.to_options() };
    check_files(&arguments.input_args, "expression", |source| (check(source, &options).diagnostics, None))
}

/// The files to check and the output format.
#[derive(Args)]
pub(super) struct CheckInputArgs {
    /// Files to check; `-` or no file reads standard input.
    files: Vec<PathBuf>,
    /// Output format.
    #[arg(long, value_enum, default_value = "text")]
    format: OutputFormat,
    /// Read JSON objects from standard input, one per line, and write one response per line.
    #[arg(long, conflicts_with_all = ["files", "format"])]
    pub(super) ndjson: bool,
    /// Exit with code 1 if there are warnings; hints are allowed.
    #[arg(long, conflicts_with = "ndjson")]
    deny_warnings: bool,
}

/// Checks files that contain one `noun` each. `check` returns the diagnostics of a source, and its encoding if the
/// language has more than one.
pub(super) fn check_files(
    input_args: &CheckInputArgs,
    noun: &str,
    check: impl Fn(&str) -> (Vec<Diagnostic>, Option<&'static str>),
) -> ExitCode {
    let report = |path: PathBuf| {
        let file = path.to_string_lossy().into_owned();
        match read_source(&path, FILE_NOT_FOUND) {
            Ok(source) => {
                let (diagnostics, encoding) = check(&source);
                FileReport { file, result: Ok((source, diagnostics)), encoding }
            }
            Err(error) => FileReport { file, result: Err(error), encoding: None },
        }
    };
    let reports: Vec<FileReport> = files_or_stdin(&input_args.files).into_iter().map(report).collect();
    for report in &reports {
        if let Err(error) = &report.result {
            print_error(&format!("{}: {error}", display_name(&report.file)));
        }
    }
    let min_severity = if input_args.deny_warnings { Severity::Warning } else { Severity::Error };
    let code = reports.iter().map(|report| report.exit_code(min_severity)).max().unwrap_or(EXIT_OK);
    let text = match input_args.format {
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
            *count += diagnostics
                .iter()
                .filter(|diagnostic| diagnostic.severity == *severity && diagnostic.code != TOO_MANY_DIAGNOSTICS)
                .count();
        }
        if !diagnostics.is_empty() {
            text.push_str(&render_all(source, display_name(&report.file), diagnostics, style));
            text.push('\n');
        }
        if report.encoding == Some(ESCAPED) {
            text.push_str(&format!("{} is interpreted as an escaped string\n", display_name(&report.file)));
        }
    }
    let found: Vec<String> = counts
        .iter()
        .filter(|(_, count)| *count > 0)
        .map(|(severity, count)| pluralize(*count, severity.as_str()))
        .collect();
    let is_truncated = |report: &FileReport| {
        report
            .result
            .as_ref()
            .is_ok_and(|(_, found)| found.iter().any(|diagnostic| diagnostic.code == TOO_MANY_DIAGNOSTICS))
    };
    let found = if reports.iter().any(is_truncated) { [found, vec!["and more".to_owned()]].concat() } else { found };
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
    #[serde(rename = "form", skip_serializing_if = "Option::is_none")]
    encoding: Option<&'static str>,
    diagnostics: Vec<DiagnosticOutput<'a>>,
}

fn reports_to_json(reports: &[FileReport]) -> String {
    let results: Vec<FileResult<'_>> = reports.iter().map(file_result).collect();
    to_pretty_json(&results)
}

fn file_result(report: &FileReport) -> FileResult<'_> {
    let (diagnostics, error) = match &report.result {
        Ok((source, diagnostics)) => (diagnostics_output(source, diagnostics), None),
        Err(error) => (Vec::new(), Some(error.as_str())),
    };
    let ok = report.exit_code(Severity::Error) == EXIT_OK;
    FileResult { file: &report.file, ok, error, encoding: report.encoding, diagnostics }
}
