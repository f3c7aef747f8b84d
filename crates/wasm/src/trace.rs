//! The verb of the part `trace`: a request on its way through all rules of a zone.

use crate::arguments::{read_array_or_document, read_request};
use crate::call::{Call, respond, without_source, zip_results};
use crate::convert::trace::zone_trace_result;
use wasm_bindgen::JsValue;

/// Calls a verb of this part.
pub(crate) fn run(call: &mut Call) {
    if call.verb == "traceZone" {
        call.result = trace_zone(call.next_argument(), call.next_argument());
    }
}

/// Traces a request through all rules of a zone.
fn trace_zone(zone: JsValue, request: JsValue) -> JsValue {
    let arguments = zip_results(read_array_or_document(&zone, "the zone"), read_request(&request));
    respond(without_source(arguments), |_, (zone, (record, notes))| zone_trace_result(zone, record, notes))
}
