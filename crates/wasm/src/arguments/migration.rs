//! Reads the arguments of the migration functions.
//!
//! Documents are only parsed as JSON here. [`crate::convert::migration`] validates their content, because its errors
//! have JSON pointers.

use super::request_text::{Request, SampleRequests, read_request_text, request_name};
use super::{
    ArgumentErrors, DocumentResult, describe_type, invalid_option_error, read_array_or_document, read_boolean,
    read_document, read_enum_value, read_members, read_non_negative_integer, read_request, read_text,
};
use js_sys::Array;
use wasm_bindgen::JsValue;
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
    read_array_or_document(value, "the rules")
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

/// The options of `simulate`.
pub(crate) struct SimulateOptions {
    pub(crate) plan: Option<Tier>,
    /// A new entry point that replaces the planned one.
    pub(crate) ruleset: Option<DocumentResult>,
    /// The maximum number of requests.
    pub(crate) limit: usize,
}

/// Reads the options of `simulate`.
pub(crate) fn simulate_options(value: &JsValue) -> Result<SimulateOptions, ArgumentErrors> {
    let mut options = SimulateOptions { plan: None, ruleset: None, limit: usize::MAX };
    read_members(value, OPTIONS_LABEL, &["plan", "ruleset", "limit"], |name, value| match name {
        "plan" => set_plan(&mut options.plan, value),
        "limit" => read_non_negative_integer(value, "the option `limit`")
            .map(|limit| options.limit = usize::try_from(limit).unwrap_or(usize::MAX)),
        _ => ruleset_document(value).map(|read| options.ruleset = Some(read)),
    })?;
    Ok(options)
}

fn set_plan(plan: &mut Option<Tier>, value: &JsValue) -> Result<(), ArgumentErrors> {
    read_enum_value("the option `plan`", value, Tier::ALL.map(|tier| (tier.name(), tier)))
        .map(|read| *plan = Some(read))
}

/// Errors of sample requests, each with the index of its request, or `None` for the whole argument.
pub(crate) type RequestErrors = Vec<(Option<usize>, ArgumentErrors)>;

/// Reads sample requests from an array or a text. In an array, every request must be valid.
pub(crate) fn sample_requests(value: &JsValue, limit: usize) -> Result<SampleRequests, RequestErrors> {
    if value.is_string() {
        let text = read_text(value, "the requests").map_err(|errors| vec![(None, errors)])?;
        return Ok(read_request_text(text, limit));
    }
    if !Array::is_array(value) {
        let message = format!("expected an array or a string for the requests, found {}", describe_type(value));
        return Err(vec![(None, invalid_option_error(message))]);
    }
    let values = Array::from(value);
    let (mut requests, mut errors) = (SampleRequests::default(), Vec::new());
    for (index, value) in values.iter().enumerate().take(limit) {
        match read_request(&value) {
            Ok((record, notes)) => {
                let name = value.as_string().map(|text| request_name(text.trim())).unwrap_or_default();
                requests.requests.push(Request { name, record, notes });
            }
            Err(request_errors) => errors.push((Some(index), request_errors)),
        }
    }
    requests.omitted = (values.length() as usize).saturating_sub(limit);
    if errors.is_empty() { Ok(requests) } else { Err(errors) }
}
