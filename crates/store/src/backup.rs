//! Backup and restore: all tables except leases as one text, which fills a database of either kind.
//!
//! Start with [`Store::write_backup`] and [`Store::restore`]. The text is lines of JSON: a header with the schema
//! version; for each table its name and columns, then its rows as arrays; and a trailer with the number of rows and a
//! checksum of everything before the trailer.

use crate::catalog::{Column, Table, tables_of_version};
use crate::clock::now;
use crate::error::Error;
use crate::schema;
use crate::secret::hex;
use crate::store::Store;
use futures_util::TryStreamExt;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row};
use std::fmt;
use std::io::{self, BufRead, Write};

/// The version of the text format.
const FORMAT_VERSION: u32 = 1;

/// An error of a backup or a restore.
#[derive(Debug)]
pub(crate) enum BackupError {
    Database(Error),
    Io(io::Error),
    /// The text is malformed; the message is for people.
    Text(String),
    /// The database already has contents, in this table.
    NotEmpty(String),
}

impl fmt::Display for BackupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BackupError::Database(error @ Error::OutcomeUnknown(_)) => f.write_str(&error.reason()),
            BackupError::Database(error) => write!(f, "database error: {}", error.reason()),
            BackupError::Io(error) if error.kind() == io::ErrorKind::InvalidData => f.write_str(
                "the file is not a backup: expected JSON lines as `zonewright admin backup` writes them; decompress \
                 the file first if it is compressed",
            ),
            BackupError::Io(error) => error.fmt(f),
            BackupError::Text(reason) => f.write_str(reason),
            BackupError::NotEmpty(table) => {
                write!(f, "the database is not empty: `{table}` has rows; restore into an empty database")
            }
        }
    }
}

impl From<Error> for BackupError {
    fn from(error: Error) -> Self {
        BackupError::Database(error)
    }
}

impl From<sqlx::Error> for BackupError {
    fn from(error: sqlx::Error) -> Self {
        BackupError::Database(error.into())
    }
}

