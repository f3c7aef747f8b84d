//! Firewall rules. Their changes are in `changes::rules`, because a migration depends on them.

use crate::clock::now;
use crate::error::Error;
use crate::lists::{self, CountedList};
use crate::page::Page;
use crate::rows::{to_u64, unknown_name};
use crate::search::Conditions;
use crate::secret::new_id;
use crate::statements::StatementBatch;
use crate::store::Store;
use crate::unit_of_work::UnitOfWork;
use sqlx::{AnyConnection, FromRow};
use zonewright_api::firewall::{Action, Filter, FirewallRule, NewRule, Product};

/// The conditions of a list of rules; empty texts and `None` match everything.
pub struct RuleSearch {
    /// The exact ID.
    pub id: String,
    /// The exact action.
    pub action: Option<Action>,
    /// A substring of the description, case-insensitive.
    pub description: String,
    /// Whether the rule is paused.
    pub paused: Option<bool>,
}

/// A row of the table `firewall_rules` with its filter.
#[derive(FromRow)]
struct RuleRow {
    id: String,
    action: String,
    priority: Option<i64>,
    paused: i64,
    description: Option<String>,
    #[sqlx(rename = "ref")]
    reference: Option<String>,
    products: String,
    created_on: Option<String>,
    modified_on: Option<String>,
    filter_id: String,
    filter_expression: String,
    filter_paused: i64,
    filter_description: Option<String>,
    filter_ref: Option<String>,
}

impl TryFrom<RuleRow> for FirewallRule {
    type Error = Error;

    fn try_from(row: RuleRow) -> Result<FirewallRule, Error> {
        let names = row.products.split(',').filter(|name| !name.is_empty());
        let product = |name| Product::from_name(name).ok_or_else(|| unknown_name("product", name));
        Ok(FirewallRule {
            id: row.id,
            action: Action::from_name(&row.action).ok_or_else(|| unknown_name("action", &row.action))?,
            priority: row.priority.and_then(|number| u32::try_from(number).ok()),
            paused: row.paused != 0,
            description: row.description,
            reference: row.reference,
            products: names.map(product).collect::<Result<_, _>>()?,
            created_on: row.created_on,
            modified_on: row.modified_on,
            filter: Filter {
                id: row.filter_id,
                expression: row.filter_expression,
                paused: row.filter_paused != 0,
                description: row.filter_description,
                reference: row.filter_ref,
            },
        })
    }
}

/// Selects rows as [`RuleRow`].
macro_rules! select_rules {
    ($rest:expr) => {
        concat!(
            "select r.id as id, r.action as action, r.priority as priority, r.paused as paused,
             r.description as description, r.ref as ref, r.products as products, r.created_on as created_on,
             r.modified_on as modified_on, f.id as filter_id, f.expression as filter_expression,
             f.paused as filter_paused, f.description as filter_description, f.ref as filter_ref
             from firewall_rules r join filters f on f.id = r.filter_id ",
            $rest
        )
    };
}

/// The number of a zone's rules that are not paused.
pub(crate) const COUNT_ACTIVE_SQL: &str = "select count(*) from firewall_rules where zone_id = $1 and paused = 0";
/// The `seq` of the next rule of a zone.
pub(crate) const NEXT_SEQ_SQL: &str = "select coalesce(max(seq), 0) + 1 from firewall_rules where zone_id = $1";

impl RuleSearch {
    fn conditions(&self, zone: &str) -> Conditions {
        Conditions::new("r.zone_id = ?", zone)
            .and("r.id = ?", &self.id)
            .and("r.action = ?", self.action.map(Action::name).unwrap_or_default())
            .containing(r"lower(r.description) like ? escape '\'", &self.description)
            .flag("r.paused", self.paused)
    }
}

impl Store {
    /// Returns a page of the zone's rules in the order of creation, and their total number.
    pub async fn rules(&self, zone: &str, search: &RuleSearch, page: Page) -> Result<(Vec<FirewallRule>, u64), Error> {
        let mut connection = self.pool.acquire().await?;
        let conditions = search.conditions(zone);
        let (rows, total) = if conditions.is_unfiltered() {
            let statement = select_rules!("where r.zone_id = $1 and r.seq >= $2 order by r.seq limit $3 offset $4");
            lists::page(&mut connection, CountedList::Rules, statement, zone, page).await?
        } else {
            let total = conditions.count("select count(*) from firewall_rules r").fetch_one(&mut *connection).await?;
            let rows = conditions.page(select_rules!(""), "r.seq", page).fetch_all(&mut *connection).await?;
            (rows, to_u64(total))
        };
        Ok((rows.into_iter().map(RuleRow::try_into).collect::<Result<_, _>>()?, total))
    }

