//! Validates firewall rules.
//!
//! Start with [`check_rule`] for values and [`read_rule`] for JSON.

use crate::action::check_action;
use crate::batch::{Batch, MAX_ITEMS, check_texts};
use crate::filter::{self, check_expression, read_filter_members};
use crate::is_identifier;
use serde_json::Value;
use zonewright_api::firewall::{Action, FilterReference, NewRule, Product};
use zonewright_api::{ObjectReader, ValidationError, describe_value, join_names, parse_integer, prefix_pointers};
use zonewright_expression::schema::Tier;

/// The largest priority (observed).
pub const MAX_PRIORITY: u32 = 2_147_483_647;

/// The members that a rule may have.
pub(crate) const MEMBERS: [&str; 7] = ["filter", "action", "priority", "paused", "description", "ref", "products"];
/// The members that the service returns and that clients send back.
pub(crate) const READ_ONLY: [&str; 3] = ["id", "created_on", "modified_on"];

/// Validates a rule for a zone with this plan. Returns all errors. The existence of a referenced filter is not checked.
pub fn check_rule(rule: &NewRule, tier: Tier) -> Vec<ValidationError> {
    let mut errors = check_reference_expression(&rule.filter, tier);
    errors.extend(check_rule_except_expression(rule, tier));
    errors
}

/// Validates a rule like [`check_rule`], except the expression of a new filter. It does not need the engine.
pub fn check_rule_except_expression(rule: &NewRule, tier: Tier) -> Vec<ValidationError> {
    let mut errors = check_reference_members(&rule.filter);
    errors.extend(check_action(rule.action, &rule.products, tier));
    errors.extend(check_priority(rule.priority.map(u64::from)));
    errors.extend(check_texts(rule.description.as_deref(), rule.reference.as_deref()));
    errors
}

fn check_reference(reference: &FilterReference, tier: Tier) -> Vec<ValidationError> {
    let mut errors = check_reference_expression(reference, tier);
    errors.extend(check_reference_members(reference));
    errors
}

fn check_reference_expression(reference: &FilterReference, tier: Tier) -> Vec<ValidationError> {
    match reference {
        FilterReference::New(filter) => {
            prefix_pointers("/filter", check_expression(&filter.expression, tier)).collect()
        }
        FilterReference::Existing { .. } => Vec::new(),
    }
}

fn check_reference_members(reference: &FilterReference) -> Vec<ValidationError> {
    match reference {
        FilterReference::New(filter) => {
            let errors = check_texts(filter.description.as_deref(), filter.reference.as_deref());
            prefix_pointers("/filter", errors).collect()
        }
        FilterReference::Existing { id } if is_identifier(id) => Vec::new(),
        FilterReference::Existing { .. } => {
            let message = "the filter's `id` must be 32 lowercase hexadecimal digits";
            vec![ValidationError::invalid_value("/filter/id", message)]
        }
    }
}

fn check_priority(priority: Option<u64>) -> Option<ValidationError> {
    let too_large = priority.filter(|number| *number > u64::from(MAX_PRIORITY))?;
    let message = format!("`priority` must be at most {MAX_PRIORITY}, not {too_large}");
    Some(ValidationError::invalid_value("/priority", message))
}

/// Reads one rule. The error has all validation errors.
pub fn read_rule(value: &Value, tier: Tier) -> Result<NewRule, Vec<ValidationError>> {
    let mut members = ObjectReader::new(value, "a rule", &MEMBERS, &READ_ONLY)?;
    let filter = members.required("filter").and_then(|value| read_filter_reference(value, tier, &mut members.errors));
    let attributes = read_attributes(&mut members, tier);
    match (filter, attributes) {
        (Some(filter), Some(attributes)) if members.errors.is_empty() => {
            let RuleAttributes { action, priority, paused, description, reference, products } = attributes;
            Ok(NewRule { filter, action, priority, paused, description, reference, products })
        }
        _ => Err(members.errors),
    }
}

