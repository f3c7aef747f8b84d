//! Reads the arguments of the migration functions.
//!
//! Documents are only parsed as JSON here. [`crate::convert::migration`] validates their content, because its errors
//! have JSON pointers.

use super::{
    ArgumentErrors, DocumentResult, describe_type, invalid_option_error, parse_document, read_boolean, read_document,
    read_enum_value, read_json_text, read_members, read_request, stringify,
};
use js_sys::Array;
use wasm_bindgen::JsValue;
use zonewright_expression::Record;
use zonewright_expression::schema::Tier;
use zonewright_migration::{MigrationPhase, ReportFormat};

const OPTIONS_LABEL: &str = "the options";
const FORMATS: [(&str, ReportFormat); 2] = [("markdown", ReportFormat::Markdown), ("html", ReportFormat::Html)];

/// Parses the configuration of a zone.
pub(crate) fn config_document(value: &JsValue) -> Result<DocumentResult, ArgumentErrors> {
    read_document(value, "the configuration")
}

/// Parses firewall rules: an array, an envelope with one, or the JSON text of either.
pub(crate) fn rules_document(value: &JsValue) -> Result<DocumentResult, ArgumentErrors> {
    const LABEL: &str = "the rules";
    let text = if Array::is_array(value) { stringify(value, LABEL) } else { read_json_text(value, LABEL) };
    text.map(|text| parse_document(&text))
}

/// Parses a new entry point.
pub(crate) fn ruleset_document(value: &JsValue) -> Result<DocumentResult, ArgumentErrors> {
    read_document(value, "the ruleset")
}

/// Parses the current entry point, if there is one.
pub(crate) fn current_document(value: &JsValue) -> Result<Option<DocumentResult>, ArgumentErrors> {
    let is_missing = value.is_null() || value.is_undefined();
    if is_missing { Ok(None) } else { read_document(value, "the current ruleset").map(Some) }
}

/// Reads the option `plan`, which takes precedence over the configuration.
pub(crate) fn plan_option(value: &JsValue) -> Result<Option<Tier>, ArgumentErrors> {
    let mut plan = None;
    read_members(value, OPTIONS_LABEL, &["plan"], |_, value| set_plan(&mut plan, value))?;
    Ok(plan)
}

/// Reads the options of `check`.
pub(crate) fn check_options(value: &JsValue) -> Result<(Option<Tier>, MigrationPhase), ArgumentErrors> {
    let (mut plan, mut phase) = (None, MigrationPhase::Two);
    read_members(value, OPTIONS_LABEL, &["plan", "phaseOne"], |name, value| match name {
        "plan" => set_plan(&mut plan, value),
        _ => {
            let is_phase_one = read_boolean(value, "the option `phaseOne`")?;
            phase = if is_phase_one { MigrationPhase::One } else { MigrationPhase::Two };
            Ok(())
        }
    })?;
    Ok((plan, phase))
}

/// Reads the options of `report`.
pub(crate) fn report_options(value: &JsValue) -> Result<(Option<Tier>, ReportFormat), ArgumentErrors> {
    let (mut plan, mut format) = (None, ReportFormat::Markdown);
    read_members(value, OPTIONS_LABEL, &["plan", "format"], |name, value| match name {
        "plan" => set_plan(&mut plan, value),
        _ => read_enum_value("the option `format`", value, FORMATS).map(|choice| format = choice),
    })?;
    Ok((plan, format))
}

/// Reads the options of `simulate`: the plan, and a new entry point that replaces the planned one.
pub(crate) fn simulate_options(value: &JsValue) -> Result<(Option<Tier>, Option<DocumentResult>), ArgumentErrors> {
    let (mut plan, mut new) = (None, None);
    read_members(value, OPTIONS_LABEL, &["plan", "ruleset"], |name, value| match name {
        "plan" => set_plan(&mut plan, value),
        _ => ruleset_document(value).map(|read| new = Some(read)),
    })?;
    Ok((plan, new))
}

fn set_plan(plan: &mut Option<Tier>, value: &JsValue) -> Result<(), ArgumentErrors> {
    read_enum_value("the option `plan`", value, Tier::ALL.map(|tier| (tier.name(), tier)))
        .map(|read| *plan = Some(read))
}

/// A record, with notes about what was assumed or ignored.
pub(crate) type Request = (Record, Vec<String>);

/// Reads sample requests. Errors have the index of their read_request, or `None` for the whole argument.
pub(crate) fn sample_requests(value: &JsValue) -> Result<Vec<Request>, Vec<(Option<usize>, ArgumentErrors)>> {
    if !Array::is_array(value) {
        let message = format!("expected an array for the requests, found {}", describe_type(value));
        return Err(vec![(None, invalid_option_error(message))]);
    }
    let (mut requests, mut errors) = (Vec::new(), Vec::new());
    for (index, value) in Array::from(value).iter().enumerate() {
        match read_request(&value) {
            Ok(request) => requests.push(request),
            Err(request_errors) => errors.push((Some(index), request_errors)),
        }
    }
    if errors.is_empty() { Ok(requests) } else { Err(errors) }
}
