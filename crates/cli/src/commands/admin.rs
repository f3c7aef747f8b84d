//! `zonewright admin`: what the one who runs the service does: accounts, users, zones and tokens, the audit log, and the
//! database.

mod access;
mod audit;

use super::database::DatabaseArguments;
use crate::output::{USAGE, complain};
use clap::{Args, Subcommand};
use std::future::Future;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};
use zonewright_server::{Storage, back_up, check, repair, restore};

/// What to do, and with which database.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    place: Place,
    #[command(subcommand)]
    command: Command,
}

/// Which database.
#[derive(Args)]
struct Place {
    /// Folder of the database; made when missing.
    #[arg(long, value_name = "FOLDER", default_value = "./zonewright-data", global = true)]
    data: PathBuf,
    #[command(flatten)]
    database: DatabaseArguments,
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
    /// Read the audit log, and look whether it is as it was written.
    #[command(subcommand)]
    Audit(audit::Audit),
    /// Write everything in the database to a new file, while the service runs or not. The file holds the key that
    /// the service signs with, and digests of all secrets: only you can read it.
    Backup {
        /// File to write, or a folder that is there, in which a file gets the time as its name.
        #[arg(value_name = "FILE|FOLDER")]
        to: PathBuf,
    },
    /// Fill an empty data folder or database with a backup of either kind of database.
    Restore {
        /// The backup.
        #[arg(value_name = "FILE")]
        from: PathBuf,
    },
    /// Look whether everything in the database is as it should be.
    Check {
        /// First count lists anew that are counted wrongly; nothing else is changed.
        #[arg(long)]
        repair: bool,
    },
}

/// Runs the subcommand, and gives the exit code of the process.
pub(crate) fn run(Arguments { place, command }: Arguments) -> ExitCode {
    let done = match command {
        Command::Account(command) => manage(place, command.into()),
        Command::User(command) => manage(place, command.into()),
        Command::Zone(command) => manage(place, command.into()),
        Command::Token(command) => manage(place, command.into()),
        Command::Audit(command) => read_log(place, command),
        Command::Backup { to } => write_backup(to, place),
        Command::Restore { from } => read_backup(&from, place),
        Command::Check { repair } => look(place, repair),
    };
    done.unwrap_or_else(|problem| {
        complain(&problem);
        ExitCode::from(USAGE)
    })
}

fn manage(Place { data, database }: Place, command: access::Access) -> Result<ExitCode, String> {
    let storage = database.storage()?;
    wait(async { access::run(&data, &storage, command).await })
}

fn read_log(Place { data, database }: Place, command: audit::Audit) -> Result<ExitCode, String> {
    let storage = database.storage()?;
    wait(async { audit::run(&data, &storage, command).await })
}

fn write_backup(to: PathBuf, Place { data, database }: Place) -> Result<ExitCode, String> {
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

fn read_backup(from: &Path, Place { data, database }: Place) -> Result<ExitCode, String> {
    let rows = wait(restore(&data, &database.storage()?, from))?;
    println!("{rows} rows restored");
    Ok(ExitCode::SUCCESS)
}

/// Exit code 1 when something is wrong.
fn look(Place { data, database }: Place, repairs: bool) -> Result<ExitCode, String> {
    let storage = database.storage()?;
    if repairs {
        match wait(repair(&data, &storage))? {
            0 => {}
            lists => println!("{lists} lists were counted anew"),
        }
    }
    let problems = wait(check(&data, &storage))?;
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
