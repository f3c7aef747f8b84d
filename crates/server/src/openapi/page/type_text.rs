//! The type of a schema as one line of HTML.

use super::super::operation::reference_name;
use super::{anchor, escape, text};
use serde_json::Value;

/// Returns a short description of the type, as HTML.
pub(super) fn type_text(schema: Option<&Value>) -> String {
    let Some(schema) = schema else { return "anything".to_owned() };
    if let Some(name) = reference_name(schema) {
        return format!("<a href=\"#schema-{}\">{}</a>", anchor(name), escape(name));
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        let values: Vec<String> =
            values.iter().map(|value| format!("<code>{}</code>", escape(text(Some(value))))).collect();
        return values.join(", ");
    }
    for choice in ["oneOf", "anyOf"] {
        if let Some(choices) = schema.get(choice).and_then(Value::as_array) {
            let choices: Vec<String> = choices.iter().map(|choice| type_text(Some(choice))).collect();
            return choices.join(" or ");
        }
    }
    let kinds: Vec<&str> = match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().map(|kind| text(Some(kind))).collect(),
        Some(Value::String(kind)) => vec![kind],
        _ => return "anything".to_owned(),
    };
    let words: Vec<String> = kinds.iter().map(|kind| simple_type_text(kind, schema)).collect();
    words.join(" or ")
}

fn simple_type_text(name: &str, schema: &Value) -> String {
    let bound = |name: &str, word: &str| schema.get(name).map(|number| format!(" {word} {number}")).unwrap_or_default();
    match name {
        "array" => format!("list of {}", type_text(schema.get("items"))),
        "object" if schema.get("additionalProperties").is_some_and(Value::is_object) => {
            format!("object with values of type {}", type_text(schema.get("additionalProperties")))
        }
        "integer" | "number" => format!("{name}{}{}", bound("minimum", "from"), bound("maximum", "to")),
        "string" => format!("{name}{}", bound("maxLength", "with maximum length")),
        _ => escape(name),
    }
}