/// The members of a rule except its filter.
pub(crate) struct RuleAttributes {
    pub(crate) action: Action,
    pub(crate) priority: Option<u32>,
    pub(crate) paused: bool,
    pub(crate) description: Option<String>,
    pub(crate) reference: Option<String>,
    pub(crate) products: Vec<Product>,
}

/// Reads and validates the members of a rule except its filter. Returns `None` if the action or the products are
/// unreadable.
pub(crate) fn read_attributes(members: &mut ObjectReader, tier: Tier) -> Option<RuleAttributes> {
    let action = read_action(members);
    let products = read_products(members);
    let priority = read_priority(members);
    let paused = members.boolean("paused");
    let description = members.text("description");
    let reference = members.text("ref");
    if let (Some(action), Some(products)) = (action, &products) {
        members.errors.extend(check_action(action, products, tier));
    }
    members.errors.extend(check_texts(description.as_deref(), reference.as_deref()));
    Some(RuleAttributes { action: action?, priority, paused, description, reference, products: products? })
}

/// Reads the filter of a rule. All other known members of a filter with an `id` are ignored, because clients send the
/// whole filter back and a rule never changes its filter (specification §4.2 rule 2).
fn read_filter_reference(value: &Value, tier: Tier, errors: &mut Vec<ValidationError>) -> Option<FilterReference> {
    let known = ["id"].into_iter().chain(filter::MEMBERS).collect::<Vec<_>>();
    let reader = ObjectReader::new(value, "a rule's filter", &known, &["created_on", "modified_on"]);
    let mut members = match reader {
        Ok(members) => members,
        Err(found) => {
            errors.extend(prefix_pointers("/filter", found));
            return None;
        }
    };
    let reference = if members.get("id").is_some_and(|id| id.as_str() != Some("")) {
        members.text("id").map(|id| FilterReference::Existing { id })
    } else {
        read_filter_members(&mut members).map(FilterReference::New)
    };
    errors.extend(prefix_pointers("/filter", members.errors));
    if let Some(reference) = &reference {
        errors.extend(check_reference(reference, tier));
    }
    reference
}

fn read_action(members: &mut ObjectReader) -> Option<Action> {
    let value = members.required("action")?;
    let Value::String(name) = value else {
        return members.type_error("action", "a string", value);
    };
    let action = Action::from_name(name);
    if action.is_none() {
        let names: Vec<&str> = Action::ALL.iter().map(|action| action.name()).collect();
        members.errors.push(unknown_name_error("/action", "action", name, &names));
    }
    action
}

/// Reads the products. Returns `None` if one of them is unreadable.
fn read_products(members: &mut ObjectReader) -> Option<Vec<Product>> {
    let Some(value) = members.get("products") else {
        return Some(Vec::new());
    };
    let Value::Array(values) = value else {
        return members.type_error("products", "an array of strings", value);
    };
    let names: Vec<&str> = Product::ALL.iter().map(|product| product.name()).collect();
    // A valid list has each product at most once. The limit also prevents thousands of errors in one response.
    if values.len() > names.len() {
        let message = format!("`products` has {} items, but there are only {} products", values.len(), names.len());
        members.errors.push(ValidationError::invalid_value("/products", message));
        return None;
    }
    let mut products = Vec::new();
    for (index, value) in values.iter().enumerate() {
        let pointer = format!("/products/{index}");
        match value.as_str().map(|name| (name, Product::from_name(name))) {
            Some((_, Some(product))) => products.push(product),
            Some((name, None)) => members.errors.push(unknown_name_error(&pointer, "product", name, &names)),
            None => {
                let message = format!("a product must be a string, not {}", describe_value(value));
                members.errors.push(ValidationError::invalid_shape(pointer, message));
            }
        }
    }
    (products.len() == values.len()).then_some(products)
}

fn unknown_name_error(pointer: &str, noun: &str, name: &str, names: &[&str]) -> ValidationError {
    let excerpt: String = name.chars().take(64).collect();
    ValidationError::invalid_value(
        pointer,
        format!("unknown {noun} `{excerpt}`; the allowed values are {}", join_names(names)),
    )
}

