//! The schema and how a database comes to it.

use crate::dialect::Dialect;
use sqlx::migrate::{Migrate, Migrator};
use sqlx::{AnyConnection, AnyPool, AssertSqlSafe, Row};
use std::fmt;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// Every version of the schema, from 1.
pub(crate) static MIGRATIONS: Migrator = sqlx::migrate!("src/migrations");

/// The first version with claims of processes.
const CLAIMS: i64 = 8;

/// The version that this program works with.
pub(crate) fn newest() -> i64 {
    MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or_default()
}

/// Why a database stays at its version; for people.
#[derive(Debug)]
pub(crate) struct StaysAsItIs(String);

impl fmt::Display for StaysAsItIs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for StaysAsItIs {}

pub(crate) fn stays(reason: String) -> sqlx::Error {
    sqlx::Error::AnyDriverError(Box::new(StaysAsItIs(reason)))
}

/// Brings a database to a version of the schema, the present one without a version. Of processes that begin at once,
/// one does it and the others wait. One of a former version that others use is left as it is: they would go on as they
/// know it. `term` is how long a claim of theirs is good.
pub(crate) async fn migrate(
    pool: &AnyPool,
    dialect: Dialect,
    version: Option<i64>,
    term: Duration,
) -> Result<(), sqlx::Error> {
    let mut connection = pool.acquire().await?;
    // That of the migrations, which a connection may have twice; with SQLite there is none.
    connection.lock().await?;
    let migrated = migrate_locked(&mut connection, dialect, version, term).await;
    let freed = connection.unlock().await;
    migrated?;
    Ok(freed?)
}

async fn migrate_locked(
    connection: &mut AnyConnection,
    dialect: Dialect,
    version: Option<i64>,
    term: Duration,
) -> Result<(), sqlx::Error> {
    let present = version_of(connection, dialect).await?;
    if dialect == Dialect::Postgres && (CLAIMS..version.unwrap_or_else(newest)).contains(&present) {
        be_alone(connection, term).await?;
    }
    MIGRATIONS.run_direct(version, connection, false).await?;
    if dialect == Dialect::Postgres { collate(connection).await } else { Ok(()) }
}

/// Waits for the end of claims that are not renewed any more.
async fn be_alone(connection: &mut AnyConnection, term: Duration) -> Result<(), sqlx::Error> {
    let last = Instant::now() + term + term / 2;
    loop {
        let held = "select name from leases where until > cast(extract(epoch from clock_timestamp()) * 1000 as bigint)
                    order by name";
        let rows = sqlx::query(held).fetch_all(&mut *connection).await?;
        let names = rows.iter().map(|row| row.try_get::<String, _>(0)).collect::<Result<Vec<_>, _>>()?;
        if names.is_empty() {
            return Ok(());
        }
        if Instant::now() >= last {
            let names = names.join(", ");
            return Err(stays(format!(
                "its schema is of a former version, and other processes work with it ({names}): stop all of them first"
            )));
        }
        sleep(term / 10).await;
    }
}

/// The newest version that was applied to the database.
pub(crate) async fn applied_version(connection: &mut AnyConnection) -> Result<i64, sqlx::Error> {
    let row = sqlx::query("select max(version) from _sqlx_migrations").fetch_one(connection).await?;
    Ok(row.try_get::<Option<i64>, _>(0)?.unwrap_or_default())
}

/// The version of a database; 0 for an empty one.
pub(crate) async fn version_of(connection: &mut AnyConnection, dialect: Dialect) -> Result<i64, sqlx::Error> {
    let is_there = match dialect {
        Dialect::Sqlite => "select count(*) from sqlite_master where name = '_sqlx_migrations'",
        Dialect::Postgres => {
            "select count(*) from pg_class c join pg_namespace n on n.oid = c.relnamespace
             where n.nspname = current_schema() and c.relname = '_sqlx_migrations'"
        }
    };
    match sqlx::query(is_there).fetch_one(&mut *connection).await?.try_get::<i64, _>(0)? {
        0 => Ok(0),
        _ => applied_version(connection).await,
    }
}

/// Texts have one order and one way to be put in lower case, whatever the locale of the server: those of SQLite,
/// which knows the letters of ASCII alone.
async fn collate(connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
    // A database may have it by its own locale. `datlocprovider` is there from version 15 on.
    let columns = sqlx::query(
        "select cast(c.relname as text), cast(a.attname as text)
         from pg_attribute a join pg_class c on c.oid = a.attrelid
         join pg_namespace n on n.oid = c.relnamespace join pg_collation k on k.oid = a.attcollation
         join pg_database d on d.datname = current_database()
         where n.nspname = current_schema() and c.relkind = 'r' and c.relname <> '_sqlx_migrations'
         and a.attnum > 0 and not a.attisdropped and k.collname not in ('C', 'POSIX')
         and not (k.collname = 'default' and d.datcollate in ('C', 'POSIX') and d.datctype in ('C', 'POSIX')
             and coalesce(to_jsonb(d) ->> 'datlocprovider', 'c') = 'c')
         order by 1, 2",
    )
    .fetch_all(&mut *connection)
    .await?;
    let mut statement = String::new();
    for row in columns {
        let (table, column): (String, String) = (row.try_get(0)?, row.try_get(1)?);
        statement.push_str(&format!("alter table {table} alter column {column} type text collate \"C\";\n"));
    }
    if !statement.is_empty() {
        // One transaction, as it is sent as one.
        sqlx::raw_sql(AssertSqlSafe(statement)).execute(connection).await?;
    }
    Ok(())
}
