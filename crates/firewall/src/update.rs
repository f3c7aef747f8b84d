//! Reads changes of filters and rules: replacements (PUT, assumption rule-update) and priorities (PATCH, assumption
//! priority-change).
//!
//! Start with [`read_rule_updates`] and [`read_priority_changes`]. A batch never changes one object twice.

use crate::batch::{Batch, MAX_ITEMS};
use crate::filter::{self, read_and_check_filter};
use crate::is_identifier;
use crate::rule::{self, RuleAttributes, read_attributes, read_priority};
use serde_json::Value;
use std::collections::HashMap;
use zonewright_api::firewall::{Filter, FilterId, NewFilter, PriorityChange, RuleUpdate};
use zonewright_api::{ObjectReader, ValidationError, prefix_pointers};
use zonewright_expression::schema::Tier;

/// The maximum number of rules that one request updates (documented).
pub const MAX_UPDATED_RULES: usize = 25;

/// Reads the body of a request that updates the filter that its path identifies.
pub fn read_filter_update(body: &Value, id: &str, tier: Tier) -> Result<Batch<Filter>, Vec<ValidationError>> {
    read_filter(body, Some(id), tier).map(Batch::for_path_id)
}

/// Reads the body of a request that updates filters. The error has all validation errors, with pointers from the root
/// of the body.
pub fn read_filter_updates(body: &Value, tier: Tier) -> Result<Batch<Filter>, Vec<ValidationError>> {
    let batch = Batch::read(body, "update", MAX_ITEMS, |item| read_filter(item, None, tier))?;
    check_distinct_ids(batch, |filter| &filter.id)
}

fn read_filter(value: &Value, path_id: Option<&str>, tier: Tier) -> Result<Filter, Vec<ValidationError>> {
    let mut members = ObjectReader::new(value, "a filter", &filter::MEMBERS, &filter::READ_ONLY)?;
    let id = read_target_id(&mut members, path_id);
    let new = read_and_check_filter(&mut members, tier);
    match (id, new) {
        (Some(id), Some(new)) if members.errors.is_empty() => {
            let NewFilter { expression, paused, description, reference } = new;
            Ok(Filter { id, expression, paused, description, reference })
        }
        _ => Err(members.errors),
    }
}

/// Reads the body of a request that updates the rule that its path identifies.
pub fn read_rule_update(body: &Value, id: &str, tier: Tier) -> Result<Batch<RuleUpdate>, Vec<ValidationError>> {
    read_rule(body, Some(id), tier).map(Batch::for_path_id)
}

/// Reads the body of a request that updates rules. The error has all validation errors, with pointers from the root of
/// the body.
pub fn read_rule_updates(body: &Value, tier: Tier) -> Result<Batch<RuleUpdate>, Vec<ValidationError>> {
    let batch = Batch::read(body, "update", MAX_UPDATED_RULES, |item| read_rule(item, None, tier))?;
    check_distinct_ids(batch, |rule| &rule.id)
}

fn read_rule(value: &Value, path_id: Option<&str>, tier: Tier) -> Result<RuleUpdate, Vec<ValidationError>> {
    let mut members = ObjectReader::new(value, "a rule", &rule::MEMBERS, &rule::READ_ONLY)?;
    let id = read_target_id(&mut members, path_id);
    let filter = members.required("filter").and_then(|value| read_filter_id(value, &mut members.errors));
    let attributes = read_attributes(&mut members, tier);
    match (id, filter, attributes) {
        (Some(id), Some(filter), Some(attributes)) if members.errors.is_empty() => {
            let RuleAttributes { action, priority, paused, description, reference, products } = attributes;
            Ok(RuleUpdate { id, filter, action, priority, paused, description, reference, products })
        }
        _ => Err(members.errors),
    }
}

/// Reads the filter of an updated rule: its identifier. All other known members are ignored, because clients send the
/// whole filter back and an update of a rule never changes the filter itself (specification §4.2 rule 2).
fn read_filter_id(value: &Value, errors: &mut Vec<ValidationError>) -> Option<FilterId> {
    let known: Vec<&str> = ["id"].into_iter().chain(filter::MEMBERS).collect();
    let id = ObjectReader::new(value, "a rule's filter", &known, &filter::READ_ONLY).and_then(|mut members| {
        let id = read_required_id(&mut members);
        id.filter(|_| members.errors.is_empty()).ok_or(members.errors)
    });
    match id {
        Ok(id) => Some(FilterId { id }),
        Err(filter_errors) => {
            errors.extend(prefix_pointers("/filter", filter_errors));
            None
        }
    }
}

/// Reads the body of a request that changes the priority of the rule that its path identifies.
pub fn read_priority_change(body: &Value, id: &str) -> Result<Batch<PriorityChange>, Vec<ValidationError>> {
    read_change(body, Some(id)).map(Batch::for_path_id)
}

/// Reads the body of a request that changes priorities. The error has all validation errors, with pointers from the
/// root of the body.
pub fn read_priority_changes(body: &Value) -> Result<Batch<PriorityChange>, Vec<ValidationError>> {
    let batch = Batch::read(body, "change", MAX_ITEMS, |item| read_change(item, None))?;
    check_distinct_ids(batch, |change| &change.id)
}

fn read_change(value: &Value, path_id: Option<&str>) -> Result<PriorityChange, Vec<ValidationError>> {
    let mut members = ObjectReader::new(value, "a priority change", &["id", "priority"], &[])?;
    let id = read_target_id(&mut members, path_id);
    let is_null = value.get("priority").is_some_and(Value::is_null);
    let priority = if is_null { Some(None) } else { read_priority(&mut members).map(Some) };
    let change = id.map(|id| PriorityChange { id, priority });
    change.filter(|_| members.errors.is_empty()).ok_or(members.errors)
}

