//! `zonewright format`: formats expressions in place.

use crate::input::{FILE_NOT_FOUND, display_name, files_or_stdin, read_text, trailing_line_break};
use crate::integer::integer_parser;
use crate::output::{EXIT_OK, EXIT_PROBLEMS, EXIT_USAGE, print_error, print_stderr, style_for, write_stdout};
use clap::{Args, ValueEnum};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use zonewright_diagnostic::{Diagnostic, render_all};
use zonewright_expression::{FormatOptions, FormatStyle, Spelling};

const AFTER_HELP: &str = "\
Each file contains one expression and is rewritten in place, unless it is already formatted. Formatted standard \
input is written to standard output. A line break at the end is preserved, and none is added.

The canonical style writes an expression on one line if it is not longer than --width. Otherwise, it breaks lines at \
logical operators, and inside parentheses and sets. If the canonical text exceeds 4,096 characters, the compact \
style is used. Names and types are not checked. Strings, numbers, and names are not changed.

Exit code: 0 on success; 1 if an expression has a syntax error (it is not changed, and the errors are \
reported on standard error), or if --check finds a file that is not formatted; 2 on a usage error, or if a \
file cannot be read or written (the other files are still formatted).";

/// Format expressions in place.
#[derive(Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Files with one expression each; `-` or no file formats standard input.
    files: Vec<PathBuf>,
    /// Change nothing; list the files that would change.
    #[arg(long)]
    check: bool,
    /// Style of the expression.
    #[arg(long, value_enum, default_value = "canonical")]
    style: Style,
    /// Maximum line length in characters; parts that cannot be broken may be longer.
    #[arg(long, default_value_t = FormatOptions::default().width, value_parser = integer_parser::<usize>(0..=u64::MAX))]
    width: usize,
    /// Spelling of the operators.
    #[arg(long, value_enum, default_value = "preserve")]
    operators: Operators,
}

/// The style of an expression.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Style {
    /// Easy to read.
    Canonical,
    /// No unnecessary whitespace.
    Compact,
}

/// The spelling of the operators.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Operators {
    /// Unchanged.
    Preserve,
    /// As words: `and`, `not`, `eq`.
    English,
    /// As symbols, where they exist: `&&`, `!`, `==`.
    Symbols,
}

/// Runs the subcommand.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let options = options(arguments);
    format_files(&arguments.files, arguments.check, |source| {
        let formatted = zonewright_expression::format(source, &options);
        formatted.text.ok_or(formatted.diagnostics)
    })
}

/// Formats files, or only lists those that are not formatted. `format` returns the text, or the diagnostics.
pub(super) fn format_files(
    files: &[PathBuf],
    check_only: bool,
    format: impl Fn(&str) -> Result<String, Vec<Diagnostic>>,
) -> ExitCode {
    let mut code = EXIT_OK;
    let mut text = String::new();
    for path in files_or_stdin(files) {
        code = code.max(format_file(&path, &format, check_only, &mut text));
    }
    write_stdout(&text, code)
}

fn options(arguments: &Arguments) -> FormatOptions {
    FormatOptions {
        style: match arguments.style {
            Style::Canonical => FormatStyle::Canonical,
            Style::Compact => FormatStyle::Compact,
        },
        width: arguments.width,
        operators: match arguments.operators {
            Operators::Preserve => Spelling::Preserve,
            Operators::English => Spelling::English,
            Operators::Symbols => Spelling::Symbols,
        },
        ..FormatOptions::default()
    }
}

/// Formats one file and returns its exit code. Appends the text for standard output to `text`.
fn format_file(
    path: &Path,
    format: impl Fn(&str) -> Result<String, Vec<Diagnostic>>,
    check_only: bool,
    text: &mut String,
) -> u8 {
    let file = path.to_string_lossy();
    let name = display_name(&file);
    let source = match read_text(path, FILE_NOT_FOUND) {
        Ok(source) => source,
        Err(error) => {
            print_error(&format!("{name}: {error}"));
            return EXIT_USAGE;
        }
    };
    let end = trailing_line_break(&source);
    let expression = source.strip_suffix(end).unwrap_or(&source);
    let result = match format(expression) {
        Ok(result) => format!("{result}{end}"),
        Err(diagnostics) => {
            print_stderr(&format!("{}\n", render_all(expression, name, &diagnostics, style_for(&io::stderr()))));
            return EXIT_PROBLEMS;
        }
    };
    if check_only {
        if result == source {
            return EXIT_OK;
        }
        text.push_str(name);
        text.push('\n');
        return EXIT_PROBLEMS;
    }
    if file == "-" {
        text.push_str(&result);
        return EXIT_OK;
    }
    if result == source {
        return EXIT_OK;
    }
    match replace_atomically(path, &result) {
        Ok(()) => EXIT_OK,
        Err(error) => {
            print_error(&format!("{name}: cannot write the file: {error}"));
            EXIT_USAGE
        }
    }
}

/// Replaces the text of a file atomically: concurrent readers see either the old or the new text.
fn replace_atomically(path: &Path, text: &str) -> io::Result<()> {
    // A symbolic link is preserved, because its target is replaced.
    let path = fs::canonicalize(path)?;
    let permissions = fs::metadata(&path)?.permissions();
    if permissions.readonly() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is read-only"));
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let temporary_path = path.with_file_name(name);
    let result = write_new_file(&temporary_path, text, permissions).and_then(|()| fs::rename(&temporary_path, &path));
    if result.is_err() {
        // The original file is unchanged, and the incomplete temporary file is useless.
        let _ = fs::remove_file(&temporary_path);
    }
    result
}

fn write_new_file(path: &Path, text: &str, permissions: fs::Permissions) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    file.write_all(text.as_bytes())?;
    file.set_permissions(permissions)?;
    file.sync_all()
}
