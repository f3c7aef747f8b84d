//! Runs the migration functions and converts their results.
//!
//! If a document has validation errors, only `errors` of the result is set.

use super::{diagnostics, validation_error};
use crate::arguments::migration::{RequestErrors, SimulateOptions};
use crate::arguments::request_text::SampleRequests;
use crate::arguments::{ArgumentErrors, DocumentResult};
use crate::types::{self, RawJsValue};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use wasm_bindgen::JsValue;
use zonewright_api::firewall::FirewallRule;
use zonewright_api::ruleset::{EntryPoint, Ruleset};
use zonewright_api::{ValidationError, describe_value};
use zonewright_expression::schema::Tier;
use zonewright_migration::{
    self as engine, ChangeKind, MigrationPhase, ReportFormat, Ternary, ValidationWarning, ZoneConfig, read_config,
};

type ValidationErrors = Vec<types::ValidationError>;

pub(crate) fn plan_result(config: DocumentResult, plan: Option<Tier>) -> types::PlanResult {
    match read_zone_config(config, plan) {
        Ok(config) => {
            let plan = engine::plan(&config);
            types::PlanResult {
                compatible: engine::check_eligibility(&config, MigrationPhase::Two).is_empty(),
                ruleset: Some(plan.entry_point),
                findings: plan.findings,
                warnings: plan.warnings,
                ..types::PlanResult::default()
            }
        }
        Err(errors) => types::PlanResult { errors, ..types::PlanResult::default() },
    }
}

pub(crate) fn check_result(
    config: DocumentResult,
    plan: Option<Tier>,
    phase: MigrationPhase,
) -> types::ZoneCheckResult {
    match read_zone_config(config, plan) {
        Ok(config) => {
            let mut findings = engine::check_eligibility(&config, phase);
            let compatible = findings.is_empty();
            findings.extend(engine::support_findings(&config));
            let warnings = engine::entry_point_warnings(&config);
            types::ZoneCheckResult { compatible, findings, warnings, ..types::ZoneCheckResult::default() }
        }
        Err(errors) => types::ZoneCheckResult { errors, ..types::ZoneCheckResult::default() },
    }
}

pub(crate) fn report_result(config: DocumentResult, plan: Option<Tier>, format: ReportFormat) -> types::ReportResult {
    match read_zone_config(config, plan) {
        Ok(config) => {
            let text = engine::render_report(&config, &engine::plan(&config), format);
            types::ReportResult { text: Some(text), ..types::ReportResult::default() }
        }
        Err(errors) => types::ReportResult { errors, ..types::ReportResult::default() },
    }
}

pub(crate) fn convert_result(rules: &DocumentResult, plan: Option<Tier>) -> types::RuleConvertResult {
    let rules = rules.as_ref().map_err(|error| vec![validation_error(error)]);
    let rules = rules.map(|rules| unwrap_envelope(rules, ""));
    match rules.and_then(|(rules, pointer)| read_items::<FirewallRule>(rules, &pointer)) {
        Ok(rules) => {
            let converted = zonewright_firewall::convert(&rules, plan.unwrap_or(Tier::Enterprise));
            types::RuleConvertResult {
                rules: Some(converted.rules),
                findings: converted.findings,
                ..types::RuleConvertResult::default()
            }
        }
        Err(errors) => types::RuleConvertResult { errors, ..types::RuleConvertResult::default() },
    }
}

pub(crate) fn diff_result(current: Option<DocumentResult>, new: DocumentResult) -> types::DiffResult {
    let read_current = |document| {
        let document = prefix_pointer(document, "/current")?;
        let (value, pointer) = unwrap_envelope(&document, "/current");
        read_item(value, &pointer)
    };
    let current: Result<Option<Ruleset>, _> = current.map(read_current).transpose();
    match (current, read_entry_point(new)) {
        (Ok(current), Ok(new)) => {
            let changes = engine::diff(current.as_ref(), &new).into_iter().map(convert_change).collect();
            let warnings = current.iter().flat_map(|current| unlisted_warnings(current, "/current"));
            let warnings = warnings.chain(unlisted_warnings(&new, "/ruleset")).collect();
            types::DiffResult { changes: Some(changes), warnings, ..types::DiffResult::default() }
        }
        (current, new) => {
            let errors = current.err().map(|error| validation_error(&error)).into_iter();
            let errors = errors.chain(new.err().unwrap_or_default()).collect();
            types::DiffResult { errors, ..types::DiffResult::default() }
        }
    }
}

