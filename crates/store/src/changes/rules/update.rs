//! Updates and deletes firewall rules.

use super::{filter_not_found, rule_quota_error};
use crate::clock::now;
use crate::error::{Error, Resource, missing_item};
use crate::filters;
use crate::migration::check_remains_protected;
use crate::owner::Zone;
use crate::rules::{self, find};
use crate::store::Store;
use crate::unit_of_work::UnitOfWork;
use crate::usage::QuotaUsage;
use sqlx::AnyConnection;
use zonewright_api::ErrorObject;
use zonewright_api::firewall::{
    DeletedFilter, DeletedRule, DeletionRequest, Filter, FirewallRule, PriorityChange, RuleUpdate,
};
use zonewright_firewall::{Batch, quota};

impl Store {
    /// Updates all rules or none. They and their filters must exist; filters are never changed (`zone-security-service`
    /// §4.2 rule 2).
    pub async fn update_rules(&self, zone: &Zone, batch: &Batch<RuleUpdate>) -> Result<Vec<FirewallRule>, Error> {
        let mut unit = self.write(zone.scope(), &zone.actor).await?;
        let before = load_rules(unit.connection(), zone.id(), batch, |rule| &rule.id).await?;
        let filters = load_filters(unit.connection(), zone.id(), batch).await?;
        refuse_over_quota(&mut unit, zone, batch, &before).await?;
        let time = now();
        let mut updated = Vec::new();
        for ((before, new), filter) in before.into_iter().zip(&batch.items).zip(filters) {
            let after = apply_update(&before, new, filter, &time);
            rules::update(unit.connection(), zone.id(), &after).await?;
            unit.record("firewall_rule.update", &after.id, Some(&before), Some(&after));
            updated.push(after);
        }
        check_remains_protected(&mut unit, zone).await?;
        unit.commit().await?;
        Ok(updated)
    }

    /// Changes the priorities of all rules or of none.
    pub async fn change_priorities(
        &self,
        zone: &Zone,
        batch: &Batch<PriorityChange>,
    ) -> Result<Vec<FirewallRule>, Error> {
        let mut unit = self.write(zone.scope(), &zone.actor).await?;
        let before = load_rules(unit.connection(), zone.id(), batch, |change| &change.id).await?;
        let time = now();
        let mut changed = Vec::new();
        for (before, change) in before.into_iter().zip(&batch.items) {
            let Some(priority) = change.priority else {
                changed.push(before);
                continue;
            };
            let after = FirewallRule { priority, modified_on: Some(time.clone()), ..before.clone() };
            rules::update(unit.connection(), zone.id(), &after).await?;
            unit.record("firewall_rule.update", &after.id, Some(&before), Some(&after));
            changed.push(after);
        }
        unit.commit_if_recorded().await?;
        Ok(changed)
    }

    /// Deletes rules and, where requested, their filters if no other rule uses them (assumption delete-rule). Rules
    /// that do not exist are ignored.
    pub async fn delete_rules(&self, zone: &Zone, requests: &[DeletionRequest]) -> Result<Vec<DeletedRule>, Error> {
        let mut unit = self.write(zone.scope(), &zone.actor).await?;
        let mut deleted = Vec::new();
        for request in requests {
            if let Some(rule) = find(unit.connection(), zone.id(), &request.id).await? {
                rules::delete(&mut unit, zone.id(), &rule).await?;
                deleted.push((rule, request.delete_filter_if_unused));
            }
        }
        let mut responses = Vec::new();
        for (FirewallRule { id, filter, .. }, with_filter) in deleted {
            let is_filter_deleted = with_filter && delete_filter_if_unused(&mut unit, zone.id(), &filter).await?;
            let filter = is_filter_deleted.then_some(DeletedFilter { id: filter.id, deleted: true });
            responses.push(DeletedRule { id, filter });
        }
        check_remains_protected(&mut unit, zone).await?;
        unit.commit_if_recorded().await?;
        Ok(responses)
    }

