//! Creates firewall rules.

use super::{filter_not_found, rule_quota_error};
use crate::error::Error;
use crate::filters::{self, DigestedExpressions, Duplicate};
use crate::migration::check_remains_protected;
use crate::owner::Zone;
use crate::rules;
use crate::statements::{BatchResults, StatementBatch};
use crate::store::Store;
use crate::unit_of_work::UnitOfWork;
use crate::usage::QuotaUsage;
use zonewright_api::firewall::{Filter, FilterReference, FirewallRule, NewFilter, NewRule};
use zonewright_api::{ErrorMeta, ErrorObject, error_code};
use zonewright_firewall::{Batch, quota};
use zonewright_migration::bypasses_managed_rules;

impl Store {
    /// Creates all rules with their new filters, or nothing. There is one exception: if the quota of rules is exceeded,
    /// the filters are stored, and the error names them (`zone-security-service` §3 rule 6).
    pub async fn create_rules(&self, zone: &Zone, batch: &Batch<NewRule>) -> Result<Vec<FirewallRule>, Error> {
        let expressions = DigestedExpressions::new(new_expressions(batch));
        let queries = |statements: &mut StatementBatch| {
            QuotaUsage::query(statements, zone.id());
            expressions.query(statements, zone.id());
            for id in batch.items.iter().filter_map(existing_filter_id) {
                filters::query_filter(statements, zone.id(), id);
            }
        };
        let (mut unit, results) = self.write_with_queries(zone.scope(), &zone.actor, queries).await?;
        let usage = QuotaUsage::from_results(&results)?;
        let duplicates = expressions.duplicates(&results, &[])?;
        let filters = resolve_filters(&mut unit, zone, &usage, batch, duplicates, results)?;
        let errors = quota_errors(zone, &usage, batch, &filters);
        if !errors.is_empty() {
            unit.commit_if_recorded().await?;
            return Err(Error::PartlyRefused(errors, stored_filter_messages(batch, &filters)));
        }
        let created = rules::insert(unit.deferred(), zone.id(), usage.next_rule_seq, batch.items.iter().zip(filters))?;
        for rule in &created {
            unit.record("firewall_rule.create", &rule.id, None, Some(rule));
        }
        // Of new rules, only those that bypass managed rules change the migration plan: if there are too many of them,
        // the plan converts none to a skip rule.
        if created.iter().any(bypasses_managed_rules) {
            unit.run_deferred().await?;
            check_remains_protected(&mut unit, zone).await?;
        }
        unit.commit().await?;
        Ok(created)
    }
}

/// Returns the filter of each rule. Existing filters were loaded, and the others are inserted.
fn resolve_filters(
    unit: &mut UnitOfWork,
    zone: &Zone,
    usage: &QuotaUsage,
    batch: &Batch<NewRule>,
    duplicates: Vec<Duplicate>,
    mut results: BatchResults,
) -> Result<Vec<Filter>, Error> {
    let mut errors = duplicate_errors(duplicates, batch);
    let mut existing = Vec::new();
    for (index, rule) in batch.items.iter().enumerate() {
        let Some(id) = existing_filter_id(rule) else {
            existing.push(None);
            continue;
        };
        let found = filters::filter_from_result(&mut results)?;
        if found.is_none() {
            errors.push(filter_not_found(id).with_pointer(format!("{}/filter/id", batch.pointer(index))));
        }
        existing.push(found);
    }
    if !errors.is_empty() {
        return Err(Error::Refused(errors));
    }
    let mut new = batch.items.iter().enumerate().filter(|(_, rule)| new_filter(rule).is_some());
    if let Some((index, _)) = new.nth(usage.remaining_filters(zone)) {
        let pointer = format!("{}/filter", batch.pointer(index));
        return Err(Error::Refused(vec![filters::filter_quota_error(zone, pointer)]));
    }
    let new: Vec<&NewFilter> = batch.items.iter().filter_map(new_filter).collect();
    let created = filters::insert(unit.deferred(), zone.id(), usage.next_filter_seq, new)?;
    for filter in &created {
        unit.record("filter.create", &filter.id, None, Some(filter));
    }
    let mut created = created.into_iter();
    Ok(existing.into_iter().filter_map(|existing| existing.or_else(|| created.next())).collect())
}

/// Returns the expressions of new filters, each with the index of its rule.
fn new_expressions(batch: &Batch<NewRule>) -> impl Iterator<Item = (usize, &str)> {
    let rules = batch.items.iter().enumerate();
    rules.filter_map(|(index, rule)| Some((index, new_filter(rule)?.expression.as_str())))
}

fn duplicate_errors(duplicates: Vec<Duplicate>, batch: &Batch<NewRule>) -> Vec<ErrorObject> {
    let error = |duplicate: Duplicate| {
        let pointer = format!("{}/filter/expression", batch.pointer(duplicate.index));
        let message = format!("filter at index {}: {}", duplicate.index, duplicate.message());
        duplicate.into_error(error_code::DUPLICATE_FILTER_OF_RULE, message, pointer)
    };
    duplicates.into_iter().map(error).collect()
}

fn new_filter(rule: &NewRule) -> Option<&NewFilter> {
    match &rule.filter {
        FilterReference::New(filter) => Some(filter),
        FilterReference::Existing { .. } => None,
    }
}

fn existing_filter_id(rule: &NewRule) -> Option<&str> {
    match &rule.filter {
        FilterReference::New(_) => None,
        FilterReference::Existing { id } => Some(id),
    }
}

/// Returns an error for each active rule beyond the quota.
fn quota_errors(zone: &Zone, usage: &QuotaUsage, batch: &Batch<NewRule>, filters: &[Filter]) -> Vec<ErrorObject> {
    let added: Vec<usize> =
        batch.items.iter().enumerate().filter(|(_, rule)| !rule.paused).map(|(index, _)| index).collect();
    let remaining = quota::count_fitting_rules(zone.tier, usage.active_rules, added.len() as u64);
    let excess = added.into_iter().skip(usize::try_from(remaining).unwrap_or(usize::MAX));
    let error = |index: usize| {
        let filter_id = filters.get(index).map(|filter| filter.id.clone());
        rule_quota_error(zone).with_pointer(batch.pointer(index)).with_meta(ErrorMeta { id: None, filter_id })
    };
    excess.map(error).collect()
}

/// Returns a message for each filter that was stored although its rule was not.
fn stored_filter_messages(batch: &Batch<NewRule>, filters: &[Filter]) -> Vec<ErrorObject> {
    let items = batch.items.iter().zip(filters).enumerate();
    let new = items.filter(|(_, (rule, _))| new_filter(rule).is_some());
    let message = |(index, (_, filter)): (usize, (&NewRule, &Filter))| {
        let text = format!("no rule was created, but the filter `{}` was; refer to it by its ID", filter.id);
        let meta = ErrorMeta { id: None, filter_id: Some(filter.id.clone()) };
        ErrorObject::new(error_code::QUOTA_EXCEEDED, text)
            .with_pointer(format!("{}/filter", batch.pointer(index)))
            .with_meta(meta)
    };
    new.map(message).collect()
}
