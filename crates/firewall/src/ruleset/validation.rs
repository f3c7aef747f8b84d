//! Provides the validators and error messages that several modules of rulesets share.
//!
//! Start with [`invalid_value`] and [`check_expression`].

use super::RulesetContext;
use crate::filter::render_errors;
use serde_json::Value;
use std::fmt::Display;
use zonewright_api::{ObjectReader, ValidationError, check_no_nul, describe_value, error_code};
use zonewright_diagnostic::Diagnostic;
use zonewright_expression::{Kind, Options, check};

/// The number of errors after which the rest of a body is not validated (assumption batch-limits).
pub(super) const MAX_ERRORS: usize = 100;

/// Builds an error with the wording of the service (observed).
pub(super) fn invalid_value(
    pointer: impl Into<String>,
    field: &str,
    value: &str,
    reason: impl Display,
) -> ValidationError {
    let excerpt: String = value.chars().take(64).map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    let message = format!("'{excerpt}' is not a valid value for {field} because {reason}");
    rule_error(pointer, message)
}

/// Builds an error with a custom message.
pub(super) fn rule_error(pointer: impl Into<String>, message: impl Into<String>) -> ValidationError {
    ValidationError { code: error_code::INVALID_RULE, ..ValidationError::invalid_value(pointer, message) }
}

/// Returns whether the error limit is reached. If so, adds an error that says where validation stopped.
pub(super) fn stop_at_error_limit(validation_errors: &mut Vec<ValidationError>, pointer: &str) -> bool {
    let is_reached = validation_errors.len() >= MAX_ERRORS;
    if is_reached {
        validation_errors.push(ValidationError::invalid_shape(pointer, "too many errors; the rest was not validated"));
    }
    is_reached
}

/// Reads an optional free text. An empty text counts as present.
pub(super) fn optional_text(members: &mut ObjectReader, name: &str, max_chars: usize) -> Option<String> {
    let text = match members.get(name)? {
        Value::String(text) => text.clone(),
        other => return members.type_error(name, "a string", other),
    };
    let length = text.chars().count();
    if length > max_chars {
        let reason = format!("it has {length} characters; at most {max_chars} are allowed");
        members.errors.push(invalid_value(format!("/{name}"), name, &text, reason));
    }
    members.errors.extend(check_no_nul(name, &text));
    Some(text)
}

/// Reads an optional Boolean.
pub(super) fn optional_boolean(members: &mut ObjectReader, name: &str) -> Option<bool> {
    match members.get(name)? {
        Value::Bool(flag) => Some(*flag),
        other => members.type_error(name, "true or false", other),
    }
}

/// Reads an optional array. Returns no items if it is missing or has the wrong type.
pub(super) fn optional_array<'a>(members: &mut ObjectReader<'a>, name: &str) -> &'a [Value] {
    match members.get(name) {
        None => &[],
        Some(Value::Array(items)) => items,
        Some(other) => {
            members.errors.push(ValidationError::invalid_shape(
                format!("/{name}"),
                format!("`{name}` must be an array, not {}", describe_value(other)),
            ));
            &[]
        }
    }
}

/// Validates an expression in its context. Returns all errors.
pub(super) fn check_expression(
    pointer: &str,
    field: &str,
    text: &str,
    kind: Kind,
    context: &RulesetContext<'_>,
) -> Vec<ValidationError> {
    let options = Options { kind, phase: Some(context.phase), plan: Some(context.tier), ..Options::default() };
    let checked = check(text, &options);
    let errors: Vec<Diagnostic> = checked.diagnostics.into_iter().filter(Diagnostic::is_error).collect();
    let mut validation_errors = Vec::new();
    if !errors.is_empty() {
        let error = invalid_value(
            pointer,
            field,
            text,
            format!("could not parse filter expression: {}", render_errors(text, &errors)),
        );
        let code = error_code::INVALID_RULE_EXPRESSION;
        validation_errors.push(ValidationError { code, diagnostics: errors, ..error });
    }
    validation_errors
        .extend(check_no_nul(field, text).map(|error| ValidationError { pointer: pointer.to_owned(), ..error }));
    validation_errors
}