fn convert_change(change: engine::Change) -> types::Change {
    let kind = match change.kind {
        ChangeKind::Added => "added",
        ChangeKind::Removed => "removed",
        ChangeKind::Changed => "changed",
        ChangeKind::Moved => "moved",
    };
    types::Change { kind, from: change.from, to: change.to, members: change.members }
}

pub(crate) fn managed_rules_result(ruleset: DocumentResult) -> types::ManagedRulesResult {
    match read_entry_point(ruleset) {
        Ok(entry_point) => {
            let runs = Some(engine::executes_managed_ruleset(&entry_point.rules));
            types::ManagedRulesResult { runs, ..types::ManagedRulesResult::default() }
        }
        Err(errors) => types::ManagedRulesResult { errors, ..types::ManagedRulesResult::default() },
    }
}

/// Validates the body of an update of the entry point.
pub(crate) fn ruleset_result(ruleset: DocumentResult, plan: Option<Tier>) -> types::RulesetCheckResult {
    let body = match prefix_pointer(ruleset, "/ruleset") {
        Ok(body) => body,
        Err(error) => {
            return types::RulesetCheckResult { errors: vec![validation_error(&error)], ..Default::default() };
        }
    };
    let read = engine::read::read_entry_point(&body, plan.unwrap_or(Tier::Enterprise));
    let warnings = unlisted_warnings(&body, "/ruleset");
    match read {
        Ok(entry_point) => types::RulesetCheckResult { ruleset: Some(entry_point), warnings, ..Default::default() },
        Err(errors) => {
            let errors = errors.into_iter().map(|error| validation_error(&error.with_pointer_prefix("/ruleset")));
            types::RulesetCheckResult { errors: errors.collect(), warnings, ..Default::default() }
        }
    }
}

/// Simulates requests with the new entry point, or with the planned one if there is none.
pub(crate) fn simulate_result(
    config: DocumentResult,
    options: SimulateOptions,
    requests: SampleRequests,
) -> types::SimulateResult {
    let SimulateOptions { plan, ruleset, .. } = options;
    let (config, new) = match (read_zone_config(config, plan), ruleset.map(read_entry_point).transpose()) {
        (Ok(config), Ok(new)) => (config, new),
        (config, new) => {
            let errors = config.err().into_iter().chain(new.err()).flatten().collect();
            return types::SimulateResult { errors, ..types::SimulateResult::default() };
        }
    };
    let new_warnings = new.iter().flat_map(|new| unlisted_warnings(new, "/ruleset"));
    let warnings = engine::entry_point_warnings(&config).into_iter().chain(new_warnings).collect();
    let new = new.unwrap_or_else(|| engine::plan(&config).entry_point);
    let SampleRequests { requests, omitted, text, errors: unread } = requests;
    let (records, notes): (Vec<_>, Vec<_>) =
        requests.into_iter().map(|request| ((request.name, request.record), request.notes)).unzip();
    let comparisons = engine::simulate(&config, &new, &records).into_iter().zip(notes);
    let requests = comparisons.map(|(comparison, notes)| types::RequestComparison {
        differs: runs_to_js(comparison.differs()),
        name: comparison.name,
        before: convert_waf_result(comparison.before),
        after: convert_waf_result(comparison.after),
        notes,
    });
    types::SimulateResult {
        requests: Some(requests.collect()),
        omitted,
        warnings,
        errors: Vec::new(),
        diagnostics: request_diagnostics(None, &text, &unread).collect(),
    }
}

/// Returns warnings about the rules and categories that a ruleset names and the catalog does not list.
fn unlisted_warnings(ruleset: &impl Serialize, prefix: &str) -> Vec<ValidationWarning> {
    engine::unlisted_references(&json!(ruleset))
        .into_iter()
        .map(|warning| warning.with_pointer_prefix(prefix))
        .collect()
}

