//! Lists the tables of a schema version. The list is read from an empty in-memory database of that version, so it is
//! valid for both kinds of database and includes new tables automatically.

use crate::schema::MIGRATIONS;
use sqlx::FromRow;
use sqlx::any::{AnyPoolOptions, install_default_drivers};

/// A table.
pub(crate) struct Table {
    pub(crate) name: String,
    pub(crate) columns: Vec<Column>,
    pub(crate) references: Vec<ForeignKey>,
}

/// A column: text or a 64-bit integer.
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) is_text: bool,
}

/// A column as SQLite lists it.
#[derive(FromRow)]
struct ColumnRow {
    name: String,
    kind: String,
}

/// A column that references a row of another table.
#[derive(FromRow)]
pub(crate) struct ForeignKey {
    pub(crate) column: String,
    pub(crate) table: String,
    pub(crate) target: String,
}

impl Table {
    /// Returns the names of its columns, separated by commas.
    pub(crate) fn column_list(&self) -> String {
        let names: Vec<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
        names.join(", ")
    }
}

/// Returns the tables in the order of their creation, so that none references a later one. Leases are left out, because
/// they expire with their processes.
pub(crate) async fn tables_of_version(version: i64) -> Result<Vec<Table>, sqlx::Error> {
    install_default_drivers();
    // One connection, because each has its own in-memory database.
    let pool = AnyPoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
    MIGRATIONS.run_to(version, &pool).await?;
    let names: Vec<String> = sqlx::query_scalar(
        "select name from sqlite_master
         where type = 'table' and name not in ('_sqlx_migrations', 'leases', 'memory_lease') and substr(name, 1, 7) <> 'sqlite_'
         order by rowid",
    )
    .fetch_all(&pool)
    .await?;
    let mut tables = Vec::new();
    for name in names {
        let columns = sqlx::query_as("select name, lower(type) as kind from pragma_table_info($1) order by cid")
            .bind(name.clone())
            .fetch_all(&pool)
            .await?;
        let column = |ColumnRow { name, kind }| Column { name, is_text: kind == "text" };
        let columns = columns.into_iter().map(column).collect();
        let references =
            sqlx::query_as(r#"select "from" as "column", "table", "to" as target from pragma_foreign_key_list($1)"#)
                .bind(name.clone())
                .fetch_all(&pool)
                .await?;
        tables.push(Table { name, columns, references });
    }
    pool.close().await;
    Ok(tables)
}
