//! What is deleted: identifiers of the query, of the body, or of both.

use crate::read::MOST_ITEMS;
use serde_json::Value;
use zonewright_api::firewall::{Removal, RuleRemoval};
use zonewright_api::{Members, Refusal, described, refuse, under};

/// Reads what a request deletes whose query has these identifiers, when filters are deleted. Of what is not there
/// nothing is said.
pub fn read_filter_removals(query: Vec<String>, body: Option<&Value>) -> Result<Vec<Removal>, Vec<Refusal>> {
    read(query, body, &["id"])
}

/// The same for rules, whose filters may go with them.
pub fn read_rule_removals(query: Vec<String>, body: Option<&Value>) -> Result<Vec<Removal>, Vec<Refusal>> {
    read(query, body, &["id", "delete_filter_if_unused"])
}

/// Reads the body of a request that deletes the rule that its address names.
pub fn read_rule_removal(body: Option<&Value>) -> Result<RuleRemoval, Vec<Refusal>> {
    let Some(body) = body else {
        return Ok(RuleRemoval::default());
    };
    let mut members = Members::open(body, "the body", &["delete_filter_if_unused"], &["id"])?;
    let delete_filter_if_unused = members.flag("delete_filter_if_unused");
    if members.refusals.is_empty() { Ok(RuleRemoval { delete_filter_if_unused }) } else { Err(members.refusals) }
}

/// A body is an array of identifiers or of objects, or one object, whose flag counts for those of the query too.
fn read(query: Vec<String>, body: Option<&Value>, known: &[&str]) -> Result<Vec<Removal>, Vec<Refusal>> {
    let without = |ids: Vec<String>| ids.into_iter().map(|id| Removal { id, delete_filter_if_unused: false });
    let removals: Vec<Removal> = match body {
        None => without(query).collect(),
        Some(Value::Array(items)) => {
            let mut removals: Vec<Removal> = without(query).collect();
            for (index, item) in items.iter().enumerate() {
                let read = read_object(Vec::new(), item, known);
                removals.extend(read.map_err(|found| under(&format!("/{index}"), found).collect::<Vec<_>>())?);
            }
            removals
        }
        Some(body) => read_object(query, body, known)?,
    };
    if removals.len() > MOST_ITEMS {
        return refuse(format!("the request deletes {} items, at most {MOST_ITEMS} are allowed", removals.len()));
    }
    Ok(removals)
}

fn read_object(mut ids: Vec<String>, value: &Value, known: &[&str]) -> Result<Vec<Removal>, Vec<Refusal>> {
    if let Value::String(id) = value {
        ids.push(id.clone());
        return Ok(ids.into_iter().map(|id| Removal { id, delete_filter_if_unused: false }).collect());
    }
    let mut members = Members::open(value, "what is deleted", known, &[])?;
    let delete_filter_if_unused = members.flag("delete_filter_if_unused");
    match members.get("id") {
        None => {}
        Some(Value::String(id)) => ids.push(id.clone()),
        Some(Value::Array(items)) => {
            for (index, item) in items.iter().enumerate() {
                match item {
                    Value::String(id) => ids.push(id.clone()),
                    other => {
                        let message = format!("an `id` must be a string, not {}", described(other));
                        members.refusals.push(Refusal::shape(format!("/id/{index}"), message));
                    }
                }
            }
        }
        Some(other) => {
            members.wrong_type::<()>("id", "a string or an array of strings", other);
        }
    }
    if !members.refusals.is_empty() {
        return Err(members.refusals);
    }
    Ok(ids.into_iter().map(|id| Removal { id, delete_filter_if_unused }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_deleted() {
        let cases = [
            (vec![], None, ""),
            (vec!["a", "b"], None, "a b"),
            (vec![], Some(json!({})), ""),
            (vec![], Some(json!([])), ""),
            (vec![], Some(json!({"id": "a"})), "a"),
            (vec!["a"], Some(json!({"id": ["b", "c"], "delete_filter_if_unused": true})), "a+ b+ c+"),
            (vec!["a"], Some(json!(["b", {"id": "c", "delete_filter_if_unused": true}])), "a b c+"),
        ];
        for (query, body, expected) in cases {
            let query = query.into_iter().map(str::to_owned).collect();
            let found = read_rule_removals(query, body.as_ref()).unwrap();
            let mark = |one: &Removal| format!("{}{}", one.id, if one.delete_filter_if_unused { "+" } else { "" });
            assert_eq!(found.iter().map(mark).collect::<Vec<_>>().join(" "), expected, "{body:?}");
        }
    }

    #[test]
    fn every_problem_has_its_place() {
        let cases = [
            (json!(5), ""),
            (json!([5]), "/0"),
            (json!({"id": 5}), "/id"),
            (json!([{"id": ["a", 5]}]), "/0/id/1"),
            (json!({"ids": ["a"]}), "/ids"),
            (json!({"delete_filter_if_unused": true}), "/delete_filter_if_unused"),
            (json!(vec!["a"; 1001]), ""),
        ];
        for (body, expected) in cases {
            let found = read_filter_removals(Vec::new(), Some(&body)).unwrap_err();
            assert_eq!(found.iter().map(|one| one.pointer.as_str()).collect::<Vec<_>>(), [expected], "{body}");
        }
        let found = read_rule_removal(Some(&json!({"delete_filter_if_unused": 1, "x": 2}))).unwrap_err();
        assert_eq!(
            found.iter().map(|one| one.pointer.as_str()).collect::<Vec<_>>(),
            ["/x", "/delete_filter_if_unused"]
        );
    }
}
