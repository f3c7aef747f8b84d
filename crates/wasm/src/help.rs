//! The verbs of the part `help`: the explanation, completions, and descriptions of a text, and the schema.

use crate::arguments::options;
use crate::call::{Call, respond, to_js, with_offset, with_source};
use crate::convert::{self, text};
use wasm_bindgen::JsValue;
use zonewright_expression as engine;

/// Calls a verb of this part.
pub(crate) fn run(call: &mut Call) {
    call.result = match call.verb.as_str() {
        "explain" => explain(call.next_argument(), call.next_argument()),
        "schema" => schema(),
        "complete" => complete(call.next_argument(), call.next_argument(), call.next_argument()),
        "hover" => hover(call.next_argument(), call.next_argument(), call.next_argument()),
        "signature" => signature(call.next_argument(), call.next_argument()),
        _ => return,
    };
}

/// Explains an expression in plain English.
fn explain(source_value: JsValue, options_value: JsValue) -> JsValue {
    respond(with_source(&source_value, options::base_options(&options_value)), |source, options| {
        text::explain_result(source, engine::explain(source, &options))
    })
}

/// Returns the fields, functions, operators, phases and plans of the language as data.
fn schema() -> JsValue {
    to_js(convert::schema::schema())
}

/// Completes an expression at an offset.
fn complete(source_value: JsValue, offset_value: JsValue, options_value: JsValue) -> JsValue {
    respond(
        with_offset(&source_value, &offset_value, options::base_options(&options_value)),
        |source, (offset, options)| convert::completions(source, &engine::complete(source, offset, &options)),
    )
}

/// Describes the token at an offset of an expression.
fn hover(source_value: JsValue, offset_value: JsValue, options_value: JsValue) -> JsValue {
    respond(
        with_offset(&source_value, &offset_value, options::base_options(&options_value)),
        |source, (offset, options)| convert::hover_result(source, engine::hover(source, offset, &options)),
    )
}

/// Describes the innermost call around an offset of an expression.
fn signature(source_value: JsValue, offset_value: JsValue) -> JsValue {
    respond(with_offset(&source_value, &offset_value, Ok(())), |source, (offset, ())| {
        convert::signature(source, engine::signature(source, offset))
    })
}
