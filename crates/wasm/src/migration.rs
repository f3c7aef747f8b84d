//! The verbs of the part `migration`.

use crate::arguments::migration::{
    check_options, config_document, current_document, plan_option, report_options, rules_document, ruleset_document,
    sample_requests, simulate_options,
};
use crate::call::{Call, respond, to_js, without_source, zip_results};
use crate::convert::migration as results;
use wasm_bindgen::JsValue;

/// Calls a verb of this part.
pub(crate) fn run(call: &mut Call) {
    call.result = match call.verb.as_str() {
        "plan" => plan(call.next_argument(), call.next_argument()),
        "check" => check(call.next_argument(), call.next_argument()),
        "report" => report(call.next_argument(), call.next_argument()),
        "convert" => convert(call.next_argument(), call.next_argument()),
        "diff" => diff(call.next_argument(), call.next_argument()),
        "checkRuleset" => check_ruleset(call.next_argument(), call.next_argument()),
        "simulate" => simulate(call.next_argument(), call.next_argument(), call.next_argument()),
        _ => return,
    };
}

/// Plans the migration of a zone: one finding for each setting, and the new entry point.
fn plan(config: JsValue, options: JsValue) -> JsValue {
    let arguments = zip_results(config_document(&config), plan_option(&options));
    respond(without_source(arguments), |_, (config, plan)| results::plan_result(config, plan))
}

/// Checks whether a zone can migrate, and finds the settings that block it.
fn check(config: JsValue, options: JsValue) -> JsValue {
    let arguments = zip_results(config_document(&config), check_options(&options));
    respond(without_source(arguments), |_, (config, (plan, phase))| results::check_result(config, plan, phase))
}

/// Renders the plan as a report.
fn report(config: JsValue, options: JsValue) -> JsValue {
    let arguments = zip_results(config_document(&config), report_options(&options));
    respond(without_source(arguments), |_, (config, (plan, format))| results::report_result(config, plan, format))
}

/// Converts firewall rules to custom rules of a ruleset.
fn convert(rules: JsValue, options: JsValue) -> JsValue {
    let arguments = zip_results(rules_document(&rules), plan_option(&options));
    respond(without_source(arguments), |_, (rules, plan)| results::convert_result(&rules, plan))
}

/// Compares a new entry point with the current one.
fn diff(current: JsValue, ruleset: JsValue) -> JsValue {
    let arguments = zip_results(current_document(&current), ruleset_document(&ruleset));
    respond(without_source(arguments), |_, (current, new)| results::diff_result(current, new))
}

/// Validates a new entry point, as the service validates the body of its update.
fn check_ruleset(ruleset: JsValue, options: JsValue) -> JsValue {
    let arguments = zip_results(ruleset_document(&ruleset), plan_option(&options));
    respond(without_source(arguments), |_, (ruleset, plan)| results::ruleset_result(ruleset, plan))
}

/// Simulates sample requests before and after the migration.
fn simulate(config: JsValue, requests: JsValue, options: JsValue) -> JsValue {
    let options = simulate_options(&options);
    let limit = options.as_ref().map_or(usize::MAX, |options| options.limit);
    let call = zip_results(config_document(&config), options);
    to_js(match (call, sample_requests(&requests, limit)) {
        (Ok((config, options)), Ok(requests)) => results::simulate_result(config, options, requests),
        (call, requests) => {
            let call_errors = call.err().map(|errors| (None, errors));
            results::error_result(call_errors.into_iter().chain(requests.err().unwrap_or_default()))
        }
    })
}
