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
mod trace;

use clap::Subcommand;
use std::process::ExitCode;

/// The subcommand to run.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Check expressions and report errors, warnings, and hints with their fixes.
    Check(check::Arguments),
    /// Format expressions in place.
    Format(format::Arguments),
    /// Explain expressions in plain English.
    Explain(explain::Arguments),
    /// Evaluate an expression on a request.
    Evaluate(evaluate::Arguments),
    /// Run test cases: requests that expressions must or must not match.
    Test(test::Arguments),
    /// Prove that two expressions are equivalent, or find a request for which they differ.
    Equivalent(equivalent::Arguments),
    /// Trace a request through all rules of a zone.
    Trace(trace::Arguments),
    /// Find the rules that never fire in an ordered list.
    NeverFires(never_fires::Arguments),
    /// Check, format, explain, evaluate, and convert log push filters.
    #[command(subcommand)]
    Logpush(logpush::LogpushCommand),
    /// Plan the migration of a zone to ruleset-based managed rules.
    #[command(subcommand)]
    Migrate(migrate::MigrateCommand),
    /// Serve the web app and the API.
    Serve(serve::Arguments),
    /// Manage accounts, users, zones, and tokens; read the audit log; back up, restore, and check the database.
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
            Command::Trace(arguments) => trace::run(&arguments),
            Command::NeverFires(arguments) => never_fires::run(&arguments),
            Command::Logpush(command) => command.run(),
            Command::Migrate(command) => command.run(),
            Command::Serve(arguments) => serve::run(arguments),
            Command::Admin(arguments) => admin::run(arguments),
        }
    }
}
