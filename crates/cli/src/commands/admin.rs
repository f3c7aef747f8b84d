//! `zonewright admin`: manages accounts, users, zones and tokens, reads the audit log, and maintains the database.

mod access;
mod audit;
mod confirm;
mod output;

use super::database::DatabaseArgs;
use super::serve;
use crate::output::{EXIT_OK, EXIT_PROBLEMS, EXIT_USAGE, print_error, print_warning, write_stdout};
use crate::settings::{CommandLineOptions, misspelled_variables};
use clap::{Args, Subcommand};
use std::future::Future;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};
use zonewright_server::{LogConfig, LogFilter, open_error_text, start_log};
use zonewright_store::{Remedy, RestoreError, StoreConfig, back_up, check, find_missing_database, repair, restore};

/// The subcommand and the location of the database.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    location: CommandLineOptions<Options>,
    #[command(subcommand)]
    command: Command,
}

/// The options that locate the database, which `serve` has too.
#[derive(Args, Clone)]
struct Options {
    /// TOML file with options; can be that of `serve`.
    #[arg(long, value_name = "FILE", global = true)]
    config: Option<PathBuf>,
    /// Data directory with the database; created with the first account if it does not exist.
    #[arg(long, value_name = "DIR", default_value = "./zonewright-data", global = true)]
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
    /// Create, list, and delete accounts.
    #[command(subcommand)]
    Account(access::AccountCommand),
    /// Create, list, and revoke users, who have all permissions in their account.
    #[command(subcommand)]
    User(access::UserCommand),
    /// Create, list, change, and delete zones.
    #[command(subcommand)]
    Zone(access::ZoneCommand),
    /// Create, list, and revoke tokens.
    #[command(subcommand)]
    Token(access::TokenCommand),
    /// List and verify the audit log.
    #[command(subcommand)]
    Audit(audit::AuditCommand),
    /// Back up the database to a new file; the service may be running.
    ///
    /// The file contains the signing key of the service, the secrets of log push destinations, and the digests of keys
    /// and tokens, so only you can read it.
    Backup {
        /// File to write, or an existing directory, in which the file is named after the current time.
        #[arg(value_name = "FILE|DIR")]
        to: PathBuf,
    },
    /// Restore a backup, from SQLite or PostgreSQL, into an empty data directory or database.
    Restore {
        /// Backup file.
        #[arg(value_name = "FILE")]
        from: PathBuf,
    },
    /// Check the contents of the database.
    Check {
        /// First correct wrong counts of lists; nothing else changes.
        #[arg(long)]
        repair: bool,
    },
}

/// Runs the subcommand and returns the exit code of the process.
pub(crate) fn run(Arguments { location, command }: Arguments) -> ExitCode {
    misspelled_variables::<serve::Options>(&serve::SECRET_VARIABLES).iter().for_each(|warning| print_warning(warning));
    let location = match location.resolve_with_shared_file::<serve::Options>().and_then(Options::location) {
        Ok(location) => location,
        Err(problems) => {
            problems.iter().for_each(|problem| print_error(problem));
            return ExitCode::from(EXIT_USAGE);
        }
    };
    // The log shows the warning that the command waits for a database.
    start_log(&LogConfig { filter: LogFilter::warnings(), ..LogConfig::default() });
    let checked = if command.works_without_database() { Ok(()) } else { location.ensure_exists() };
    let outcome = checked.and_then(|()| match command {
        Command::Account(command) => run_resource_command(&location, command.into()),
        Command::User(command) => run_resource_command(&location, command.into()),
        Command::Zone(command) => run_resource_command(&location, command.into()),
        Command::Token(command) => run_resource_command(&location, command.into()),
        Command::Audit(command) => block_on(audit::run(&location.data, &location.storage, command)),
        Command::Backup { to } => write_backup(to, &location),
        Command::Restore { from } => restore_backup(&from, &location),
        Command::Check { repair } => check_database(&location, repair),
    });
    outcome.unwrap_or_else(|problem| {
        print_error(&problem);
        ExitCode::from(EXIT_USAGE)
    })
}

