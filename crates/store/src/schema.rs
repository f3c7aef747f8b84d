//! The database schema and its migrations.

use crate::dialect::Dialect;
use sqlx::migrate::{Migrate, Migrator};
use sqlx::{AnyConnection, AnyPool, AssertSqlSafe, FromRow};
use std::fmt;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// All versions of the schema, from 1.
pub(crate) static MIGRATIONS: Migrator = sqlx::migrate!("src/migrations");

/// The first version with leases.
const FIRST_VERSION_WITH_LEASES: i64 = 8;

/// Returns the latest version, which this program works with.
pub(crate) fn latest_version() -> i64 {
    MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or_default()
}

/// The reason why a database is not migrated, for people.
#[derive(Debug)]
pub(crate) struct SchemaInUse(String);

impl fmt::Display for SchemaInUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SchemaInUse {}

pub(crate) fn schema_in_use_error(reason: String) -> sqlx::Error {
    sqlx::Error::AnyDriverError(Box::new(SchemaInUse(reason)))
}

/// Migrates a database to a version of the schema, or to the latest. Of several processes that start concurrently, one
/// migrates and the others wait. A database of an older version that other processes use is not migrated, because they
/// would continue to write in the format of that version. `term` is the duration of their leases.
pub(crate) async fn migrate(
    pool: &AnyPool,
    dialect: Dialect,
    version: Option<i64>,
    term: Duration,
) -> Result<(), sqlx::Error> {
    let mut connection = pool.acquire().await?;
    // The advisory lock of the migrations, which a connection may acquire twice; SQLite has none.
    connection.lock().await?;
    let migrated = migrate_locked(&mut connection, dialect, version, term).await;
    let unlocked = connection.unlock().await;
    migrated?;
    Ok(unlocked?)
}

async fn migrate_locked(
    connection: &mut AnyConnection,
    dialect: Dialect,
    version: Option<i64>,
    term: Duration,
) -> Result<(), sqlx::Error> {
    let current = schema_version(connection, dialect).await?;
    if dialect == Dialect::Postgres
        && (FIRST_VERSION_WITH_LEASES..version.unwrap_or_else(latest_version)).contains(&current)
    {
        wait_for_other_processes(connection, term).await?;
    }
    MIGRATIONS.run_direct(version, connection, false).await?;
    if dialect == Dialect::Postgres { set_c_collation(connection).await } else { Ok(()) }
}

/// Waits for the expiry of leases that are no longer renewed. Fails if one is renewed.
async fn wait_for_other_processes(connection: &mut AnyConnection, term: Duration) -> Result<(), sqlx::Error> {
    let deadline = Instant::now() + term + term / 2;
    loop {
        let held = "select name from leases where until > cast(extract(epoch from clock_timestamp()) * 1000 as bigint)
                    order by name";
        let names: Vec<String> = sqlx::query_scalar(held).fetch_all(&mut *connection).await?;
        if names.is_empty() {
            return Ok(());
        }
        if Instant::now() >= deadline {
            let names = names.join(", ");
            return Err(schema_in_use_error(format!(
                "its schema has an earlier version and other processes use it ({names}); stop all of them first"
            )));
        }
        sleep(term / 10).await;
    }
}

/// Returns the latest version that was applied to the database.
pub(crate) async fn applied_version(connection: &mut AnyConnection) -> Result<i64, sqlx::Error> {
    let version: Option<i64> =
        sqlx::query_scalar("select max(version) from _sqlx_migrations").fetch_one(connection).await?;
    Ok(version.unwrap_or_default())
}

/// Returns the version of a database; 0 if it is empty.
pub(crate) async fn schema_version(connection: &mut AnyConnection, dialect: Dialect) -> Result<i64, sqlx::Error> {
    let count_sql = match dialect {
        Dialect::Sqlite => "select count(*) from sqlite_master where name = '_sqlx_migrations'",
        Dialect::Postgres => {
            "select count(*) from pg_class c join pg_namespace n on n.oid = c.relnamespace
             where n.nspname = current_schema() and c.relname = '_sqlx_migrations'"
        }
    };
    match sqlx::query_scalar(count_sql).fetch_one(&mut *connection).await? {
        0_i64 => Ok(0),
        _ => applied_version(connection).await,
    }
}

/// A text column.
#[derive(FromRow)]
struct TextColumn {
    table_name: String,
    column_name: String,
}

/// Sets the collation of all text columns to `C`, so that order and lowercase do not depend on the locale of the
/// server. As in SQLite, only ASCII letters have a lowercase.
async fn set_c_collation(connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
    // A database may have this collation by its own locale. `datlocprovider` exists since PostgreSQL 15.
    let columns: Vec<TextColumn> = sqlx::query_as(
        "select cast(c.relname as text) as table_name, cast(a.attname as text) as column_name
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
    for TextColumn { table_name, column_name } in columns {
        statement.push_str(&format!("alter table {table_name} alter column {column_name} type text collate \"C\";\n"));
    }
    if !statement.is_empty() {
        // The statements are one transaction because they are sent as one text.
        sqlx::raw_sql(AssertSqlSafe(statement)).execute(connection).await?;
    }
    Ok(())
}
