//! Reads lists of rules.

use super::{ArgumentErrors, describe_value, invalid_option_error, read_text};
use js_sys::{Array, JSON};
use wasm_bindgen::prelude::*;
use zonewright_firewall::{RuleList, read_list, rule_list_from_json};

/// Reads a list of rules: JSON of the service as JavaScript values, or text.
pub(crate) fn read_rules(value: &JsValue) -> Result<RuleList, ArgumentErrors> {
    const LABEL: &str = "the rules";
    let list = if value.is_string() {
        read_list(&read_text(value, LABEL)?)
    } else if Array::is_array(value) || (value.is_object() && !value.is_function()) {
        let json = JSON::stringify(value).ok().and_then(|text| text.as_string());
        let json = json.and_then(|text| serde_json::from_str(&text).ok());
        rule_list_from_json(&json.ok_or_else(|| invalid_rules_error(format!("{LABEL} cannot be converted to JSON")))?)
    } else {
        return Err(invalid_rules_error(format!("expected an array for {LABEL}, found {}", describe_value(value))));
    };
    list.map_err(|errors| {
        let to_diagnostic = |error: zonewright_firewall::ValidationError| match error.pointer.as_str() {
            "" => invalid_rules_error(error.message),
            pointer => invalid_rules_error(format!("{pointer}: {}", error.message)),
        };
        errors.into_iter().flat_map(to_diagnostic).collect()
    })
}

fn invalid_rules_error(message: String) -> ArgumentErrors {
    let with_code = |mut diagnostic: zonewright_diagnostic::Diagnostic| {
        diagnostic.code = "invalid-rules";
        diagnostic
    };
    invalid_option_error(message).into_iter().map(with_code).collect()
}
