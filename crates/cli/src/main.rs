//! The one native binary: every verb of Zonewright as a subcommand.
//!
//! Each subcommand is one file of [`commands`]; [`language`] holds the options they share, [`json`]
//! the shapes they write, [`input`] the way from files, [`output`] the way to standard output,
//! [`stream`] both for `--ndjson`, [`settings`] options from files and the environment.

mod commands;
mod input;
mod json;
mod language;
mod output;
mod settings;
mod stream;

use clap::Parser;
use mimalloc::MiMalloc;
use std::process::ExitCode;

/// Requests wait on one thread and go on on another: what they took there they give back here, for which threads would
/// wait for each other with the allocators of most systems.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Edge security rules: check, format and explain expressions, and serve the app with its API.
#[derive(Parser)]
#[command(name = "zonewright", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: commands::Command,
}

fn main() -> ExitCode {
    Cli::parse().command.run()
}