pub(crate) fn read_priority(members: &mut ObjectReader) -> Option<u32> {
    let value = members.get("priority")?;
    let Some(number) = parse_integer(value).and_then(|number| u64::try_from(number).ok()).or(value.as_u64()) else {
        return members.type_error("priority", "null or a non-negative integer", value);
    };
    members.errors.extend(check_priority(Some(number)));
    u32::try_from(number).ok()
}

/// Reads the body of a request that creates rules (§4.2). The error has all validation errors, with pointers from the
/// root of the body.
pub fn read_rules(body: &Value, tier: Tier) -> Result<Batch<NewRule>, Vec<ValidationError>> {
    Batch::read(body, "create", MAX_ITEMS, |item| read_rule(item, tier))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use zonewright_api::firewall::NewFilter;

    #[test]
    fn errors_have_pointers() {
        let filter = json!({"expression": "ssl"});
        let cases = [
            (json!([null]), vec!["/0"]),
            (json!([{}]), vec!["/0/filter", "/0/action"]),
            (json!({"filter": {}, "action": 1}), vec!["/filter/expression", "/action"]),
            (json!([{"filter": [], "action": "blok"}]), vec!["/0/filter", "/0/action"]),
            (json!([{"filter": {"id": "x"}, "action": "block"}]), vec!["/0/filter/id"]),
            (json!([{"filter": {"id": 7}, "action": "block"}]), vec!["/0/filter/id"]),
            (json!([{"filter": filter, "action": "block", "priority": -1}]), vec!["/0/priority"]),
            (json!([{"filter": filter, "action": "block", "priority": 2_147_483_648_u32}]), vec!["/0/priority"]),
            (json!([{"filter": filter, "action": "block", "priority": 1.5}]), vec!["/0/priority"]),
            (
                json!([{"filter": filter, "action": "bypass", "products": ["waf", "WAF", 1]}]),
                vec!["/0/products/1", "/0/products/2"],
            ),
            (json!([{"filter": filter, "action": "bypass", "products": "waf"}]), vec!["/0/products"]),
            (json!([{"filter": filter, "action": "block", "products": ["waf"]}]), vec!["/0/products"]),
            (
                json!([{"filter": {"expression": "ssl", "where": 1}, "action": "block", "mode": 1}]),
                vec!["/0/mode", "/0/filter/where"],
            ),
        ];
        for (body, expected) in cases {
            let errors = read_rules(&body, Tier::Enterprise).unwrap_err();
            let pointers: Vec<&str> = errors.iter().map(|error| error.pointer.as_str()).collect();
            assert_eq!(pointers, expected, "{body}");
        }
    }

    #[test]
    fn non_integer_priority_is_quoted_in_the_error() {
        let rule = json!({"filter": {"expression": "ssl"}, "action": "block", "priority": 1.5});
        let errors = read_rule(&rule, Tier::Enterprise).unwrap_err();
        let messages: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
        assert_eq!(messages, ["`priority` must be null or a non-negative integer, not 1.5"]);
    }

    #[test]
    fn rule_round_trips_through_json() {
        let id = "0123456789abcdef0123456789abcdef".to_owned();
        let new = FilterReference::New(NewFilter { expression: "ssl".to_owned(), ..NewFilter::default() });
        let mut full = NewRule::new(FilterReference::Existing { id }, Action::Bypass);
        full.products = vec![Product::Waf];
        full.priority = Some(0);
        full.paused = true;
        full.description = Some("why".to_owned());
        for rule in [NewRule::new(new, Action::Block), full] {
            assert_eq!(check_rule(&rule, Tier::Enterprise), []);
            let json = serde_json::to_value([&rule]).unwrap();
            assert_eq!(read_rules(&json, Tier::Enterprise).unwrap().items, [rule]);
        }
    }

    #[test]
    fn filter_with_an_id_is_a_reference() {
        let id = "0123456789abcdef0123456789abcdef";
        let filter = json!({"id": id, "expression": "", "paused": false, "description": ""});
        let rule = read_rule(&json!({"filter": filter, "action": "allow"}), Tier::Free).unwrap();
        assert_eq!(rule.filter, FilterReference::Existing { id: id.to_owned() });
    }
}
