//! The subcommands.

mod check;
mod ndjson;
mod serve;

use clap::Subcommand;
use std::process::ExitCode;

/// What to do.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Check expressions and show every problem with its place and its remedy.
    Check(check::Arguments),
    /// Serve the app and the API.
    Serve(serve::Arguments),
}

impl Command {
    /// Does it, and gives the exit code of the process.
    pub(crate) fn run(self) -> ExitCode {
        match self {
            Command::Check(arguments) => check::run(&arguments),
            Command::Serve(arguments) => serve::run(arguments),
        }
    }
}