/// Reads the identifier of the changed object. If the path has the identifier, the member is optional and must match.
fn read_target_id(members: &mut ObjectReader, path_id: Option<&str>) -> Option<String> {
    let Some(path_id) = path_id else {
        return read_required_id(members);
    };
    match members.text("id") {
        Some(id) if id != path_id => {
            members
                .errors
                .push(ValidationError::invalid_value("/id", format!("`id` must match the path: `{path_id}`")));
            None
        }
        _ => Some(path_id.to_owned()),
    }
}

/// Reads a required identifier.
fn read_required_id(members: &mut ObjectReader) -> Option<String> {
    match members.required("id")? {
        Value::String(id) if is_identifier(id) => Some(id.clone()),
        Value::String(_) => {
            let message = "`id` must be 32 lowercase hexadecimal digits";
            members.errors.push(ValidationError::invalid_value("/id", message));
            None
        }
        other => members.type_error("id", "a string", other),
    }
}

/// Rejects a request that contains an identifier twice, because it is ambiguous which of the items applies.
fn check_distinct_ids<T>(batch: Batch<T>, id: impl Fn(&T) -> &String) -> Result<Batch<T>, Vec<ValidationError>> {
    let mut first_indexes: HashMap<&String, usize> = HashMap::new();
    let mut errors = Vec::new();
    for (index, item) in batch.items.iter().enumerate() {
        let earlier = *first_indexes.entry(id(item)).or_insert(index);
        if earlier != index {
            let message = format!("this `id` is also at index {earlier} of this request");
            errors.push(ValidationError::invalid_value(format!("{}/id", batch.pointer(index)), message));
        }
    }
    if errors.is_empty() { Ok(batch) } else { Err(errors) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const ID: &str = "0123456789abcdef0123456789abcdef";
    const OTHER: &str = "ffffffffffffffffffffffffffffffff";

    fn pointers<T: std::fmt::Debug>(read: Result<Batch<T>, Vec<ValidationError>>) -> Vec<String> {
        read.unwrap_err().into_iter().map(|error| error.pointer).collect()
    }

    #[test]
    fn errors_of_updated_filters_have_pointers() {
        let cases = [
            (json!([]), vec![""]),
            (json!([{"expression": "ssl"}]), vec!["/0/id"]),
            (json!({"id": "X", "expression": "ssl"}), vec!["/id"]),
            (json!([{"id": 7, "expression": 7}]), vec!["/0/id", "/0/expression"]),
            (json!([{"id": ID, "expression": "ssl"}, {"id": ID, "expression": "not ssl"}]), vec!["/1/id"]),
            (json!([{"id": ID, "expression": "hots"}]), vec!["/0/expression"]),
        ];
        for (body, expected) in cases {
            assert_eq!(pointers(read_filter_updates(&body, Tier::Free)), expected, "{body}");
        }
    }

    #[test]
    fn errors_of_updated_rules_have_pointers() {
        let filter = json!({"id": ID});
        let cases = [
            (json!([{"id": ID, "action": "block"}]), vec!["/0/filter"]),
            (json!([{"id": ID, "action": "block", "filter": {"expression": "ssl"}}]), vec!["/0/filter/id"]),
            (json!([{"id": ID, "action": "block", "filter": {"id": ""}}]), vec!["/0/filter/id"]),
            (
                json!([{"id": ID, "action": "block", "filter": {"id": null, "where": 1}}]),
                vec!["/0/filter/where", "/0/filter/id"],
            ),
            (json!([{"id": ID, "action": "log", "filter": filter}]), vec!["/0/action"]),
            (json!([{"id": ID, "action": "bypass", "filter": filter, "products": ["waf"]}]), vec!["/0/products/0"]),
            (
                json!([{"id": ID, "filter": filter}, {"action": "block", "filter": []}]),
                vec!["/0/action", "/1/id", "/1/filter"],
            ),
            (json!(vec![json!({"id": ID}); 26]), vec![""]),
        ];
        for (body, expected) in cases {
            assert_eq!(pointers(read_rule_updates(&body, Tier::Free)), expected, "{body}");
        }
    }

    #[test]
    fn path_id_names_the_updated_object() {
        let rule = |id: &str| json!({"id": id, "action": "block", "filter": {"id": ID, "expression": 7}});
        assert_eq!(pointers(read_rule_update(&rule(OTHER), ID, Tier::Free)), ["/id"]);
        let filter = json!({"expression": "ssl"});
        assert_eq!(pointers(read_filter_update(&json!([filter]), ID, Tier::Free)), [""]);
        for body in [rule(ID), rule("")] {
            assert_eq!(read_rule_update(&body, ID, Tier::Free).unwrap().items[0].id, ID);
        }
        assert_eq!(read_filter_update(&filter, ID, Tier::Free).unwrap().items[0].id, ID);
    }

    #[test]
    fn priorities_are_numbers_null_or_omitted() {
        let cases = [
            (json!({"priority": 5}), Some(Some(5))),
            (json!({"priority": null}), Some(None)),
            (json!({"id": ID}), None),
        ];
        for (body, expected) in cases {
            assert_eq!(read_priority_change(&body, ID).unwrap().items[0].priority, expected, "{body}");
        }
        let body = json!([{"id": ID, "priority": "1"}, {"priority": 1}, {"id": OTHER, "priority": 1, "paused": true}]);
        assert_eq!(pointers(read_priority_changes(&body)), ["/0/priority", "/1/id", "/2/paused"]);
    }
}
