//! Updates of filters and firewall rules.

use super::done;
use serde_json::Value;
use zonewright_api::firewall::FilterReference;
use zonewright_api::{Members, Refusal, described, refuse, under};
use zonewright_expression::schema::Tier;
use zonewright_firewall::{MOST_ITEMS, is_identifier, read_filter, read_filters, read_rule, read_rules};

/// After this many problems the rest is not judged (assumption batch-limits).
const MOST_PROBLEMS: usize = 100;
/// Members of a rule that clients send back beside the priority.
const RULE: [&str; 9] =
    ["filter", "action", "paused", "description", "ref", "products", "created_on", "modified_on", "id"];
/// Largest priority (observed).
const MOST_PRIORITY: u64 = 2_147_483_647;

/// The body of `PUT …/filters`: filters, each with its identifier.
pub(super) fn filter_updates(body: &Value, tier: Tier) -> Result<(), Vec<Refusal>> {
    let missing = each(body, identified)?;
    both(missing, read_filters(body, tier).map(drop))
}

/// The body of `PUT …/filters/{id}`.
pub(super) fn filter_update(body: &Value, tier: Tier) -> Result<(), Vec<Refusal>> {
    read_filter(body, tier).map(drop)
}

/// The body of `PUT …/firewall/rules`: rules, each with its identifier and that of its filter.
pub(super) fn rule_updates(body: &Value, tier: Tier) -> Result<(), Vec<Refusal>> {
    let missing = each(body, |item| both(identified(item).err().unwrap_or_default(), rule_update(item, tier)))?;
    // The limits of the whole.
    both(missing, Ok(())).and_then(|()| read_rules(body, tier).map(drop))
}

/// The body of `PUT …/firewall/rules/{id}`: a rule with the identifier of its filter, which never changes with it.
pub(super) fn rule_update(body: &Value, tier: Tier) -> Result<(), Vec<Refusal>> {
    match read_rule(body, tier)?.filter {
        FilterReference::Existing { .. } => Ok(()),
        FilterReference::New(_) => {
            let message = "`id` is missing: an update of a rule names its filter and does not change it";
            Err(vec![Refusal::shape("/filter/id", message)])
        }
    }
}

/// The body of `PATCH …/firewall/rules`: identifiers with their priorities.
pub(super) fn priorities(body: &Value) -> Result<(), Vec<Refusal>> {
    let found = each(body, |item| both(identified(item).err().unwrap_or_default(), priority(item)))?;
    both(found, Ok(()))
}

/// The body of `PATCH …/firewall/rules/{id}`.
pub(super) fn priority(body: &Value) -> Result<(), Vec<Refusal>> {
    let mut members = Members::open(body, "a rule", &["priority"], &RULE)?;
    match body.get("priority") {
        None => drop(members.required("priority")),
        Some(Value::Null) => {}
        Some(value) if value.as_u64().is_some_and(|number| number <= MOST_PRIORITY) => {}
        Some(value) => {
            let expected = format!("null or a whole number from 0 to {MOST_PRIORITY}");
            members.wrong_type::<()>("priority", &expected, value);
        }
    }
    done(members)
}

/// The problem of an item that names no object.
fn identified(item: &Value) -> Result<(), Vec<Refusal>> {
    match item.get("id") {
        Some(Value::String(id)) if is_identifier(id) => Ok(()),
        // What is no object is refused by whoever reads it.
        None if !item.is_object() => Ok(()),
        None => Err(vec![Refusal::shape("/id", "`id` is missing: an update of many names each of them")]),
        Some(Value::String(_)) => {
            Err(vec![Refusal::value("/id", "an identifier has 32 lower-case hexadecimal digits")])
        }
        Some(other) => Err(vec![Refusal::shape("/id", format!("`id` must be a string, not {}", described(other)))]),
    }
}

/// What is wrong with the items of an array.
fn each(body: &Value, mut judge: impl FnMut(&Value) -> Result<(), Vec<Refusal>>) -> Result<Vec<Refusal>, Vec<Refusal>> {
    let items = match body {
        Value::Array(items) if items.len() > MOST_ITEMS => {
            return refuse(format!("the array has {} items, at most {MOST_ITEMS} are allowed", items.len()));
        }
        Value::Array(items) => items,
        other => return refuse(format!("the body must be an array of objects, not {}", described(other))),
    };
    let mut found = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let pointer = format!("/{index}");
        if found.len() >= MOST_PROBLEMS {
            let message = "there are many problems already: the items from here on were not judged";
            found.push(Refusal::shape(pointer, message));
            break;
        }
        found.extend(under(&pointer, judge(item).err().unwrap_or_default()));
    }
    Ok(found)
}

fn both(mut found: Vec<Refusal>, more: Result<(), Vec<Refusal>>) -> Result<(), Vec<Refusal>> {
    found.extend(more.err().unwrap_or_default());
    if found.is_empty() { Ok(()) } else { Err(found) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const ID: &str = "0123456789abcdef0123456789abcdef";
    const TIER: Tier = Tier::Enterprise;

    #[track_caller]
    fn refused(found: Result<(), Vec<Refusal>>, expected: &[&str]) {
        let pointers: Vec<String> = found.err().unwrap_or_default().into_iter().map(|one| one.pointer).collect();
        assert_eq!(pointers, expected);
    }

    #[test]
    fn updates_name_what_they_change() {
        refused(filter_updates(&json!([{"id": ID, "expression": "ssl", "paused": true}]), TIER), &[]);
        refused(
            filter_updates(&json!([{"expression": "ssl"}, {"id": "x", "expression": "ssl"}]), TIER),
            &["/0/id", "/1/id"],
        );
        refused(filter_updates(&json!([{"id": ID, "expression": "sl"}]), TIER), &["/0/expression"]);
        refused(filter_updates(&json!({"id": ID, "expression": "ssl"}), TIER), &[""]);
        refused(filter_update(&json!({"expression": "ssl"}), TIER), &[]);
        refused(filter_update(&json!([]), TIER), &[""]);

        let rule = |id: Value, filter: Value| json!({"id": id, "filter": filter, "action": "block"});
        refused(rule_updates(&json!([rule(json!(ID), json!({"id": ID, "expression": "((" }))]), TIER), &[]);
        refused(
            rule_updates(&json!([rule(json!(7), json!({"expression": "ssl"})), 3]), TIER),
            &["/0/id", "/0/filter/id", "/1"],
        );
        refused(rule_update(&json!({"filter": {"expression": "ssl"}, "action": "block"}), TIER), &["/filter/id"]);
        refused(rule_update(&json!({"filter": {"id": ID}, "action": "log"}), Tier::Pro), &["/action"]);
    }

    #[test]
    fn priorities_are_numbers_or_null() {
        refused(priority(&json!({"priority": 0})), &[]);
        refused(priority(&json!({"priority": null, "id": ID})), &[]);
        for wrong in
            [json!({}), json!({"priority": -1}), json!({"priority": 2_147_483_648_u64}), json!({"priority": "1"})]
        {
            refused(priority(&wrong), &["/priority"]);
        }
        refused(priorities(&json!([{"id": ID, "priority": 1}])), &[]);
        refused(priorities(&json!([{"priority": 1}, {"id": ID}])), &["/0/id", "/1/priority"]);
        let many: Vec<Value> = (0..1_001).map(|_| json!({"id": ID, "priority": 1})).collect();
        refused(priorities(&json!(many)), &[""]);
        assert_eq!(priorities(&json!(vec![json!({}); 200])).unwrap_err().len(), 101);
    }
}