impl Command {
    /// Returns whether the command works without an existing database.
    fn works_without_database(&self) -> bool {
        match self {
            Command::Account(command) => matches!(command, access::AccountCommand::Create { .. }),
            Command::Token(command) => matches!(command, access::TokenCommand::Permissions),
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
        let help = "\n  help: name another location with --data, --database, or the --config of `serve`, or in the \
                    environment (ZONEWRIGHT_DATA, ZONEWRIGHT_DATABASE, ZONEWRIGHT_CONFIG); `zonewright admin account \
                    create` creates a new database";
        block_on(async {
            match find_missing_database(&self.data, &self.storage).await {
                Ok(None) => Ok(()),
                Ok(Some(location_text)) => Err(format!("there is no Zonewright database in {location_text}{help}")),
                Err(reason) => Err(reason),
            }
        })
    }
}

fn run_resource_command(location: &DatabaseLocation, command: access::ResourceCommand) -> Result<ExitCode, String> {
    block_on(access::run(&location.data, &location.storage, command))
}

fn write_backup(to: PathBuf, location: &DatabaseLocation) -> Result<ExitCode, String> {
    let file = if to.is_dir() {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        to.join(format!("zonewright-{seconds}.backup"))
    } else {
        to
    };
    let rows = block_on(back_up(&location.data, &location.storage, &file))?;
    let text = format!("{}: {rows} rows; the file contains secrets, so store it safely\n", file.display());
    Ok(write_stdout(&text, EXIT_OK))
}

fn restore_backup(from: &Path, location: &DatabaseLocation) -> Result<ExitCode, String> {
    let rows = block_on(async {
        let rows = restore(&location.data, &location.storage, from).await;
        rows.map_err(|error| match error {
            RestoreError::Open(error) => open_error_text(&error),
            RestoreError::Failed(reason) => reason,
        })
    })?;
    Ok(write_stdout(&format!("{rows} rows restored\n"), EXIT_OK))
}

/// Checks the database, optionally after a repair. The exit code is 1 if a problem remains.
fn check_database(location: &DatabaseLocation, repair_first: bool) -> Result<ExitCode, String> {
    if repair_first {
        match block_on(repair(&location.data, &location.storage))? {
            0 => {}
            // Written immediately, because the check may fail. If this output fails, so does that of the check.
            corrected => {
                write_stdout(&format!("corrected list counts: {corrected}\n"), EXIT_OK);
            }
        }
    }
    let problems = block_on(check(&location.data, &location.storage))?;
    if problems.is_empty() {
        return Ok(write_stdout("no problems found\n", EXIT_OK));
    }
    let lines =
        problems.iter().map(|problem| format!("{}\n  help: {}\n", problem.description, remedy_text(problem.remedy)));
    Ok(write_stdout(&lines.collect::<String>(), EXIT_PROBLEMS))
}

/// Returns the remedy for a problem of the database, for people.
fn remedy_text(remedy: Remedy) -> &'static str {
    match remedy {
        Remedy::UseNewerVersion => "use the version of zonewright that last used the database",
        Remedy::UpgradeSchema => "start the service once to upgrade the schema, then check again",
        Remedy::RestoreBackup => "restore a backup into an empty data directory or database",
        Remedy::SetObject => "set the object again through the API, or restore a backup",
        Remedy::RecreateObject => "delete the object and create it again through the API",
        Remedy::RecreateToken => "revoke the token and create a new one",
        Remedy::SetPriority => "set the priority of the rule through the API",
        Remedy::UpdateRuleset => "update the ruleset through the API, or restore a backup",
        Remedy::Recount => "run `zonewright admin check --repair` to count again",
        Remedy::CompareWithBackup => "the log was altered or is damaged; compare it with a backup",
    }
}

fn block_on<T>(work: impl Future<Output = Result<T, String>>) -> Result<T, String> {
    let runtime = tokio::runtime::Runtime::new().map_err(|error| format!("cannot start: {error}"))?;
    runtime.block_on(work)
}
