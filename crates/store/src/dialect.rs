//! The two kinds of database.

use std::path::Path;

/// The kind of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// A file in the data directory, used by one service process and the command line.
    Sqlite,
    /// A server, which several processes may use.
    Postgres,
}

impl Dialect {
    /// Returns the statement that reads the clock of the database in milliseconds since 1970. The clocks of processes
    /// may differ.
    pub(crate) fn clock_sql(self) -> &'static str {
        match self {
            Dialect::Sqlite => "select cast(unixepoch('subsec') * 1000 as integer)",
            Dialect::Postgres => "select cast(extract(epoch from clock_timestamp()) * 1000 as bigint)",
        }
    }
}

/// The setup of every connection to SQLite.
pub(crate) const SQLITE_PRAGMAS: &str =
    "pragma journal_mode = wal; pragma foreign_keys = on; pragma busy_timeout = 5000;";

/// Returns the URL of a database file, whose path may contain any byte.
pub(crate) fn sqlite_url(file: &Path) -> String {
    let mut url = "sqlite://".to_owned();
    for byte in file.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => url.push(char::from(*byte)),
            other => url.push_str(&format!("%{other:02X}")),
        }
    }
    url.push_str("?mode=rwc");
    url
}