impl From<io::Error> for BackupError {
    fn from(error: io::Error) -> Self {
        BackupError::Io(error)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BackupHeader {
    zonewright_backup: u32,
    schema: i64,
    made: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TableHeader {
    table: String,
    columns: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BackupTrailer {
    rows: u64,
    sha256: String,
}

/// A writer that computes the checksum of the lines.
struct ChecksumWriter<W> {
    out: W,
    checksum: Sha256,
}

impl<W: Write> ChecksumWriter<W> {
    fn write_line(&mut self, value: &impl Serialize) -> Result<(), BackupError> {
        let mut line = serde_json::to_vec(value).map_err(io::Error::other)?;
        line.push(b'\n');
        self.checksum.update(&line);
        self.out.write_all(&line)?;
        Ok(())
    }
}

impl Store {
    /// Writes a single state of the database, and returns the number of rows.
    pub(crate) async fn write_backup(&self, out: impl Write) -> Result<u64, BackupError> {
        let mut reading = self.read().await?;
        let schema = schema::applied_version(&mut reading).await?;
        let mut out = ChecksumWriter { out, checksum: Sha256::new() };
        out.write_line(&BackupHeader { zonewright_backup: FORMAT_VERSION, schema, made: now() })?;
        let mut count = 0;
        for table in tables_of_version(schema).await? {
            let columns = table.columns.iter().map(|column| column.name.clone()).collect();
            out.write_line(&TableHeader { table: table.name.clone(), columns })?;
            let statement = format!("select {} from {} order by 1, 2", table.column_list(), table.name);
            let mut rows = sqlx::query(AssertSqlSafe(statement)).fetch(&mut *reading);
            while let Some(row) = rows.try_next().await? {
                out.write_line(&row_values(&table, &row)?)?;
                count += 1;
            }
        }
        let trailer = BackupTrailer { rows: count, sha256: hex(&out.checksum.finalize_reset()) };
        out.write_line(&trailer)?;
        out.out.flush()?;
        Ok(count)
    }

    /// Fills an empty database that has the schema version of the text, in one transaction. The caller has verified the
    /// text with [`verify_backup`]. Returns the number of rows.
    pub(crate) async fn restore(&self, text: impl BufRead) -> Result<u64, BackupError> {
        let mut unit = self.write_into_empty().await?;
        let mut lines = text.lines();
        let header = read_header(lines.next().transpose()?.unwrap_or_default())?;
        let tables = tables_of_version(header.schema).await?;
        // The rows of `counters` exist from the start.
        for table in tables.iter().filter(|table| table.name != "counters") {
            let statement = format!("select count(*) from {}", table.name);
            let rows: i64 = sqlx::query_scalar(AssertSqlSafe(statement)).fetch_one(unit.connection()).await?;
            if rows > 0 {
                return Err(BackupError::NotEmpty(table.name.clone()));
            }
        }
        if tables.iter().any(|table| table.name == "counters") {
            sqlx::query("delete from counters").execute(unit.connection()).await?;
        }
        let (mut count, mut current_table) = (0, None);
        for (number, line) in lines.enumerate() {
            let line = line?;
            let invalid_line = || BackupError::Text(format!("line {} of the backup is invalid", number + 2));
            if line.starts_with('[') {
                let row: Vec<Value> = serde_json::from_str(&line).map_err(|_| invalid_line())?;
                let table = current_table.ok_or_else(invalid_line)?;
                insert(unit.connection(), table, row).await?.ok_or_else(invalid_line)?;
                count += 1;
            } else if let Ok(header) = serde_json::from_str::<TableHeader>(&line) {
                let is_same_table = |table: &&Table| {
                    table.name == header.table && table.columns.iter().map(|column| &column.name).eq(&header.columns)
                };
                current_table = Some(tables.iter().find(is_same_table).ok_or_else(invalid_line)?);
            } else {
                serde_json::from_str::<BackupTrailer>(&line).map_err(|_| invalid_line())?;
            }
        }
        unit.commit_unlogged().await?;
        Ok(count)
    }
}

/// Reads a text to its end, and returns its schema version if it is complete and unchanged.
pub(crate) fn verify_backup(text: impl BufRead) -> Result<i64, BackupError> {
    let (mut checksum, mut rows, mut header, mut trailer) = (Sha256::new(), 0, None, None);
    for line in text.lines() {
        let line = line?;
        if trailer.is_some() {
            return Err(BackupError::Text("the backup has data after its end marker".to_owned()));
        }
        match &header {
            None => header = Some(read_header(line.clone())?),
            Some(_) => trailer = serde_json::from_str::<BackupTrailer>(&line).ok(),
        }
        if trailer.is_none() {
            checksum.update(line.as_bytes());
            checksum.update(b"\n");
            rows += u64::from(line.starts_with('['));
        }
    }
    let incomplete = || BackupError::Text("the backup is incomplete: its end marker is missing".to_owned());
    let (header, trailer) = header.zip(trailer).ok_or_else(incomplete)?;
    if (trailer.rows, trailer.sha256) != (rows, hex(&checksum.finalize())) {
        return Err(BackupError::Text("the backup was changed: its checksum does not match".to_owned()));
    }
    Ok(header.schema)
}

fn read_header(line: String) -> Result<BackupHeader, BackupError> {
    let header =
        serde_json::from_str::<BackupHeader>(&line).ok().filter(|header| header.zonewright_backup == FORMAT_VERSION);
    header.ok_or_else(|| BackupError::Text("not a backup that this version of zonewright can read".to_owned()))
}

fn row_values(table: &Table, row: &AnyRow) -> Result<Vec<Value>, sqlx::Error> {
    let value = |column: &Column| {
        Ok(if column.is_text {
            row.try_get::<Option<String>, _>(column.name.as_str())?.into()
        } else {
            row.try_get::<Option<i64>, _>(column.name.as_str())?.into()
        })
    };
    table.columns.iter().map(value).collect()
}

/// Inserts a row. Returns `None` if it does not fit the table.
async fn insert(connection: &mut AnyConnection, table: &Table, row: Vec<Value>) -> Result<Option<()>, sqlx::Error> {
    if row.len() != table.columns.len() {
        return Ok(None);
    }
    let parameters: Vec<String> = (1..=row.len()).map(|number| format!("${number}")).collect();
    let statement = format!("insert into {} ({}) values ({})", table.name, table.column_list(), parameters.join(", "));
    let mut query = sqlx::query(AssertSqlSafe(statement));
    for (column, value) in table.columns.iter().zip(row) {
        query = match (column.is_text, value) {
            (true, Value::Null) => query.bind(None::<String>),
            (true, Value::String(text)) => query.bind(text),
            (false, Value::Null) => query.bind(None::<i64>),
            (false, Value::Number(number)) if number.is_i64() => query.bind(number.as_i64()),
            _ => return Ok(None),
        };
    }
    query.execute(connection).await?;
    Ok(Some(()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_outcome_of_a_restore_is_not_reported_as_a_failure() {
        let error = BackupError::Database(Error::OutcomeUnknown(sqlx::Error::WorkerCrashed.into()));
        assert!(
            error.to_string().starts_with("the connection was lost during the commit, so it is unknown"),
            "{error}"
        );
    }
}
