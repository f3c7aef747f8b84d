//! The first connection to a database server: retries while the server may be starting, logs a long wait, and explains
//! errors.
//!
//! A pool retries silently until its timeout, and then reports only the timeout.

use crate::config::PostgresUrl;
use sqlx::postgres::PgConnectOptions;
use sqlx::{AnyConnection, Connection, Error};
use std::fmt;
use std::io::ErrorKind;
use std::str::FromStr;
use std::time::Duration;
use tokio::time::{Instant, sleep, sleep_until, timeout_at};

/// The time after which a wait for the server is logged.
const WARN_AFTER: Duration = Duration::from_secs(2);
/// The delay between two attempts.
const RETRY_INTERVAL: Duration = Duration::from_millis(200);

/// The reason why a database cannot be used, for people, without its password.
#[derive(Debug)]
pub(crate) struct ConnectError(String);

impl fmt::Display for ConnectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ConnectError {}

/// Opens a connection and closes it again. Retries for at most `max_wait` while the server refuses connections or is
/// not ready.
pub(crate) async fn connect_with_retry(url: &PostgresUrl, max_wait: Duration) -> Result<(), Error> {
    let address = ServerAddress::from_url(url)?;
    let start = Instant::now();
    let attempts = retry_until(url, start + max_wait);
    tokio::pin!(attempts);
    let outcome = tokio::select! {
        outcome = &mut attempts => outcome,
        () = sleep_until(start + WARN_AFTER) => {
            let (at, seconds) = (&address.host_and_port, max_wait.as_secs());
            tracing::warn!("waiting for the database at {at} for up to {seconds} seconds");
            attempts.await
        }
    };
    outcome.map_err(|error| Error::AnyDriverError(Box::new(ConnectError(address.explain(&error)))))
}

/// Retries until `end` while the server may be starting.
async fn retry_until(url: &PostgresUrl, end: Instant) -> Result<(), Error> {
    loop {
        let Ok(outcome) = timeout_at(end, AnyConnection::connect(url.expose())).await else {
            return Err(Error::PoolTimedOut);
        };
        match outcome {
            Ok(connection) => return connection.close().await,
            Err(error) if is_retryable(&error) && Instant::now() + RETRY_INTERVAL < end => sleep(RETRY_INTERVAL).await,
            Err(error) => return Err(error),
        }
    }
}

fn is_retryable(error: &Error) -> bool {
    match error {
        Error::Io(error) => error.kind() == ErrorKind::ConnectionRefused,
        // Too many connections, or not ready yet.
        Error::Database(error) => matches!(error.code().as_deref(), Some("53300" | "57P03")),
        _ => false,
    }
}

/// The address of a database, as the driver derives it from the URL and the environment.
struct ServerAddress {
    /// The host and port, or the path of a socket.
    host_and_port: String,
    host: String,
    user: String,
    database: String,
}

impl ServerAddress {
    fn from_url(url: &PostgresUrl) -> Result<ServerAddress, Error> {
        let options = PgConnectOptions::from_str(url.expose())?;
        let (host, user) = (options.get_host().to_owned(), options.get_username().to_owned());
        let at = match options.get_socket() {
            Some(folder) => folder.display().to_string(),
            None if host.starts_with('/') => host.clone(),
            None => format!("{host}:{}", options.get_port()),
        };
        // Without a name, the server uses the name of the user.
        let database = options.get_database().unwrap_or(&user).to_owned();
        Ok(ServerAddress { host_and_port: at, host, user, database })
    }

    /// Explains the error and what to check.
    fn explain(&self, error: &Error) -> String {
        let ServerAddress { host_and_port: at, host, user, database } = self;
        let code = error.as_database_error().and_then(|error| error.code());
        match (error, code.as_deref()) {
            (Error::Io(error), _) if error.to_string().starts_with("failed to lookup") => {
                format!("cannot resolve the database host `{host}`: {error}; check the host name in the database URL")
            }
            (Error::Io(_) | Error::PoolTimedOut, _) => {
                let reason = match error {
                    Error::Io(error) => error.to_string(),
                    _ => "no response in time".to_owned(),
                };
                format!(
                    "`{database}` at {at} does not respond: {reason}; check that PostgreSQL is running there, that the \
                     address is correct, and that no firewall blocks the connection"
                )
            }
            (_, Some("28P01" | "28000")) => format!(
                "`{database}` at {at} rejected the user `{user}`: {error}; check the user name, the password (in the \
                 URL, in PGPASSWORD or PGPASSFILE, or in --database-password-file) and the access rules in pg_hba.conf"
            ),
            (_, Some("3D000")) => format!(
                "there is no database `{database}` at {at}; create it, for example with `createdb {database}`, or use \
                another one"
            ),
            _ => format!("cannot use `{database}` at {at}: {error}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn explanation_names_the_server_without_password() {
        for (url, (at, user, database)) in [
            ("postgres://me:hush@h:5433/zw", ("h:5433", "me", "zw")),
            ("postgres://me:hush@[::1]:5433", ("[::1]:5433", "me", "me")),
            ("postgres:///zw?host=/run/postgresql&user=me&password=hush", ("/run/postgresql", "me", "zw")),
        ] {
            let address = ServerAddress::from_url(&url.parse().unwrap()).unwrap();
            assert_eq!((&*address.host_and_port, &*address.user, &*address.database), (at, user, database), "{url}");
            let explanation = address.explain(&Error::PoolTimedOut);
            assert!(explanation.contains(&format!("`{database}` at {at} does not respond")), "{explanation}");
            assert!(!explanation.contains("hush"), "{explanation}");
        }
    }
}
