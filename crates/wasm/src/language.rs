//! The verbs of the language part, which every program loads: check, analyze, fix, and format.

use crate::arguments::options;
use crate::call::{Call, respond, with_source};
use crate::convert::{self, text};
use wasm_bindgen::JsValue;
use zonewright_expression as engine;

/// Calls a verb of this part.
pub(crate) fn run(call: &mut Call) {
    call.result = match call.verb.as_str() {
        "check" => check(call.next_argument(), call.next_argument()),
        "analyze" => analyze(call.next_argument(), call.next_argument()),
        "fix" => fix(call.next_argument(), call.next_argument()),
        "format" => format(call.next_argument(), call.next_argument()),
        _ => return,
    };
}

/// Checks an expression and infers its type.
fn check(source_value: JsValue, options_value: JsValue) -> JsValue {
    respond(with_source(&source_value, options::lint_options(&options_value)), |source, options| {
        convert::check_result(source, &engine::check(source, &options))
    })
}

/// Analyzes an expression for an editor: diagnostics, tokens and usage of the limits.
fn analyze(source_value: JsValue, options_value: JsValue) -> JsValue {
    respond(with_source(&source_value, options::lint_options(&options_value)), |source, options| {
        convert::analysis(source, &engine::analyze(source, &options))
    })
}

/// Applies all safe fixes to an expression.
fn fix(source_value: JsValue, options_value: JsValue) -> JsValue {
    respond(with_source(&source_value, options::lint_options(&options_value)), |source, options| {
        text::fix_result(source, &options)
    })
}

/// Formats an expression.
fn format(source_value: JsValue, options_value: JsValue) -> JsValue {
    respond(with_source(&source_value, options::format_options(&options_value)), |source, options| {
        text::format_result(source, &options)
    })
}
