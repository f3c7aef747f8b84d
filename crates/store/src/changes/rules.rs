//! Creates, updates and deletes firewall rules.
//!
//! - `create`: creates rules with their filters.
//! - `update`: updates and deletes rules.

mod create;
mod update;

use crate::owner::Zone;
use zonewright_api::{ErrorObject, error_code};
use zonewright_firewall::quota;

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
