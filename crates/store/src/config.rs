//! The configuration of the store: its timeouts, and its database, which is a file in the data directory or a
//! PostgreSQL server that several processes share.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The parameters of a URL that the driver knows. It would ignore any other, which could be a misspelled password.
const ALLOWED_PARAMETERS: [&str; 19] = [
    "sslmode",
    "ssl-mode",
    "sslrootcert",
    "ssl-root-cert",
    "ssl-ca",
    "sslcert",
    "ssl-cert",
    "sslkey",
    "ssl-key",
    "statement-cache-capacity",
    "host",
    "hostaddr",
    "port",
    "dbname",
    "user",
    "password",
    "application_name",
    "options",
    "options[search_path]",
];

/// The configuration of the store.
#[derive(Clone, Debug, Default)]
pub struct StoreConfig {
    /// The database.
    pub database: Database,
    /// The timeouts.
    pub timeouts: Timeouts,
}

/// The database to use.
#[derive(Clone, Debug, Default)]
pub enum Database {
    /// SQLite, in a file in the data directory.
    #[default]
    Sqlite,
    /// A PostgreSQL server.
    Postgres(PostgresUrl),
}

/// Timeouts of the database.
#[derive(Clone, Debug)]
pub struct Timeouts {
    /// The maximum wait for a free connection, and for a server that is unreachable.
    pub connect_timeout: Duration,
    /// The maximum duration of a statement (PostgreSQL).
    pub statement_timeout: Duration,
    /// The maximum wait for the lock of a zone or an account (PostgreSQL).
    pub lock_timeout: Duration,
    /// The duration of a lease (PostgreSQL). Its holder renews it after each third of this time.
    pub lease_term: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Timeouts {
            connect_timeout: Duration::from_secs(10),
            statement_timeout: Duration::from_secs(30),
            lock_timeout: Duration::from_secs(10),
            lease_term: Duration::from_secs(15),
        }
    }
}

/// The URL of a PostgreSQL database. It is displayed without password and parameters.
#[derive(Clone, PartialEq, Eq)]
pub struct PostgresUrl(String);

impl PostgresUrl {
    /// Returns the complete URL, including the password.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Returns the URL with this password, which replaces any other.
    pub fn with_password(&self, password: &str) -> PostgresUrl {
        let mut url = self.0.clone();
        url.push(if url.contains('?') { '&' } else { '?' });
        url.push_str("password=");
        url.extend(password.bytes().map(|byte| format!("%{byte:02X}")));
        PostgresUrl(url)
    }
}

impl FromStr for PostgresUrl {
    type Err = String;

    /// Parses `postgres://user:password@host:port/database?parameters`. Missing parts come from the environment as in
    /// PostgreSQL's own programs: `PGHOST`, `PGUSER`, `PGPASSWORD`, `PGPASSFILE` and others.
    fn from_str(text: &str) -> Result<PostgresUrl, String> {
        let without_scheme = text.strip_prefix("postgres://").or(text.strip_prefix("postgresql://"));
        let Some(without_scheme) = without_scheme else {
            return Err(
                "a database URL must begin with `postgres://`; omit it to use SQLite in the data directory".to_owned()
            );
        };
        // Other errors are not reported because they could contain the password.
        if let Err(error) = sqlx::postgres::PgConnectOptions::from_str(text) {
            return Err(match error {
                sqlx::Error::Configuration(reason) => format!("the database URL is malformed: {reason}"),
                _ => "the database URL is malformed".to_owned(),
            });
        }
        let query = without_scheme.split_once('?').map(|(_, query)| query.split('#').next().unwrap_or_default());
        for pair in query.unwrap_or_default().split('&').filter(|pair| !pair.is_empty()) {
            let name = pair.split('=').next().unwrap_or_default().replace("%5B", "[").replace("%5D", "]");
            if !ALLOWED_PARAMETERS.contains(&name.as_str()) && !name.starts_with("options[") {
                return Err(format!("the database URL has an unknown parameter `{name}`"));
            }
        }
        Ok(PostgresUrl(text.to_owned()))
    }
}

impl fmt::Display for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (scheme, rest) = self.0.split_once("://").unwrap_or(("postgres", ""));
        let rest = rest.split(['?', '#']).next().unwrap_or_default();
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
        let user = user.split(':').next().unwrap_or_default();
        let at = if user.is_empty() { "" } else { "@" };
        write!(f, "{scheme}://{user}{at}{host}/{path}")
    }
}

impl fmt::Debug for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn displayed_url_has_no_password() {
        let cases = [
            ("postgres://localhost/db", "postgres://localhost/db"),
            ("postgresql://me@localhost:5433/db", "postgresql://me@localhost:5433/db"),
            ("postgres://me:secret@h/db?sslmode=require", "postgres://me@h/db"),
            ("postgres://me:se%40cret@h/db?password=secret", "postgres://me@h/db"),
            ("postgres:///db?host=/run/postgresql&user=me&password=secret", "postgres:///db"),
        ];
        for (text, shown) in cases {
            let url: PostgresUrl = text.parse().unwrap();
            assert_eq!((url.to_string(), format!("{url:?}")), (shown.to_owned(), shown.to_owned()));
            assert_eq!(url.with_password("a&secret").to_string(), shown);
        }
    }

    #[test]
    fn invalid_urls_are_rejected_without_their_secrets() {
        for text in [
            "",
            "mysql://me:secret@h/db",
            "/var/lib/db",
            "postgres://me:secret@h:99999/db",
            "postgres://h/db?pasword=secret",
            "postgres://me:secret@h/db?port=x",
            "postgres://me:secret@h/db?sslmode=x",
        ] {
            let error = text.parse::<PostgresUrl>().unwrap_err();
            assert!(!error.contains("secret") && error.contains("database URL"), "{text}: {error}");
        }
    }
}
