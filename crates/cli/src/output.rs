//! Writes standard output and standard error, without a panic if the reader has closed the pipe.

use clap::ValueEnum;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::process::ExitCode;
use zonewright_api::ValidationError;
use zonewright_diagnostic::RenderStyle;

/// The exit code if the command succeeded and found no errors.
pub(crate) const EXIT_OK: u8 = 0;
/// The exit code if an input has an error, a test case failed, or the answer is negative.
pub(crate) const EXIT_PROBLEMS: u8 = 1;
/// The exit code if the command could not be performed.
pub(crate) const EXIT_USAGE: u8 = 2;

/// The exit code if the question could be neither proved nor refuted.
pub(crate) const EXIT_UNDECIDED: u8 = 3;

/// The output format.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// Human-readable text.
    Text,
    /// JSON.
    Json,
}

/// Writes `text` to standard output and returns `code` as the exit code.
///
/// A closed pipe (`zonewright check … | head -1`) is not an error, because the reader wanted no more.
pub(crate) fn write_stdout(text: &str, code: u8) -> ExitCode {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            print_error(&format!("cannot write the output: {error}"));
            ExitCode::from(EXIT_USAGE)
        }
        _ => ExitCode::from(code),
    }
}

/// Reports an error on standard error.
pub(crate) fn print_error(message: &str) {
    // `eprintln!` panics if standard error is closed. Such a failure cannot be reported anywhere.
    let _ = writeln!(io::stderr(), "zonewright: {}", without_os_error_codes(message));
}

/// Removes codes such as ` (os error 2)`, which the standard library adds to the descriptions of errors.
fn without_os_error_codes(message: &str) -> String {
    const START: &str = " (os error ";
    let mut parts = message.split(START);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(')') {
            Some((code, following)) if code.parse::<i32>().is_ok() => text.push_str(following),
            _ => {
                text.push_str(START);
                text.push_str(part);
            }
        }
    }
    text
}

/// Returns the message of an error, after the JSON pointer to its location.
pub(crate) fn validation_error_to_text(ValidationError { pointer, message, .. }: &ValidationError) -> String {
    if pointer.is_empty() { message.clone() } else { format!("{pointer}: {message}") }
}

/// Reports a warning on standard error.
pub(crate) fn print_warning(message: &str) {
    print_error(&format!("warning: {message}"));
}

/// Writes `text` verbatim to standard error.
pub(crate) fn print_stderr(text: &str) {
    // A failure cannot be reported, as in [`print_error`].
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Returns the style of diagnostics on a stream: colored for terminals, unless `NO_COLOR` is set.
pub(crate) fn style_for(stream: &impl IsTerminal) -> RenderStyle {
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if stream.is_terminal() && !no_color { RenderStyle::Colored } else { RenderStyle::Plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn os_error_codes_are_removed_from_messages() {
        for (message, expected) in [
            ("a: File exists (os error 17); b (os error 2)", "a: File exists; b"),
            ("a (os error x) (os error", "a (os error x) (os error"),
            ("a", "a"),
        ] {
            assert_eq!(without_os_error_codes(message), expected);
        }
    }
}
