//! The verbs of the part `evaluate`: evaluation of an expression, and sample requests.

use crate::arguments::sample::read_sample_form;
use crate::arguments::{options, read_record};
use crate::call::{Call, respond, with_source, zip_results};
use crate::convert::evaluation;
use crate::convert::sample::sample_result;
use wasm_bindgen::JsValue;
use zonewright_expression as engine;

/// Calls a verb of this part.
pub(crate) fn run(call: &mut Call) {
    call.result = match call.verb.as_str() {
        "evaluate" => evaluate(call.next_argument(), call.next_argument(), call.next_argument()),
        "sample" => sample(call.next_argument(), call.next_argument(), call.next_argument()),
        _ => return,
    };
}

/// Evaluates an expression for a request.
fn evaluate(source_value: JsValue, record_value: JsValue, options_value: JsValue) -> JsValue {
    let arguments = zip_results(read_record(&record_value), options::evaluate_options(&options_value));
    respond(with_source(&source_value, arguments), |source, ((record, notes), (options, trace))| {
        evaluation::evaluate_result(source, &engine::check(source, &options), &record, notes, trace)
    })
}

/// Evaluates an expression for a sample request that a user enters in a form.
fn sample(source_value: JsValue, form_value: JsValue, options_value: JsValue) -> JsValue {
    let arguments = zip_results(read_sample_form(&form_value), options::base_options(&options_value));
    respond(with_source(&source_value, arguments), |source, (form, options)| sample_result(source, &form, &options))
}