    /// Deletes a rule.
    pub async fn delete_rule(&self, zone: &Zone, request: DeletionRequest) -> Result<DeletedRule, Error> {
        let deleted = self.delete_rules(zone, std::slice::from_ref(&request)).await?;
        deleted.into_iter().next().ok_or(Error::NotFound(Resource::FirewallRule(request.id)))
    }
}

/// Loads the current rules of a batch.
async fn load_rules<T>(
    connection: &mut AnyConnection,
    zone: &str,
    batch: &Batch<T>,
    id: impl Fn(&T) -> &String,
) -> Result<Vec<FirewallRule>, Error> {
    let mut rules = Vec::new();
    let mut errors = Vec::new();
    for (index, item) in batch.items.iter().enumerate() {
        match find(connection, zone, id(item)).await? {
            Some(found) => rules.push(found),
            None => errors.push(missing_item(batch, index, Resource::FirewallRule(id(item).clone()))?),
        }
    }
    if errors.is_empty() { Ok(rules) } else { Err(Error::Refused(errors)) }
}

/// Loads the filters that the updated rules refer to.
async fn load_filters(
    connection: &mut AnyConnection,
    zone: &str,
    batch: &Batch<RuleUpdate>,
) -> Result<Vec<Filter>, Error> {
    let mut filters = Vec::new();
    let mut errors = Vec::new();
    for (index, rule) in batch.items.iter().enumerate() {
        match filters::find(connection, zone, &rule.filter.id).await? {
            Some(filter) => filters.push(filter),
            None => errors
                .push(filter_not_found(&rule.filter.id).with_pointer(format!("{}/filter/id", batch.pointer(index)))),
        }
    }
    if errors.is_empty() { Ok(filters) } else { Err(Error::Refused(errors)) }
}

/// Rejects rules that this update activates beyond the quota. Rules that were active stay active even if the zone
/// already exceeds the quota.
async fn refuse_over_quota(
    unit: &mut UnitOfWork,
    zone: &Zone,
    batch: &Batch<RuleUpdate>,
    before: &[FirewallRule],
) -> Result<(), Error> {
    let pairs = || before.iter().zip(&batch.items).enumerate();
    let activated: Vec<usize> =
        pairs().filter(|(_, (old, new))| old.paused && !new.paused).map(|(index, _)| index).collect();
    if activated.is_empty() {
        return Ok(());
    }
    let paused = pairs().filter(|(_, (old, new))| !old.paused && new.paused).count() as u64;
    let results = unit.query(|statements| QuotaUsage::query(statements, zone.id())).await?;
    let active = QuotaUsage::from_results(&results)?.active_rules.saturating_sub(paused);
    let remaining =
        usize::try_from(quota::count_fitting_rules(zone.tier, active, activated.len() as u64)).unwrap_or(usize::MAX);
    let errors: Vec<ErrorObject> = activated
        .into_iter()
        .skip(remaining)
        .map(|index| rule_quota_error(zone).with_pointer(batch.pointer(index)))
        .collect();
    if errors.is_empty() { Ok(()) } else { Err(Error::Refused(errors)) }
}

/// Returns the rule after an update, which replaces everything except its ID and its time of creation.
fn apply_update(before: &FirewallRule, new: &RuleUpdate, filter: Filter, time: &str) -> FirewallRule {
    FirewallRule {
        id: before.id.clone(),
        paused: new.paused,
        description: new.description.clone(),
        action: new.action,
        priority: new.priority,
        filter,
        products: new.products.clone(),
        reference: new.reference.clone(),
        created_on: before.created_on.clone(),
        modified_on: Some(time.to_owned()),
    }
}

/// Deletes the filter of a deleted rule, unless another rule uses it or it is already deleted. Returns whether it was
/// deleted.
async fn delete_filter_if_unused(unit: &mut UnitOfWork, zone: &str, filter: &Filter) -> Result<bool, Error> {
    if filters::find(unit.connection(), zone, &filter.id).await?.is_none()
        || rules::count_using_filter(unit.connection(), &filter.id).await? > 0
    {
        return Ok(false);
    }
    filters::delete(unit, zone, filter).await?;
    Ok(true)
}
