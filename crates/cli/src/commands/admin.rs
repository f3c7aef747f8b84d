//! `zonewright admin`: manages accounts, users, zones and tokens, reads the audit log, and maintains the database.

mod access;
mod audit;
mod question;
mod shown;

use super::database::DatabaseArgs;
use super::serve;
use crate::output::{EXIT_USAGE, print_error, print_warning};
use crate::settings::{Given, misspelled_variables};
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
    database: DatabaseArgs,
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
    Audit(audit::AuditCommand),
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
    misspelled_variables::<serve::Options>(&serve::SECRET_VARIABLES).iter().for_each(|one| print_warning(one));
    let place = match place.resolve_with_shared_file::<serve::Options>().and_then(Options::location) {
        Ok(place) => place,
        Err(problems) => {
            problems.iter().for_each(|problem| print_error(problem));
            return ExitCode::from(EXIT_USAGE);
        }
    };
    // The log shows the warning that the command waits for a database.
    start_log(&LogConfig { filter: LogFilter::warnings(), ..LogConfig::default() });
    let done = if command.may_create_database() { Ok(()) } else { place.ensure_exists() };
    let done = done.and_then(|()| match command {
        Command::Account(command) => run_resource_command(&place, command.into()),
        Command::User(command) => run_resource_command(&place, command.into()),
        Command::Zone(command) => run_resource_command(&place, command.into()),
        Command::Token(command) => run_resource_command(&place, command.into()),
        Command::Audit(command) => block_on(audit::run(&place.data, &place.storage, command)),
        Command::Backup { to } => write_backup(to, &place),
        Command::Restore { from } => restore_backup(&from, &place),
        Command::Check { repair } => check_database(&place, repair),
    });
    done.unwrap_or_else(|problem| {
        print_error(&problem);
        ExitCode::from(EXIT_USAGE)
    })
}

impl Command {
    /// Returns whether the command works without an existing database.
    fn may_create_database(&self) -> bool {
        match self {
            Command::Account(command) => matches!(command, access::Account::Create { .. }),
            Command::Token(command) => matches!(command, access::Token::Permissions),
            Command::Restore { .. } => true,
            _ => false,
        }
    }
}

impl Options {
    fn location(self) -> Result<DatabaseLocation, Vec<String>> {
        let storage = self.database.storage().map_err(|problem| vec![problem])?;
        Ok(DatabaseLocation { data: self.data, storage })
    }
}

impl DatabaseLocation {
    /// Returns an error if there is no database, so that a command with a wrong location does not create one.
    fn ensure_exists(&self) -> Result<(), String> {
        let help = "\n  help: name another place with --data, --database or the --config of `serve`, or in the environment \
                    (ZONEWRIGHT_DATA, ZONEWRIGHT_DATABASE, ZONEWRIGHT_CONFIG); `zonewright admin account create` makes \
                    a new one";
        block_on(async {
            match find_missing_database(&self.data, &self.storage).await {
                Ok(None) => Ok(()),
                Ok(Some(nowhere)) => Err(format!("there is no database of Zonewright in {nowhere}{help}")),
                Err(reason) => Err(reason),
            }
        })
    }
}

fn run_resource_command(place: &DatabaseLocation, command: access::ResourceCommand) -> Result<ExitCode, String> {
    block_on(access::run(&place.data, &place.storage, command))
}

fn write_backup(to: PathBuf, place: &DatabaseLocation) -> Result<ExitCode, String> {
    let file = if to.is_dir() {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        to.join(format!("zonewright-{seconds}.backup"))
    } else {
        to
    };
    let rows = block_on(back_up(&place.data, &place.storage, &file))?;
    println!("{}: {rows} rows; it holds secrets, keep it as you keep keys", file.display());
    Ok(ExitCode::SUCCESS)
}

fn restore_backup(from: &Path, place: &DatabaseLocation) -> Result<ExitCode, String> {
    let rows = block_on(restore(&place.data, &place.storage, from))?;
    println!("{rows} rows restored");
    Ok(ExitCode::SUCCESS)
}

/// Checks the database, optionally after a repair. The exit code is 1 if a problem remains.
fn check_database(place: &DatabaseLocation, repairs: bool) -> Result<ExitCode, String> {
    if repairs {
        match block_on(repair(&place.data, &place.storage))? {
            0 => {}
            lists => println!("{lists} lists were counted anew"),
        }
    }
    let problems = block_on(check(&place.data, &place.storage))?;
    for problem in &problems {
        println!("{}\n  help: {}", problem.description, problem.remedy);
    }
    if problems.is_empty() {
        println!("nothing is wrong");
    }
    Ok(if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn block_on<T>(work: impl Future<Output = Result<T, String>>) -> Result<T, String> {
    let runtime = tokio::runtime::Runtime::new().map_err(|error| format!("cannot start: {error}"))?;
    runtime.block_on(work)
}
