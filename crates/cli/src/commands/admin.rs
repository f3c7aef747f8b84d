//! `zonewright admin`: what the one who runs the service does to its database.

use super::database::DatabaseArguments;
use crate::output::{USAGE, complain};
use clap::{Args, Subcommand};
use std::future::Future;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};
use zonewright_server::{Storage, back_up, check, restore};

/// What to do to the database.
#[derive(Subcommand)]
pub(crate) enum Admin {
    /// Write everything in the database to a new file, while the service runs or not. The file holds the key that
    /// the service signs with, and digests of all secrets: only you can read it.
    Backup(Backup),
    /// Fill an empty data folder or database with a backup of either kind of database.
    Restore(Restore),
    /// Look whether everything in the database is as it should be.
    Check(Check),
}

/// Which database.
#[derive(Args)]
struct Place {
    /// Folder of the database.
    #[arg(long, value_name = "FOLDER", default_value = "./zonewright-data")]
    data: PathBuf,
    #[command(flatten)]
    database: DatabaseArguments,
}

#[derive(Args)]
pub(crate) struct Backup {
    /// File to write, or a folder that is there, in which a file gets the time as its name.
    #[arg(value_name = "FILE|FOLDER")]
    to: PathBuf,
    #[command(flatten)]
    place: Place,
}

#[derive(Args)]
pub(crate) struct Restore {
    /// The backup.
    #[arg(value_name = "FILE")]
    from: PathBuf,
    #[command(flatten)]
    place: Place,
}

#[derive(Args)]
pub(crate) struct Check {
    #[command(flatten)]
    place: Place,
}

impl Admin {
    /// Does it, and gives the exit code of the process.
    pub(crate) fn run(self) -> ExitCode {
        let done = match self {
            Admin::Backup(arguments) => write_backup(arguments),
            Admin::Restore(arguments) => read_backup(arguments),
            Admin::Check(arguments) => look(arguments),
        };
        done.unwrap_or_else(|problem| {
            complain(&problem);
            ExitCode::from(USAGE)
        })
    }
}

fn write_backup(Backup { to, place: Place { data, database } }: Backup) -> Result<ExitCode, String> {
    let file = if to.is_dir() {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        to.join(format!("zonewright-{seconds}.backup"))
    } else {
        to
    };
    let storage: Storage = database.storage()?;
    let rows = wait(back_up(&data, &storage, &file))?;
    println!("{}: {rows} rows; it holds secrets, keep it as you keep keys", file.display());
    Ok(ExitCode::SUCCESS)
}

fn read_backup(Restore { from, place: Place { data, database } }: Restore) -> Result<ExitCode, String> {
    let rows = wait(restore(&data, &database.storage()?, &from))?;
    println!("{rows} rows restored");
    Ok(ExitCode::SUCCESS)
}

/// Exit code 1 when something is wrong.
fn look(Check { place: Place { data, database } }: Check) -> Result<ExitCode, String> {
    let problems = wait(check(&data, &database.storage()?))?;
    for problem in &problems {
        println!("{}\n  help: {}", problem.what, problem.remedy);
    }
    if problems.is_empty() {
        println!("nothing is wrong");
    }
    Ok(if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn wait<T>(work: impl Future<Output = Result<T, String>>) -> Result<T, String> {
    let runtime = tokio::runtime::Runtime::new().map_err(|error| format!("cannot start: {error}"))?;
    runtime.block_on(work)
}
