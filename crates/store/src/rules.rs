//! Firewall rules: lists and finds them.
//!
//! - `create`: creates rules with their filters.
//! - `update`: updates and deletes rules.

mod create;
mod update;

pub(crate) use create::insert;

use crate::error::Error;
use crate::lists::{self, CountedList};
use crate::owner::Zone;
use crate::page::Page;
use crate::rows::{count, unknown_name};
use crate::search::Conditions;
use crate::store::Store;
use sqlx::{AnyConnection, FromRow};
use zonewright_api::firewall::{Action, Filter, FirewallRule, Product};
use zonewright_api::{ErrorObject, error_code};
use zonewright_firewall::quota;

/// The conditions of a list of rules; empty texts match everything.
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
            (rows, count(total))
        };
        Ok((rows.into_iter().map(RuleRow::try_into).collect::<Result<_, _>>()?, total))
    }

    /// Returns one rule of the zone.
    pub async fn rule(&self, zone: &str, id: &str) -> Result<Option<FirewallRule>, Error> {
        find(&mut *self.pool.acquire().await?, zone, id).await
    }
}

/// Returns the error of a rule whose filter does not exist in the zone.
fn filter_not_found(id: &str) -> ErrorObject {
    ErrorObject::new(error_code::NOT_FOUND, format!("there is no filter `{id}` in this zone"))
}

/// Returns the error of an active rule beyond the quota.
fn rule_quota_error(zone: &Zone) -> ErrorObject {
    let limit = quota::max_active_rules(zone.tier);
    let message = format!("exceeded the maximum number of active firewall rules ({limit}) of the {} plan", zone.tier);
    ErrorObject::new(error_code::QUOTA_EXCEEDED, message)
}

/// Returns products in the format of the database.
fn products_text(products: &[Product]) -> String {
    products.iter().map(|product| product.name()).collect::<Vec<_>>().join(",")
}

/// Returns one rule of the zone.
async fn find(connection: &mut AnyConnection, zone: &str, id: &str) -> Result<Option<FirewallRule>, Error> {
    let row = sqlx::query_as::<_, RuleRow>(select_rules!("where r.zone_id = $1 and r.id = $2"))
        .bind(zone.to_owned())
        .bind(id.to_owned())
        .fetch_optional(connection)
        .await?;
    row.map(FirewallRule::try_from).transpose()
}

/// Returns all rules of the zone in the order of creation.
pub(crate) async fn all(connection: &mut AnyConnection, zone: &str) -> Result<Vec<FirewallRule>, Error> {
    let query = sqlx::query_as::<_, RuleRow>(select_rules!("where r.zone_id = $1 order by r.seq"));
    query.bind(zone.to_owned()).fetch_all(connection).await?.into_iter().map(FirewallRule::try_from).collect()
}
