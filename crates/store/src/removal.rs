//! Deletes a zone or an account with all rows that reference it.

use crate::catalog::{Table, tables_of_version};
use crate::error::Error;
use crate::jobs::bump_job_revision;
use crate::schema;
use crate::unit_of_work::UnitOfWork;
use sqlx::AssertSqlSafe;
use std::collections::HashMap;

/// Deletes a row with all rows that reference it, and increments the revision of the jobs, which may be among them.
/// Returns false if the row does not exist.
pub(crate) async fn delete_with_dependents(unit: &mut UnitOfWork, table: &str, id: &str) -> Result<bool, Error> {
    let version = schema::applied_version(unit.connection()).await?;
    let mut deleted_rows = 0;
    for statement in delete_statements(&tables_of_version(version).await?, table) {
        let deleted = sqlx::query(AssertSqlSafe(statement)).bind(id.to_owned()).execute(unit.connection()).await?;
        deleted_rows = deleted.rows_affected();
    }
    bump_job_revision(unit.connection()).await?;
    // The last statement deletes the row itself.
    Ok(deleted_rows > 0)
}

/// Returns the statements that delete the row `$1` of a table after all rows that reference it.
fn delete_statements(tables: &[Table], target: &str) -> Vec<String> {
    let mut conditions = HashMap::from([(target, "id = $1".to_owned())]);
    let mut statements = Vec::new();
    // No table references a later one.
    for table in tables {
        let reference_conditions = table.references.iter().filter_map(|reference| {
            let condition = conditions.get(reference.table.as_str())?;
            let (column, target) = (&reference.column, &reference.target);
            Some(format!("{column} in (select {target} from {} where {condition})", reference.table))
        });
        let reference_conditions: Vec<String> = reference_conditions.collect();
        if !reference_conditions.is_empty() {
            conditions.insert(&table.name, reference_conditions.join(" or "));
        }
        if let Some(condition) = conditions.get(table.name.as_str()) {
            statements.push(format!("delete from {} where {condition}", table.name));
        }
    }
    statements.reverse();
    statements
}
