//! `zonewright logpush sql`: converts a job to a query.

use crate::input;
use crate::output::{EXIT_OK, EXIT_PROBLEMS, EXIT_USAGE, print_error, validation_error_to_text, write_stdout};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::process::ExitCode;
use zonewright_api::{ValidationError, json};
use zonewright_logpush::{Dataset, Dialect, JobRules, JobScope, SqlOptions, SqlQuery, read_job, to_sql};

const AFTER_HELP: &str = "\
The job is the JSON body of `POST …/logpush/jobs`. Two statements are written: one creates a table for NDJSON \
files, and the other selects the job's fields of each line that its filter keeps. Settings that a query cannot \
express, such as sampling, are listed in comments before the statements.

Exit code: 0 if the query was written; 1 if the job is invalid or cannot be converted; 2 on a usage error, or \
if the file cannot be read or does not contain a job.";

/// Convert a job's filter and field list to a SQL query.
#[derive(Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// File with the job; `-` for standard input.
    #[arg(default_value = "-")]
    job: PathBuf,
    /// SQL dialect of the query.
    #[arg(long, value_enum)]
    dialect: DialectArg,
    /// Name of the table.
    #[arg(long, default_value = "logs")]
    table: String,
    /// Path or URL of the log files.
    #[arg(long)]
    location: String,
    /// Treat timestamps in the log lines as RFC 3339 strings instead of numbers.
    #[arg(long)]
    rfc3339_timestamps: bool,
}

/// The engine that runs the query.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DialectArg {
    /// Spark SQL.
    Spark,
    /// DataFusion.
    Datafusion,
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> ExitCode {
    let name = arguments.job.to_string_lossy();
    let read = input::read_text(&arguments.job, "no such file")
        .and_then(|text| json::parse(&text).map_err(|error| validation_error_to_text(&error.to_validation_error())));
    let body: serde_json::Value = match read {
        Ok(body) => body,
        Err(error) => {
            print_error(&format!("{}: {error}", input::display_name(&name)));
            return ExitCode::from(EXIT_USAGE);
        }
    };
    match build_query(&body, arguments) {
        Ok(sql) => write_stdout(&format!("{sql}\n"), EXIT_OK),
        Err(errors) => {
            for rejection in &errors {
                print_error(&format!("{}: {}", input::display_name(&name), validation_error_to_text(rejection)));
            }
            // Exit code 2, because JSON that is not an object is not a job.
            ExitCode::from(if body.is_object() { EXIT_PROBLEMS } else { EXIT_USAGE })
        }
    }
}

fn build_query(body: &serde_json::Value, arguments: &Arguments) -> Result<SqlQuery, Vec<ValidationError>> {
    // The job may belong to a zone or an account, so datasets of both are accepted.
    let dataset = body.get("dataset").and_then(|name| name.as_str()).and_then(Dataset::from_name);
    let scope =
        if dataset.is_some_and(|dataset| !dataset.has_zone_scope()) { JobScope::Account } else { JobScope::Zone };
    let job = read_job(body, &JobRules { scope, files: true, plain_http: true })?;
    let options = SqlOptions {
        dialect: match arguments.dialect {
            DialectArg::Spark => Dialect::Spark,
            DialectArg::Datafusion => Dialect::DataFusion,
        },
        table: arguments.table.clone(),
        location: arguments.location.clone(),
        rfc3339_timestamps: arguments.rfc3339_timestamps,
    };
    to_sql(&job.settings, &options)
}