    /// Returns one rule of the zone.
    pub async fn rule(&self, zone: &str, id: &str) -> Result<Option<FirewallRule>, Error> {
        find(&mut *self.pool.acquire().await?, zone, id).await
    }
}

/// Returns products in the format of the database.
fn products_text(products: &[Product]) -> String {
    products.iter().map(|product| product.name()).collect::<Vec<_>>().join(",")
}

/// Returns one rule of the zone.
pub(crate) async fn find(connection: &mut AnyConnection, zone: &str, id: &str) -> Result<Option<FirewallRule>, Error> {
    let row = sqlx::query_as::<_, RuleRow>(select_rules!("where r.zone_id = $1 and r.id = $2"))
        .bind(zone.to_owned())
        .bind(id.to_owned())
        .fetch_optional(connection)
        .await?;
    row.map(FirewallRule::try_from).transpose()
}

/// Returns the number of rules that use a filter.
pub(crate) async fn count_using_filter(connection: &mut AnyConnection, filter: &str) -> Result<i64, Error> {
    let query = sqlx::query_scalar("select count(*) from firewall_rules where filter_id = $1").bind(filter.to_owned());
    Ok(query.fetch_one(connection).await?)
}

/// Returns all rules of the zone in the order of creation.
pub(crate) async fn all(connection: &mut AnyConnection, zone: &str) -> Result<Vec<FirewallRule>, Error> {
    let query = sqlx::query_as::<_, RuleRow>(select_rules!("where r.zone_id = $1 order by r.seq"));
    query.bind(zone.to_owned()).fetch_all(connection).await?.into_iter().map(FirewallRule::try_from).collect()
}

/// Adds statements that insert rules, each for an existing filter, at the end of the zone's list. `next` is the `seq`
/// of the first one.
pub(crate) fn insert<'a>(
    statements: &mut StatementBatch,
    zone: &str,
    next: i64,
    new: impl IntoIterator<Item = (&'a NewRule, Filter)>,
) -> Result<Vec<FirewallRule>, getrandom::Error> {
    let mut rules = Vec::new();
    for (seq, (new, filter)) in (next..).zip(new) {
        let (id, time) = (new_id()?, now());
        statements
            .add(
                "insert into firewall_rules
                 (id, zone_id, seq, filter_id, action, priority, paused, description, ref, products, created_on,
                  modified_on)
                 values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)",
            )
            .bind(id.clone())
            .bind(zone.to_owned())
            .bind(seq)
            .bind(filter.id.clone())
            .bind(new.action.name())
            .bind(new.priority.map(i64::from))
            .bind(i64::from(new.paused))
            .bind(new.description.clone())
            .bind(new.reference.clone())
            .bind(products_text(&new.products))
            .bind(time.clone());
        let NewRule { action, priority, paused, description, reference, products, .. } = new.clone();
        let (created_on, modified_on) = (Some(time.clone()), Some(time));
        rules.push(FirewallRule {
            id,
            paused,
            description,
            action,
            priority,
            filter,
            products,
            reference,
            created_on,
            modified_on,
        });
    }
    lists::count_inserted(statements, CountedList::Rules, zone, next, rules.len());
    Ok(rules)
}

/// Updates a rule.
pub(crate) async fn update(connection: &mut AnyConnection, zone: &str, rule: &FirewallRule) -> Result<(), Error> {
    sqlx::query(
        "update firewall_rules
         set filter_id = $1, action = $2, priority = $3, paused = $4, description = $5, ref = $6, products = $7,
             modified_on = $8
         where zone_id = $9 and id = $10",
    )
    .bind(rule.filter.id.clone())
    .bind(rule.action.name())
    .bind(rule.priority.map(i64::from))
    .bind(i64::from(rule.paused))
    .bind(rule.description.clone())
    .bind(rule.reference.clone())
    .bind(products_text(&rule.products))
    .bind(rule.modified_on.clone())
    .bind(zone.to_owned())
    .bind(rule.id.clone())
    .execute(connection)
    .await?;
    Ok(())
}

/// Deletes an existing rule, and records the deletion.
pub(crate) async fn delete(unit: &mut UnitOfWork, zone: &str, rule: &FirewallRule) -> Result<(), Error> {
    let seq = "select seq from firewall_rules where zone_id = $1 and id = $2";
    let seq = sqlx::query_scalar(seq).bind(zone.to_owned()).bind(rule.id.clone()).fetch_one(unit.connection()).await?;
    lists::count_deleted(unit.connection(), CountedList::Rules, zone, seq).await?;
    let delete = "delete from firewall_rules where zone_id = $1 and id = $2";
    sqlx::query(delete).bind(zone.to_owned()).bind(rule.id.clone()).execute(unit.connection()).await?;
    unit.record("firewall_rule.delete", &rule.id, Some(rule), None);
    Ok(())
}