fn convert_waf_result(result: engine::WafResult) -> types::ManagedRulesStatus {
    types::ManagedRulesStatus {
        managed: runs_to_js(result.managed),
        core: runs_to_js(result.core),
        decided_by: result.decided_by,
    }
}

fn runs_to_js(runs: Ternary) -> RawJsValue {
    RawJsValue(match runs {
        Ternary::Yes => JsValue::TRUE,
        Ternary::No => JsValue::FALSE,
        Ternary::Unknown => JsValue::from_str("unknown"),
    })
}

/// Returns the result of `simulate` for a call with argument errors, each with the index of its request.
pub(crate) fn error_result(errors: impl Iterator<Item = (Option<usize>, ArgumentErrors)>) -> types::SimulateResult {
    let errors: RequestErrors = errors.collect();
    let diagnostics = errors.iter().flat_map(|(request, errors)| request_diagnostics(*request, "", errors)).collect();
    types::SimulateResult { diagnostics, ..types::SimulateResult::default() }
}

fn request_diagnostics(
    request: Option<usize>,
    text: &str,
    errors: &ArgumentErrors,
) -> impl Iterator<Item = types::RequestDiagnostic> {
    diagnostics(text, errors).into_iter().map(move |diagnostic| types::RequestDiagnostic { request, diagnostic })
}

/// Reads the configuration. The option `plan` takes precedence over its plan.
fn read_zone_config(config: DocumentResult, plan: Option<Tier>) -> Result<ZoneConfig, ValidationErrors> {
    let mut config = config.map_err(|error| vec![validation_error(&error)])?;
    if let (Some(plan), Json::Object(members)) = (plan, &mut config) {
        members.insert("plan".to_owned(), plan.name().into());
    }
    read_config(&config).map_err(|errors| errors.iter().map(validation_error).collect())
}

/// Reads a new entry point. The JSON pointers of its errors begin with `/ruleset`.
fn read_entry_point(new: DocumentResult) -> Result<EntryPoint, ValidationErrors> {
    let new = prefix_pointer(new, "/ruleset").map_err(|error| vec![validation_error(&error)])?;
    let (value, pointer) = unwrap_envelope(&new, "/ruleset");
    // Rules are read one by one first, so that each error points to its rule.
    if let Some(rules) = value.get("rules") {
        read_items::<zonewright_api::ruleset::RulesetRule>(rules, &format!("{pointer}/rules"))?;
    }
    read_item(value, &pointer).map_err(|error| vec![validation_error(&error)])
}

fn read_items<T: for<'a> Deserialize<'a>>(value: &Json, pointer: &str) -> Result<Vec<T>, ValidationErrors> {
    let Json::Array(values) = value else {
        let message = format!("must be an array, not {}", describe_value(value));
        return Err(vec![validation_error(&ValidationError::invalid_shape(pointer, message))]);
    };
    let (mut items, mut errors) = (Vec::with_capacity(values.len()), Vec::new());
    for (index, value) in values.iter().enumerate() {
        match read_item(value, &format!("{pointer}/{index}")) {
            Ok(item) => items.push(item),
            Err(error) => errors.push(validation_error(&error)),
        }
    }
    if errors.is_empty() { Ok(items) } else { Err(errors) }
}

fn read_item<T: for<'a> Deserialize<'a>>(value: &Json, pointer: &str) -> Result<T, ValidationError> {
    // Serde would accept an array as the members of an object in their order.
    let result = match value {
        Json::Object(_) => T::deserialize(value).map_err(|error| error.to_string()),
        other => Err(format!("must be an object, not {}", describe_value(other))),
    };
    result.map_err(|message| ValidationError::invalid_shape(pointer, message))
}

/// Prefixes the JSON pointer of an error with the name of the argument.
fn prefix_pointer(document: DocumentResult, prefix: &str) -> DocumentResult {
    document.map_err(|error| error.with_pointer_prefix(prefix))
}

/// Returns the `result` of an envelope, or the value itself, with the JSON pointer to it.
fn unwrap_envelope<'a>(value: &'a Json, pointer: &str) -> (&'a Json, String) {
    match value.get("result") {
        Some(result) => (result, format!("{pointer}/result")),
        None => (value, pointer.to_owned()),
    }
}
