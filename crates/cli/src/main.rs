//! The native binary. Every operation of Zonewright is a subcommand.
//!
//! In reading order:
//!
//! - [`commands`]: one file for each subcommand.
//! - [`language`]: the options that the subcommands for the Rules language share.
//! - [`settings`]: options from flags, the environment and a file.
//! - [`integer`]: parses options that are integers.
//! - [`input`]: reads files and standard input.
//! - [`output`]: writes standard output and standard error, and defines the exit codes.
//! - [`request`]: the options of the request on which a subcommand evaluates.
//! - [`json`]: the JSON shapes that several subcommands write.
//! - [`stream`]: reads and answers streams for `--ndjson`.

mod commands;
mod input;
mod integer;
mod json;
mod language;
mod output;
mod request;
mod settings;
mod stream;

use clap::Parser;
use mimalloc::MiMalloc;
use std::process::ExitCode;

/// The allocator. A request may resume on another thread after a wait, so a thread often frees memory that another
/// thread allocated. With the allocators of most systems, threads would then contend for locks.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Check, format, explain, evaluate, and compare edge security rules, and serve the web app with its API.
#[derive(Parser)]
#[command(name = "zonewright", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: commands::Command,
}

fn main() -> ExitCode {
    Cli::parse().command.run()
}
