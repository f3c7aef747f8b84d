//! The two kinds of database.

use std::path::Path;

/// Which kind of database it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// A file in the data folder, which one process uses.
    Sqlite,
    /// A server, which several processes may use.
    Postgres,
}

impl Dialect {
    /// The statement for the time of the database, in milliseconds since 1970: processes need not have the same clock.
    pub(crate) fn time(self) -> &'static str {
        match self {
            Dialect::Sqlite => "select cast(unixepoch('subsec') * 1000 as integer)",
            Dialect::Postgres => "select cast(extract(epoch from clock_timestamp()) * 1000 as bigint)",
        }
    }
}

/// What every connection to SQLite is set up with.
pub(crate) const SQLITE_PRAGMAS: &str =
    "pragma journal_mode = wal; pragma foreign_keys = on; pragma busy_timeout = 5000;";

/// The address of a database file; any byte may be in a path.
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
