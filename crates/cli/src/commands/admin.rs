//! `zonewright admin`: manages accounts, users, zones and tokens, reads the audit log, and maintains the database.

mod access;
mod audit;
mod question;
mod shown;

use super::database::DatabaseArguments;
use super::serve;
use crate::output::{USAGE, complain, warn};
use crate::settings::{Given, strangers};
use clap::{Args, Subcommand};
use std::future::Future;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};
use zonewright_server::{LogConfig, LogFilter, start_log};
use zonewright_store::{StoreConfig, back_up, check, find_missing_database, repair, restore};

/// What to do, and with which database.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    place: Given<Options>,
    #[command(subcommand)]
    command: Command,
}

/// Which database: what `serve` has as well, so that both work on the same one.
#[derive(Args, Clone)]
struct Options {
    /// File with options, TOML; that of `serve` will do.
    #[arg(long, value_name = "FILE", global = true)]
    config: Option<PathBuf>,
    /// Folder of the database; made with the first account when missing.
    #[arg(long, value_name = "FOLDER", default_value = "./zonewright-data", global = true)]
    data: PathBuf,
    #[command(flatten)]
    database: DatabaseArguments,
}

/// The location of the database.
struct DatabaseLocation {
    data: PathBuf,
    storage: StoreConfig,
}

#[derive(Subcommand)]
enum Command {
    /// Make, list and delete accounts.
    #[command(subcommand)]
    Account(access::Account),
    /// Make, list and revoke users, who have everything in their account.
    #[command(subcommand)]
    User(access::User),
    /// Make, list, change and delete zones.
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

/// Runs the subcommand and returns the exit code of the process.
pub(crate) fn run(Arguments { place, command }: Arguments) -> ExitCode {
    strangers::<serve::Options>(&serve::SECRETS).iter().for_each(|one| warn(one));
    let place = match place.complete_beside::<serve::Options>().and_then(Options::place) {
        Ok(place) => place,
        Err(problems) => {
            problems.iter().for_each(|problem| complain(problem));
            return ExitCode::from(USAGE);
        }
    };
    // The log shows the warning that the command waits for a database.
    start_log(&LogConfig { filter: LogFilter::warnings(), ..LogConfig::default() });
    let done = if command.makes_a_database() { Ok(()) } else { place.is_there() };
    let done = done.and_then(|()| match command {
        Command::Account(command) => manage(&place, command.into()),
        Command::User(command) => manage(&place, command.into()),
        Command::Zone(command) => manage(&place, command.into()),
        Command::Token(command) => manage(&place, command.into()),
        Command::Audit(command) => wait(audit::run(&place.data, &place.storage, command)),
        Command::Backup { to } => write_backup(to, &place),
        Command::Restore { from } => read_backup(&from, &place),
        Command::Check { repair } => look(&place, repair),
    });
    done.unwrap_or_else(|problem| {
        complain(&problem);
        ExitCode::from(USAGE)
    })
}

impl Command {
    /// Returns whether the command works without an existing database.
    fn makes_a_database(&self) -> bool {
        match self {
            Command::Account(command) => matches!(command, access::Account::Create { .. }),
            Command::Token(command) => matches!(command, access::Token::Permissions),
            Command::Restore { .. } => true,
            _ => false,
        }
    }
}

impl Options {
    fn place(self) -> Result<DatabaseLocation, Vec<String>> {
        let storage = self.database.storage().map_err(|problem| vec![problem])?;
        Ok(DatabaseLocation { data: self.data, storage })
    }
}

impl DatabaseLocation {
    /// Returns an error if there is no database, so that a command with a wrong location does not create one.
    fn is_there(&self) -> Result<(), String> {
        let help = "\n  help: name another place with --data, --database or the --config of `serve`, or in the environment \
                    (ZONEWRIGHT_DATA, ZONEWRIGHT_DATABASE, ZONEWRIGHT_CONFIG); `zonewright admin account create` makes \
                    a new one";
        wait(async {
            match find_missing_database(&self.data, &self.storage).await {
                Ok(None) => Ok(()),
                Ok(Some(nowhere)) => Err(format!("there is no database of Zonewright in {nowhere}{help}")),
                Err(reason) => Err(reason),
            }
        })
    }
}

fn manage(place: &DatabaseLocation, command: access::Access) -> Result<ExitCode, String> {
    wait(access::run(&place.data, &place.storage, command))
}

fn write_backup(to: PathBuf, place: &DatabaseLocation) -> Result<ExitCode, String> {
    let file = if to.is_dir() {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        to.join(format!("zonewright-{seconds}.backup"))
    } else {
        to
    };
    let rows = wait(back_up(&place.data, &place.storage, &file))?;
    println!("{}: {rows} rows; it holds secrets, keep it as you keep keys", file.display());
    Ok(ExitCode::SUCCESS)
}

fn read_backup(from: &Path, place: &DatabaseLocation) -> Result<ExitCode, String> {
    let rows = wait(restore(&place.data, &place.storage, from))?;
    println!("{rows} rows restored");
    Ok(ExitCode::SUCCESS)
}

/// Checks the database, optionally after a repair. The exit code is 1 if a problem remains.
fn look(place: &DatabaseLocation, repairs: bool) -> Result<ExitCode, String> {
    if repairs {
        match wait(repair(&place.data, &place.storage))? {
            0 => {}
            lists => println!("{lists} lists were counted anew"),
        }
    }
    let problems = wait(check(&place.data, &place.storage))?;
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
