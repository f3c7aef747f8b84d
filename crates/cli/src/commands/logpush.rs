//! `zonewright logpush`: checks, formats, explains, evaluates and converts log push filters.

mod check;
mod convert;
mod evaluate;
mod explain;
mod format;
mod lines;
mod sql;
mod try_lines;

use crate::input::{self, display_name};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use zonewright_expression::LintOptions;
use zonewright_logpush::{Dataset, Options, code};

/// The subcommands of `logpush`.
#[derive(Subcommand)]
pub(crate) enum LogpushCommand {
    /// Check filters and report errors, warnings, and hints with their fixes.
    Check(check::Arguments),
    /// Format filters in place.
    Format(format::Arguments),
    /// Explain filters in plain English.
    Explain(explain::Arguments),
    /// Evaluate a filter on a log line.
    Evaluate(evaluate::Arguments),
    /// Print the log lines that a filter keeps.
    Try(try_lines::Arguments),
    /// Convert a filter to an expression of the Rules language, or the reverse.
    Convert(convert::Arguments),
    /// Convert a job's filter and field list to a SQL query.
    Sql(sql::Arguments),
}

impl LogpushCommand {
    /// Runs the subcommand and returns the exit code of the process.
    pub(crate) fn run(self) -> ExitCode {
        match self {
            LogpushCommand::Check(arguments) => check::run(&arguments),
            LogpushCommand::Format(arguments) => format::run(&arguments),
            LogpushCommand::Explain(arguments) => explain::run(&arguments),
            LogpushCommand::Evaluate(arguments) => evaluate::run(&arguments),
            LogpushCommand::Try(arguments) => try_lines::run(&arguments),
            LogpushCommand::Convert(arguments) => convert::run(&arguments),
            LogpushCommand::Sql(arguments) => sql::run(&arguments),
        }
    }
}

/// The dataset of a filter.
#[derive(Args, Clone, Copy)]
struct DatasetArgs {
    /// Dataset whose fields the filter uses.
    #[arg(long, value_parser = dataset_parser(), default_value = "http_requests", hide_possible_values = true)]
    dataset: &'static Dataset,
}

impl DatasetArgs {
    /// Converts the arguments to options of the engine.
    fn to_options(self) -> Options {
        Options { dataset: self.dataset, ..Options::default() }
    }
}

fn dataset_parser() -> impl TypedValueParser<Value = &'static Dataset> {
    PossibleValuesParser::new(Dataset::all().iter().map(|dataset| dataset.name))
        .try_map(|name| Dataset::from_name(&name).ok_or("unknown dataset"))
}

/// The options that turn off lints.
#[derive(Args, Clone, Default)]
struct LintArgs {
    /// Turn off all lints.
    #[arg(long, conflicts_with = "allow")]
    no_lint: bool,
    /// Turn off the lint with this code; repeatable.
    #[arg(long, value_name = "CODE", value_parser = PossibleValuesParser::new(code::LINTS), hide_possible_values = true)]
    allow: Vec<String>,
}

impl LintArgs {
    /// Converts the arguments to lint options of the engine; `None` turns lints off.
    fn to_lint(&self) -> Option<LintOptions> {
        let allow: BTreeSet<String> = self.allow.iter().cloned().collect();
        (!self.no_lint).then_some(LintOptions { allow })
    }
}

/// Reads the filter of an argument, which is the filter itself if it looks like JSON, else the name of a file. Returns
/// its display name and its text.
fn read_filter(argument: &str) -> Result<(String, String), String> {
    if argument.trim_start().starts_with(['{', '"', '[']) {
        return Ok(("<filter>".to_owned(), argument.to_owned()));
    }
    let missing = "no such file; to use a filter itself, start it with `{`";
    let source = input::read_source(Path::new(argument), missing)
        .map_err(|error| format!("{}: {error}", display_name(argument)))?;
    Ok((display_name(argument).to_owned(), source))
}
