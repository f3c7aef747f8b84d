//! Lists the tables of a schema version. They are read from an empty in-memory database, so the list is valid for both
//! kinds of database and includes tables that are added later.

use crate::schema::MIGRATIONS;
use sqlx::Row;
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

/// A column that references a row of another table.
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
    let rows = sqlx::query(
        "select name from sqlite_master
         where type = 'table' and name not in ('_sqlx_migrations', 'leases', 'memory_lease') and substr(name, 1, 7) <> 'sqlite_'
         order by rowid",
    )
    .fetch_all(&pool)
    .await?;
    let mut tables = Vec::new();
    for row in rows {
        let name: String = row.try_get(0)?;
        let columns = sqlx::query("select name, lower(type) from pragma_table_info($1) order by cid")
            .bind(name.clone())
            .fetch_all(&pool)
            .await?;
        let columns = columns.iter().map(|row| {
            let kind: String = row.try_get(1)?;
            Ok(Column { name: row.try_get(0)?, is_text: kind == "text" })
        });
        let columns = columns.collect::<Result<_, sqlx::Error>>()?;
        let references = sqlx::query("select \"from\", \"table\", \"to\" from pragma_foreign_key_list($1)")
            .bind(name.clone())
            .fetch_all(&pool)
            .await?;
        let references = references
            .iter()
            .map(|row| Ok(ForeignKey { column: row.try_get(0)?, table: row.try_get(1)?, target: row.try_get(2)? }));
        let references = references.collect::<Result<_, sqlx::Error>>()?;
        tables.push(Table { name, columns, references });
    }
    pool.close().await;
    Ok(tables)
}
