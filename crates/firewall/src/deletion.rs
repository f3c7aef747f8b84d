//! Reads deletions: identifiers in the query, in the body, or in both.
//!
//! Start with [`read_filter_deletions`] and [`read_rule_deletions`]. If the items of a body have errors, only those of
//! the first invalid item are reported.

use crate::batch::MAX_ITEMS;
use crate::is_identifier;
use serde_json::Value;
use zonewright_api::firewall::{DeletionRequest, RuleDeletionRequest};
use zonewright_api::{ObjectReader, ValidationError, describe_value, prefix_pointers, shape_error};

/// Reads the filters that a request deletes; `query` has the identifiers of its query. Whether the filters exist is not
/// checked. Malformed identifiers in a body are errors; empty ones are ignored. Those of the query are not checked.
pub fn read_filter_deletions(
    query: Vec<String>,
    body: Option<&Value>,
) -> Result<Vec<DeletionRequest>, Vec<ValidationError>> {
    read_deletions(query, body, &["id"])
}

/// Reads the rules that a request deletes. The request may also delete their filters.
pub fn read_rule_deletions(
    query: Vec<String>,
    body: Option<&Value>,
) -> Result<Vec<DeletionRequest>, Vec<ValidationError>> {
    read_deletions(query, body, &["id", "delete_filter_if_unused"])
}

/// Reads the body of a request that deletes the rule that its path identifies.
pub fn read_rule_deletion(body: Option<&Value>) -> Result<RuleDeletionRequest, Vec<ValidationError>> {
    let Some(body) = body else {
        return Ok(RuleDeletionRequest::default());
    };
    let mut members = ObjectReader::new(body, "the body", &["delete_filter_if_unused"], &["id"])?;
    let delete_filter_if_unused = members.boolean("delete_filter_if_unused");
    if members.errors.is_empty() { Ok(RuleDeletionRequest { delete_filter_if_unused }) } else { Err(members.errors) }
}

/// Reads query and body. A body is one identifier or object, or an array of them. If the body is a single object, its
/// flag also applies to the identifiers of the query.
fn read_deletions(
    query: Vec<String>,
    body: Option<&Value>,
    known: &[&str],
) -> Result<Vec<DeletionRequest>, Vec<ValidationError>> {
    check_item_count(query.len())?;
    let deletion = |delete_filter_if_unused| move |id| DeletionRequest { id, delete_filter_if_unused };
    let mut deletions: Vec<DeletionRequest> = Vec::new();
    match body {
        None => deletions.extend(query.into_iter().map(deletion(false))),
        Some(Value::Array(items)) => {
            deletions.extend(query.into_iter().map(deletion(false)));
            for (index, item) in items.iter().enumerate() {
                let (ids, flag) = read_item(item, known)
                    .map_err(|found| prefix_pointers(&format!("/{index}"), found).collect::<Vec<_>>())?;
                deletions.extend(ids.into_iter().map(deletion(flag)));
            }
        }
        Some(body) => {
            let (ids, flag) = read_item(body, known)?;
            deletions.extend(query.into_iter().chain(ids).map(deletion(flag)));
        }
    }
    check_item_count(deletions.len())?;
    Ok(deletions)
}

fn check_item_count(items: usize) -> Result<(), Vec<ValidationError>> {
    if items <= MAX_ITEMS {
        return Ok(());
    }
    shape_error(format!("the request deletes {items} items; at most {MAX_ITEMS} are allowed"))
}

