//! The parts of an operation that its handler does not declare.

use super::common_errors::{self, ErrorResponses};
use super::{path_parameters, set_member};
use serde_json::{Value, json};

/// Completes the operation of a path and method.
pub(super) fn complete(path: &str, method: &str, operation: &mut Value, errors: &ErrorResponses, examples: &Value) {
    let id = operation_id(path, method, operation);
    let examples = examples.get(&id);
    set_member(operation, "operationId", json!(id));
    complete_parameters(path, operation);
    if path.starts_with("/accounts/")
        && let Some(example) = operation.pointer_mut("/requestBody/content/application~1json/example")
    {
        adapt_to_account(example);
    }
    let mut responses = operation.get_mut("responses").map(Value::take).unwrap_or_default();
    for description in common_errors::request_error_descriptions(operation) {
        common_errors::append_description(&mut responses, 400, description);
    }
    for (status, response) in responses.as_object_mut().into_iter().flatten() {
        let example = examples.and_then(|examples| examples.get(status));
        add_schema_and_example(status, response, example);
    }
    for error in errors.for_operation(path, operation) {
        error.add_to(&mut responses);
    }
    set_member(operation, "responses", responses);
}

/// Returns an ID for generated clients: the words of the path and the name of the handler.
fn operation_id(path: &str, method: &str, operation: &Value) -> String {
    let handler = operation.get("operationId").and_then(Value::as_str).unwrap_or(method);
    // One handler may serve several methods.
    let handler = if handler == "refuse" { method } else { handler };
    let words = path.split('/').filter(|word| !word.is_empty() && !word.starts_with('{'));
    let words = words.map(|word| word.replace(['.', '-'], "_"));
    words.chain([handler.to_owned()]).collect::<Vec<_>>().join("-")
}

/// Describes the path parameters that the handler does not describe.
fn complete_parameters(path: &str, operation: &mut Value) {
    let mut parameters: Vec<Value> =
        operation.get_mut("parameters").and_then(Value::as_array_mut).map(std::mem::take).unwrap_or_default();
    let is_described = |name: &str| {
        parameters.iter().any(|parameter| {
            parameter.get("in").is_some_and(|location| location == "path")
                && parameter.get("name").is_some_and(|other| other == name)
        })
    };
    let missing: Vec<Value> = path_parameters::parameters_in(path)
        .filter(|shared| !is_described(shared.name))
        .map(|shared| shared.to_parameter_object())
        .collect();
    for parameter in &mut parameters {
        // The handler declares the example of a path parameter; the schema is shared.
        if let Some(shared) = path_parameters::parameters_in(path)
            .find(|shared| parameter.get("name").is_some_and(|name| name == shared.name))
        {
            set_member(parameter, "schema", shared.schema());
        }
        // Clients repeat a parameter that has several values, so `null` is not one of them.
        if let Some(schema) = parameter.get_mut("schema") {
            super::remove_null(schema);
        }
    }
    parameters.splice(0..0, missing);
    if !parameters.is_empty() {
        set_member(operation, "parameters", json!(parameters));
    }
}

/// Adapts an example for zones to accounts.
fn adapt_to_account(example: &mut Value) {
    match example {
        Value::String(text) if text == "zone" => *text = "root".to_owned(),
        Value::String(text) if text == "http_requests" => *text = "audit_logs".to_owned(),
        Value::Array(items) => items.iter_mut().for_each(adapt_to_account),
        Value::Object(members) => {
            // The datasets of accounts have other fields.
            if members.contains_key("dataset") {
                members.retain(|name, _| name != "output_options" && name != "filter");
            }
            members.values_mut().for_each(adapt_to_account);
        }
        _ => {}
    }
}

/// Adds the schema of errors to an error response without a schema, and the recorded example to any response.
fn add_schema_and_example(status: &str, response: &mut Value, example: Option<&Value>) {
    // Responses with 2xx and 304 have no error.
    if !status.starts_with(['2', '3']) && response.get("content").is_none() {
        set_member(
            response,
            "content",
            json!({"application/json": {"schema": {"$ref": "#/components/schemas/Failure"}}}),
        );
    }
    let content = response.get_mut("content").and_then(Value::as_object_mut).and_then(|all| all.values_mut().next());
    if let (Some(example), Some(content)) = (example, content) {
        set_member(content, "example", example.clone());
    }
}

/// Returns the name of the schema that a reference points to.
pub(super) fn reference_name(schema: &Value) -> Option<&str> {
    schema.get("$ref").and_then(Value::as_str).and_then(|reference| reference.rsplit('/').next())
}
