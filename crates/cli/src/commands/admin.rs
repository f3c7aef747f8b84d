//! `zonewright admin`: what the one who runs the service does: accounts, users, zones and tokens.

mod access;

use crate::output::{USAGE, complain};
use clap::{Args, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// What to do, and with which data.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Folder of the database; made when missing.
    #[arg(long, value_name = "FOLDER", default_value = "./zonewright-data", global = true)]
    data: PathBuf,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Make and list accounts.
    #[command(subcommand)]
    Account(access::Account),
    /// Make, list and revoke users, who have everything in their account.
    #[command(subcommand)]
    User(access::User),
    /// Make and list zones.
    #[command(subcommand)]
    Zone(access::Zone),
    /// Make, list and revoke tokens.
    #[command(subcommand)]
    Token(access::Token),
}

/// Runs the subcommand.
pub(crate) fn run(arguments: Arguments) -> ExitCode {
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => {
            complain(&format!("cannot start: {error}"));
            return ExitCode::from(USAGE);
        }
    };
    runtime.block_on(async {
        let Arguments { data, command } = arguments;
        match command {
            Command::Account(command) => access::run(&data, command.into()).await,
            Command::User(command) => access::run(&data, command.into()).await,
            Command::Zone(command) => access::run(&data, command.into()).await,
            Command::Token(command) => access::run(&data, command.into()).await,
        }
    })
}