/// Reads the identifiers and the flag of one item of a body.
fn read_item(value: &Value, known: &[&str]) -> Result<(Vec<String>, bool), Vec<ValidationError>> {
    let mut ids = Vec::new();
    let mut errors = Vec::new();
    let mut read_id = |id: &Value, pointer: &str, allowed: &str| match id {
        Value::String(id) if id.is_empty() => {}
        Value::String(id) => match check_id(id, pointer) {
            None => ids.push(id.clone()),
            Some(error) => errors.push(error),
        },
        other => errors.push(ValidationError::invalid_shape(
            pointer,
            format!("`id` must be {allowed}, not {}", describe_value(other)),
        )),
    };
    let mut flag = false;
    if value.is_string() {
        read_id(value, "", "a string");
    } else {
        let mut members = ObjectReader::new(value, "an item to delete", known, &[])?;
        flag = members.boolean("delete_filter_if_unused");
        match members.get("id") {
            None => {}
            Some(Value::Array(items)) => {
                check_item_count(items.len())?;
                for (index, item) in items.iter().enumerate() {
                    read_id(item, &format!("/id/{index}"), "a string");
                }
            }
            Some(id) => read_id(id, "/id", "a string or an array of strings"),
        }
        errors.splice(..0, members.errors);
    }
    if errors.is_empty() { Ok((ids, flag)) } else { Err(errors) }
}

/// Returns an error if the text is not an identifier.
fn check_id(id: &str, pointer: &str) -> Option<ValidationError> {
    let excerpt: String = id.chars().take(40).collect();
    let error = || {
        ValidationError::invalid_value(
            pointer,
            format!("`id` must be 32 lowercase hexadecimal digits, not `{excerpt}`"),
        )
    };
    (!is_identifier(id)).then(error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Returns an identifier that repeats one letter.
    fn id(letter: &str) -> String {
        letter.repeat(32)
    }

    #[test]
    fn deletions_are_read_from_query_and_body() {
        let [a, b, c] = ["a", "b", "c"].map(id);
        let cases = [
            (vec![], None, ""),
            (vec!["a", "b"], None, "a b"),
            (vec![], Some(json!({})), ""),
            (vec![], Some(json!([])), ""),
            (vec![], Some(json!({"id": a})), "a"),
            (vec![], Some(json!({"id": ["", a]})), "a"),
            (vec!["a"], Some(json!({"id": [b, c], "delete_filter_if_unused": true})), "a+ b+ c+"),
            (vec!["a"], Some(json!([b, {"id": c, "delete_filter_if_unused": true}])), "a b c+"),
        ];
        for (query, body, expected) in cases {
            let query = query.into_iter().map(id).collect();
            let deletions = read_rule_deletions(query, body.as_ref()).unwrap();
            let mark = |request: &DeletionRequest| {
                format!("{}{}", request.id.split_at(1).0, if request.delete_filter_if_unused { "+" } else { "" })
            };
            assert_eq!(deletions.iter().map(mark).collect::<Vec<_>>().join(" "), expected, "{body:?}");
        }
    }

    #[test]
    fn errors_in_the_body_have_pointers() {
        let a = id("a");
        let cases = [
            (json!(5), ""),
            (json!([5]), "/0"),
            (json!({"id": 5}), "/id"),
            (json!([{"id": [a, 5]}]), "/0/id/1"),
            (json!({"ids": [a]}), "/ids"),
            (json!({"delete_filter_if_unused": true}), "/delete_filter_if_unused"),
            (json!(vec![a.clone(); 1001]), ""),
            (json!("xyz"), ""),
            (json!([a, "xyz"]), "/1"),
            (json!({"id": id("A")}), "/id"),
            (json!([{"id": [a, "\0"]}]), "/0/id/1"),
        ];
        for (body, expected) in cases {
            let errors = read_filter_deletions(Vec::new(), Some(&body)).unwrap_err();
            assert_eq!(errors.iter().map(|error| error.pointer.as_str()).collect::<Vec<_>>(), [expected], "{body}");
        }
        let errors = read_rule_deletion(Some(&json!({"delete_filter_if_unused": 1, "x": 2}))).unwrap_err();
        assert_eq!(
            errors.iter().map(|error| error.pointer.as_str()).collect::<Vec<_>>(),
            ["/x", "/delete_filter_if_unused"]
        );
    }
}
