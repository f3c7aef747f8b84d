//! The two kinds of database.

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
