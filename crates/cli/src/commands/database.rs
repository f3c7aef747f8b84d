//! Defines the options that select the database, for every subcommand that uses one.

use clap::Args;
use std::path::PathBuf;
use zonewright_store::{Database, PostgresUrl, StoreConfig};

/// The options that select the database.
#[derive(Args, Clone)]
#[command(next_help_heading = "Database")]
pub(crate) struct DatabaseArgs {
    /// PostgreSQL database to use instead of the one in the data directory: postgres://USER@HOST:PORT/NAME.
    ///
    /// Pass the password in PGPASSWORD, PGPASSFILE, or a file, because other users of the machine can see command
    /// lines.
    #[arg(long = "database", value_name = "URL", global = true)]
    url: Option<String>,
    /// File with the database password in its first line.
    #[arg(long = "database-password-file", value_name = "FILE", global = true)]
    password_file: Option<PathBuf>,
}

impl DatabaseArgs {
    /// Converts the arguments to a store configuration; the error is a message.
    pub(crate) fn storage(self) -> Result<StoreConfig, String> {
        // The command-line parser does not parse the URL, because its error would show an invalid URL with its
        // password.
        let Some(url) = self.url else {
            return match self.password_file {
                None => Ok(StoreConfig::default()),
                Some(_) => Err("--database-password-file requires --database".to_owned()),
            };
        };
        let mut url: PostgresUrl = url.parse()?;
        if let Some(file) = self.password_file {
            let text = std::fs::read_to_string(&file);
            let text = text.map_err(|error| format!("cannot read {}: {error}", file.display()))?;
            url = url.with_password(text.lines().next().unwrap_or_default());
        }
        Ok(StoreConfig { database: Database::Postgres(url), ..StoreConfig::default() })
    }
}
