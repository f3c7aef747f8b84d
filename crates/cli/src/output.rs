//! Standard output and standard error, without panics when the reader has gone.

use clap::ValueEnum;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::process::ExitCode;
use zonewright_diagnostic::Style;

/// Everything asked for was done and nothing is wrong.
pub(crate) const VALID: u8 = 0;
/// Something that was checked has an error.
pub(crate) const PROBLEMS: u8 = 1;
/// The command could not do what was asked.
pub(crate) const USAGE: u8 = 2;

/// It was neither proved nor refuted.
pub(crate) const UNDECIDED: u8 = 3;

/// How the answer is written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Words and drawings, for people.
    Text,
    /// JSON, for programs.
    Json,
}

/// Writes `text` to standard output and ends with `code`.
///
/// A reader that went away (`zonewright check … | head -1`) wanted no more: that is no failure.
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

/// Says on standard error why something could not be done.
pub(crate) fn complain(message: &str) {
    // `eprintln!` panics when standard error is closed; then there is nobody to tell.
    let _ = writeln!(io::stderr(), "zonewright: {message}");
}

/// Says on standard error what will probably not be as it was meant.
pub(crate) fn warn(message: &str) {
    complain(&format!("warning: {message}"));
}

/// Writes `text` to standard error as it is.
pub(crate) fn remark(text: &str) {
    // Nobody to tell, as in [`complain`].
    let _ = io::stderr().write_all(text.as_bytes());
}

/// How problems are drawn on a stream: with colours for a person who did not refuse them.
pub(crate) fn style(stream: &impl IsTerminal) -> Style {
    let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if stream.is_terminal() && !no_colour { Style::Coloured } else { Style::Plain }
}

/// `1 case`, `2 cases`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
