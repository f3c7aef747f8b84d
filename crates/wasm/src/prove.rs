//! The verbs of the part `prove`: relations of expressions, and rules that never fire.

use crate::arguments::migration::ruleset_document;
use crate::arguments::{ArgumentErrors, options, read_rules};
use crate::call::{Call, respond, to_js, with_source, without_source, zip_results};
use crate::convert::migration::managed_rules_result;
use crate::convert::{self, evaluation};
use crate::types;
use wasm_bindgen::JsValue;
use zonewright_equivalence::{self as equivalence, Budget};
use zonewright_expression::{self as engine, Options, Program};

/// Calls a verb of this part.
pub(crate) fn run(call: &mut Call) {
    call.result = match call.verb.as_str() {
        "equivalent" => equivalent(call.next_argument(), call.next_argument(), call.next_argument()),
        "subsumes" => subsumes(call.next_argument(), call.next_argument(), call.next_argument()),
        "satisfiable" => satisfiable(call.next_argument(), call.next_argument()),
        "runsManagedRules" => runs_managed_rules(call.next_argument()),
        "neverFires" => never_fires(call.next_argument(), call.next_argument()),
        _ => return,
    };
}

/// Decides whether two expressions are true for the same requests.
fn equivalent(first: JsValue, second: JsValue, options_value: JsValue) -> JsValue {
    to_js(compare_sources(&first, &second, &options_value, equivalence::equivalent))
}

/// Decides whether the first expression is true whenever the second is.
fn subsumes(general: JsValue, special: JsValue, options_value: JsValue) -> JsValue {
    to_js(compare_sources(&general, &special, &options_value, equivalence::subsumes))
}

/// Decides whether an expression is true for any request.
fn satisfiable(source_value: JsValue, options_value: JsValue) -> JsValue {
    respond(with_source(&source_value, options::equivalence_options(&options_value)), |source, (options, budget)| {
        evaluation::satisfiable_result(source, &engine::check(source, &options), &options, &budget)
    })
}

/// Finds the rules of an ordered list that can never fire.
fn never_fires(rules_value: JsValue, options_value: JsValue) -> JsValue {
    to_js(match zip_results(read_rules(&rules_value), options::equivalence_options(&options_value)) {
        Ok((list, (options, budget))) => convert::never_fires::never_fires_result(list, &options, &budget),
        Err(errors) => convert::never_fires::error_result(&errors),
    })
}

/// Decides whether an entry point executes a managed ruleset for any request.
fn runs_managed_rules(ruleset_value: JsValue) -> JsValue {
    respond(without_source(ruleset_document(&ruleset_value)), |_, ruleset| managed_rules_result(ruleset))
}

/// A relation of two expressions that the solver decides.
type Relation = fn(&Program, &Program, &Budget) -> equivalence::Verdict;

/// Decides a relation of two sources. Errors in the options are reported for the first source.
fn compare_sources(
    first: &JsValue,
    second: &JsValue,
    options_value: &JsValue,
    relation: Relation,
) -> types::EquivalenceResult {
    let first = with_source(first, options::equivalence_options(options_value));
    let second = with_source(second, Ok(()));
    let (first, second, options, budget) = match (first, second) {
        (Ok((first, (options, budget))), Ok((second, ()))) => (first, second, options, budget),
        (first, second) => {
            let to_source_and_errors = |call: Result<String, (String, ArgumentErrors)>| {
                call.map_or_else(|errors| errors, |source| (source, Vec::new()))
            };
            let first = to_source_and_errors(first.map(|(source, _)| source));
            let second = to_source_and_errors(second.map(|(source, ())| source));
            let diagnostics = evaluation::pair_diagnostics((&first.0, &first.1), (&second.0, &second.1));
            return types::EquivalenceResult { diagnostics, ..types::EquivalenceResult::default() };
        }
    };
    compare_checked((&first, &second), &options, &budget, relation)
}

/// Checks two sources and decides a relation of their programs.
fn compare_checked(
    (first, second): (&str, &str),
    options: &Options,
    budget: &Budget,
    relation: Relation,
) -> types::EquivalenceResult {
    let (left, right) = (engine::check(first, options), engine::check(second, options));
    let diagnostics = evaluation::pair_diagnostics((first, &left.diagnostics), (second, &right.diagnostics));
    match (left.program, right.program) {
        (Some(left), Some(right)) => {
            evaluation::equivalence_result(relation(&left, &right, budget), [first, second], options, diagnostics)
        }
        _ => types::EquivalenceResult { diagnostics, ..types::EquivalenceResult::default() },
    }
}
