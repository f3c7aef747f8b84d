//! The verbs of the part `evaluate`: evaluation of an expression, sample requests, and test files.

use crate::arguments::sample::read_sample_form;
use crate::arguments::{options, read_record};
use crate::call::{Call, respond, with_source, zip_results};
use crate::convert::sample::sample_result;
use crate::convert::{cases, evaluation};
use wasm_bindgen::JsValue;
use zonewright_expression as engine;

/// Calls a verb of this part.
pub(crate) fn run(call: &mut Call) {
    call.result = match call.verb.as_str() {
        "evaluate" => evaluate(call.next_argument(), call.next_argument(), call.next_argument()),
        "sample" => sample(call.next_argument(), call.next_argument(), call.next_argument()),
        "test" => test(call.next_argument(), call.next_argument()),
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

/// Runs the tests of a test file.
fn test(source_value: JsValue, options_value: JsValue) -> JsValue {
    respond(with_source(&source_value, options::test_options(&options_value)), |source, options| {
        let mut read_file = |name: &str| {
            let text = options.files.get(name).ok_or_else(|| "no such file".to_owned())?;
            // The final line break of a file is not part of its expression.
            let text = text.strip_suffix('\n').map_or(text.as_str(), |text| text.strip_suffix('\r').unwrap_or(text));
            Ok(text.to_owned())
        };
        let report = zonewright_cases::run_tests(source, &mut read_file);
        let name = options.name.as_deref().unwrap_or("tests");
        let junit = options.junit.then(|| zonewright_cases::to_junit_xml([(name, &report)]));
        cases::test_result(source, &report, junit)
    })
}
