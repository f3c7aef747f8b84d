//! Lists of rules.

use super::{Refusal, described, text, wrong};
use js_sys::{Array, JSON};
use wasm_bindgen::prelude::*;
use zonewright_firewall::{RuleList, list_from_json, read_list};

/// The rules of a list: what the service's JSON is in JavaScript, or text.
pub(crate) fn rules(value: &JsValue) -> Result<RuleList, Refusal> {
    const WHAT: &str = "the rules";
    let read = if value.is_string() {
        read_list(&text(value, WHAT)?)
    } else if Array::is_array(value) || (value.is_object() && !value.is_function()) {
        let json = JSON::stringify(value).ok().and_then(|text| text.as_string());
        let json = json.and_then(|text| serde_json::from_str(&text).ok());
        list_from_json(&json.ok_or_else(|| invalid(format!("{WHAT} are no plain values that JSON can hold")))?)
    } else {
        return Err(invalid(format!("expected an array for {WHAT}, found {}", described(value))));
    };
    read.map_err(|refusals| {
        let problem = |refusal: zonewright_firewall::Refusal| match refusal.pointer.as_str() {
            "" => invalid(refusal.message),
            pointer => invalid(format!("{pointer}: {}", refusal.message)),
        };
        refusals.into_iter().flat_map(problem).collect()
    })
}

fn invalid(message: String) -> Refusal {
    let with_code = |mut diagnostic: zonewright_diagnostic::Diagnostic| {
        diagnostic.code = "invalid-rules";
        diagnostic
    };
    wrong(message).into_iter().map(with_code).collect()
}
