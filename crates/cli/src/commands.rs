//! The subcommands, one file each.

mod admin;
mod check;
mod database;
mod equivalent;
mod evaluate;
mod explain;
mod format;
mod logpush;
mod migrate;
mod ndjson;
mod never_fires;
mod serve;
mod test;

use clap::Subcommand;
use std::process::ExitCode;

/// What to do.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Check expressions and show every problem with its place and its remedy.
    Check(check::Arguments),
    /// Lay expressions out anew, in place.
    Format(format::Arguments),
    /// Put expressions into plain English.
    Explain(explain::Arguments),
    /// Say what an expression gives for a request, and why.
    Evaluate(evaluate::Arguments),
    /// Run test cases: which requests expressions must match, and which not.
    Test(test::Arguments),
    /// Prove that two expressions mean the same, or show a request that tells them apart.
    Equivalent(equivalent::Arguments),
    /// Find the rules of an ordered list that no request can ever reach.
    NeverFires(never_fires::Arguments),
    /// Check, format, explain and try log push filters.
    #[command(subcommand)]
    Logpush(logpush::LogpushCommand),
    /// Plan the migration of a zone to ruleset-based managed rules.
    #[command(subcommand)]
    Migrate(migrate::MigrateCommand),
    /// Serve the app and the API.
    Serve(serve::Arguments),
    /// Make accounts, users, zones and tokens for the service; back up, restore and check its database.
    Admin(admin::Arguments),
}

impl Command {
    /// Runs the subcommand and returns the exit code of the process.
    pub(crate) fn run(self) -> ExitCode {
        match self {
            Command::Check(arguments) => check::run(&arguments),
            Command::Format(arguments) => format::run(&arguments),
            Command::Explain(arguments) => explain::run(&arguments),
            Command::Evaluate(arguments) => evaluate::run(&arguments),
            Command::Test(arguments) => test::run(&arguments),
            Command::Equivalent(arguments) => equivalent::run(&arguments),
            Command::NeverFires(arguments) => never_fires::run(&arguments),
            Command::Logpush(command) => command.run(),
            Command::Migrate(command) => command.run(),
            Command::Serve(arguments) => serve::run(arguments),
            Command::Admin(arguments) => admin::run(arguments),
        }
    }
}
