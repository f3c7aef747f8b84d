//! Writes standard output and standard error, without a panic if the reader has closed the pipe.

use clap::ValueEnum;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::process::ExitCode;
use zonewright_diagnostic::Style;

/// The exit code if the command succeeded and found no errors.
pub(crate) const VALID: u8 = 0;
/// The exit code if a checked input has an error.
pub(crate) const PROBLEMS: u8 = 1;
/// The exit code if the command could not be performed.
pub(crate) const USAGE: u8 = 2;

/// The exit code if the question could be neither proved nor refuted.
pub(crate) const UNDECIDED: u8 = 3;

/// How the answer is written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Words and drawings, for people.
    Text,
    /// JSON, for programs.
    Json,
}

/// Writes `text` to standard output and returns `code` as the exit code.
///
/// A closed pipe (`zonewright check … | head -1`) is not an error, because the reader wanted no more.
pub(crate) fn finish(text: &str, code: u8) -> ExitCode {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            complain(&format!("cannot write the answer: {error}"));
            ExitCode::from(USAGE)
        }
        _ => ExitCode::from(code),
    }
}

/// Reports an error on standard error.
pub(crate) fn complain(message: &str) {
    // `eprintln!` panics if standard error is closed. Such a failure cannot be reported anywhere.
    let _ = writeln!(io::stderr(), "zonewright: {message}");
}

/// Reports a warning on standard error.
pub(crate) fn warn(message: &str) {
    complain(&format!("warning: {message}"));
}

/// Writes `text` verbatim to standard error.
pub(crate) fn remark(text: &str) {
    // A failure cannot be reported, as in [`complain`].
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Returns the style of diagnostics on a stream: colored for terminals, unless `NO_COLOR` is set.
pub(crate) fn style(stream: &impl IsTerminal) -> Style {
    let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if stream.is_terminal() && !no_colour { Style::Coloured } else { Style::Plain }
}

/// Formats a count with its noun: `1 case`, `2 cases`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
