//! Changes the plan of zones, and deletes zones and accounts. Their audit logs are retained.

use crate::catalog::{Table, tables_of_version};
use crate::dialect::Dialect;
use crate::error::Error;
use crate::jobs::bump_job_revision;
use crate::principal::Actor;
use crate::scope::Scope;
use crate::store::Store;
use crate::unit_of_work::UnitOfWork;
use crate::{schema, tokens};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Row};
use std::collections::HashMap;
use zonewright_api::zone::{Account, Zone};
use zonewright_expression::schema::Tier;

impl Store {
    /// Changes the plan of a zone. Its contents stay, even those that the new plan does not allow. Returns false if the
    /// zone already has that plan.
    pub async fn set_plan(&self, actor: &Actor, zone: &Zone, tier: Tier) -> Result<bool, Error> {
        let mut unit = self.write(Scope::Zone(zone.id.clone()), actor).await?;
        let before = sqlx::query("select tier from zones where id = $1").bind(zone.id.clone());
        let before = before.fetch_optional(&mut *unit).await?.ok_or(Error::ScopeGone)?;
        let before: String = before.try_get(0)?;
        if before == tier.name() {
            return Ok(false);
        }
        sqlx::query("update zones set tier = $1 where id = $2")
            .bind(tier.name().to_owned())
            .bind(zone.id.clone())
            .execute(&mut *unit)
            .await?;
        let after = audit_value(zone, tier.name());
        unit.record("zone.change_plan", &zone.id, Some(&audit_value(zone, &before)), Some(&after));
        unit.commit().await?;
        Ok(true)
    }

    /// Deletes a zone with its contents, and the tokens that were limited to it. Returns false if it does not exist any
    /// more.
    pub async fn delete_zone(&self, actor: &Actor, zone: &Zone) -> Result<bool, Error> {
        let mut unit = self.write(Scope::Account(zone.account.id.clone()), actor).await?;
        let alone: Vec<_> = tokens::all(&mut unit).await?;
        let alone: Vec<_> = alone.into_iter().filter(|token| token.zones == [zone.id.clone()]).collect();
        // Waits for transactions that change something in the zone.
        if self.dialect == Dialect::Postgres {
            let lock = sqlx::query("select id from zones where id = $1 for update").bind(zone.id.clone());
            lock.fetch_optional(&mut *unit).await?;
        }
        let statement = "delete from token_grants where zone_id = $1";
        sqlx::query(statement).bind(zone.id.clone()).execute(&mut *unit).await?;
        for token in &alone {
            sqlx::query("delete from tokens where id = $1").bind(token.id.clone()).execute(&mut *unit).await?;
            unit.record("token.revoke", &token.id, Some(token), None);
        }
        if !delete_with_dependents(&mut unit, "zones", &zone.id).await? {
            return Ok(false);
        }
        unit.record("zone.delete", &zone.id, Some(&audit_value(zone, &zone.plan.legacy_id)), None);
        unit.commit().await?;
        Ok(true)
    }

    /// Deletes an account without zones, with its users, tokens and other contents. Returns false if it has zones or
    /// does not exist any more.
    pub async fn delete_account(&self, actor: &Actor, account: &Account) -> Result<bool, Error> {
        let mut unit = self.write(Scope::Service, actor).await?;
        // Waits for transactions that create a zone in the account.
        if self.dialect == Dialect::Postgres {
            let lock = sqlx::query("select id from accounts where id = $1 for update").bind(account.id.clone());
            lock.fetch_optional(&mut *unit).await?;
        }
        let statement = "select count(*) from zones where account_id = $1";
        let zones = sqlx::query(statement).bind(account.id.clone()).fetch_one(&mut *unit).await?;
        if zones.try_get::<i64, _>(0)? > 0 || !delete_with_dependents(&mut unit, "accounts", &account.id).await? {
            return Ok(false);
        }
        unit.record("account.delete", &account.id, Some(account), None);
        unit.commit().await?;
        Ok(true)
    }
}

/// Returns a zone as the audit log contains it.
fn audit_value(zone: &Zone, plan: &str) -> Value {
    json!({ "id": zone.id, "name": zone.name, "plan": plan })
}

/// Deletes a row with all rows that reference it. Returns false if it does not exist.
async fn delete_with_dependents(unit: &mut UnitOfWork, table: &str, id: &str) -> Result<bool, Error> {
    let version = schema::applied_version(unit).await?;
    let mut last = 0;
    for statement in delete_statements(&tables_of_version(version).await?, table) {
        let deleted = sqlx::query(AssertSqlSafe(statement)).bind(id.to_owned()).execute(&mut **unit).await?;
        last = deleted.rows_affected();
    }
    bump_job_revision(unit).await?;
    Ok(last > 0)
}

/// Returns the statements that delete the row `$1` of a table after all rows that reference it.
fn delete_statements(tables: &[Table], target: &str) -> Vec<String> {
    let mut conditions = HashMap::from([(target, "id = $1".to_owned())]);
    let mut statements = Vec::new();
    // No table references a later one.
    for table in tables {
        let referring = table.references.iter().filter_map(|reference| {
            let condition = conditions.get(reference.table.as_str())?;
            let (column, target) = (&reference.column, &reference.target);
            Some(format!("{column} in (select {target} from {} where {condition})", reference.table))
        });
        let referring: Vec<String> = referring.collect();
        if !referring.is_empty() {
            conditions.insert(&table.name, referring.join(" or "));
        }
        if let Some(condition) = conditions.get(table.name.as_str()) {
            statements.push(format!("delete from {} where {condition}", table.name));
        }
    }
    statements.reverse();
    statements
}
