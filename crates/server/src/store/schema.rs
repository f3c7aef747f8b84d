//! The schema and how a database comes to it.

use super::Dialect;
use sqlx::migrate::Migrator;
use sqlx::{AnyPool, AssertSqlSafe, Row};

/// Every version of the schema, from 1.
pub(super) static MIGRATIONS: Migrator = sqlx::migrate!("src/store/migrations");

/// Brings a database to a version of the schema, the present one without a version. Of processes that begin at once,
/// one does it and the others wait.
pub(super) async fn migrate(pool: &AnyPool, dialect: Dialect, version: Option<i64>) -> Result<(), sqlx::Error> {
    match version {
        None => MIGRATIONS.run(pool).await?,
        Some(version) => MIGRATIONS.run_to(version, pool).await?,
    }
    collate(pool, dialect).await
}

/// Texts have one order and one way to be put in lower case, whatever the locale of the server: those of SQLite,
/// which knows the letters of ASCII alone.
async fn collate(pool: &AnyPool, dialect: Dialect) -> Result<(), sqlx::Error> {
    if dialect == Dialect::Sqlite {
        return Ok(());
    }
    let columns = sqlx::query(
        "select cast(c.relname as text), cast(a.attname as text)
         from pg_attribute a join pg_class c on c.oid = a.attrelid
         join pg_namespace n on n.oid = c.relnamespace join pg_collation k on k.oid = a.attcollation
         where n.nspname = current_schema() and c.relkind = 'r' and c.relname <> '_sqlx_migrations'
         and a.attnum > 0 and not a.attisdropped and k.collname <> 'C' order by 1, 2",
    )
    .fetch_all(pool)
    .await?;
    let mut statement = String::new();
    for row in columns {
        let (table, column): (String, String) = (row.try_get(0)?, row.try_get(1)?);
        statement.push_str(&format!("alter table {table} alter column {column} type text collate \"C\";\n"));
    }
    if !statement.is_empty() {
        // One transaction, as it is sent as one.
        sqlx::raw_sql(AssertSqlSafe(statement)).execute(pool).await?;
    }
    Ok(())
}
