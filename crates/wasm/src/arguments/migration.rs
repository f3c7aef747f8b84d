//! What the functions over migrations are given. That a document is JSON is seen here; what it says is read
//! behind, because mistakes in it have places of their own.

use super::{
    Document, Refusal, boolean, document, json, members, one_of, parsed, request, stringified, type_of, wrong,
};
use js_sys::Array;
use wasm_bindgen::JsValue;
use zonewright_expression::Record;
use zonewright_expression::schema::Tier;
use zonewright_migration::{Phase, ReportFormat};

const WHAT: &str = "the options";
const FORMATS: [(&str, ReportFormat); 2] = [("markdown", ReportFormat::Markdown), ("html", ReportFormat::Html)];

/// The configuration of a zone, not yet read.
pub(crate) fn config(value: &JsValue) -> Result<Document, Refusal> {
    document(value, "the configuration")
}

/// Firewall rules, not yet read: an array, an envelope with one, or the text of either.
pub(crate) fn rules(value: &JsValue) -> Result<Document, Refusal> {
    const WHAT: &str = "the rules";
    let text = if Array::is_array(value) { stringified(value, WHAT) } else { json(value, WHAT) };
    parsed(&text?, WHAT)
}

/// A new configuration.
pub(crate) fn ruleset(value: &JsValue) -> Result<Document, Refusal> {
    document(value, "the ruleset")
}

/// The present entry point, when there is one.
pub(crate) fn current(value: &JsValue) -> Result<Option<Document>, Refusal> {
    let none = value.is_null() || value.is_undefined();
    if none { Ok(None) } else { document(value, "the present ruleset").map(Some) }
}

/// The plan of the zone, when it is given beside the configuration.
pub(crate) fn plan(value: &JsValue) -> Result<Option<Tier>, Refusal> {
    let mut tier = None;
    members(value, WHAT, &["plan"], |_, value| set(&mut tier, value))?;
    Ok(tier)
}

/// Options of `check`.
pub(crate) fn check(value: &JsValue) -> Result<(Option<Tier>, Phase), Refusal> {
    let (mut tier, mut phase) = (None, Phase::Two);
    members(value, WHAT, &["plan", "phaseOne"], |name, value| match name {
        "plan" => set(&mut tier, value),
        _ => {
            let first = boolean(value, "the option `phaseOne`")?;
            phase = if first { Phase::One } else { Phase::Two };
            Ok(())
        }
    })?;
    Ok((tier, phase))
}

/// Options of `report`.
pub(crate) fn report(value: &JsValue) -> Result<(Option<Tier>, ReportFormat), Refusal> {
    let (mut tier, mut format) = (None, ReportFormat::Markdown);
    members(value, WHAT, &["plan", "format"], |name, value| match name {
        "plan" => set(&mut tier, value),
        _ => one_of("the option `format`", value, FORMATS).map(|one| format = one),
    })?;
    Ok((tier, format))
}

/// Options of `rehearse`: the plan, and a new configuration that is not the planned one.
pub(crate) fn rehearse(value: &JsValue) -> Result<(Option<Tier>, Option<Document>), Refusal> {
    let (mut tier, mut new) = (None, None);
    members(value, WHAT, &["plan", "ruleset"], |name, value| match name {
        "plan" => set(&mut tier, value),
        _ => ruleset(value).map(|read| new = Some(read)),
    })?;
    Ok((tier, new))
}

fn set(tier: &mut Option<Tier>, value: &JsValue) -> Result<(), Refusal> {
    one_of("the option `plan`", value, Tier::ALL.map(|one| (one.name(), one))).map(|read| *tier = Some(read))
}

/// A request, with what was assumed of it.
pub(crate) type Request = (Record, Vec<String>);

/// Sample requests, or what is wrong with them, each with its place.
pub(crate) fn requests(value: &JsValue) -> Result<Vec<Request>, Vec<(Option<usize>, Refusal)>> {
    if !Array::is_array(value) {
        let message = format!("expected an array for the requests, found {}", type_of(value));
        return Err(vec![(None, wrong(message))]);
    }
    let (mut read, mut wrong) = (Vec::new(), Vec::new());
    for (place, value) in Array::from(value).iter().enumerate() {
        match request(&value) {
            Ok(request) => read.push(request),
            Err(refusal) => wrong.push((Some(place), refusal)),
        }
    }
    if wrong.is_empty() { Ok(read) } else { Err(wrong) }
}
