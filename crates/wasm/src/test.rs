//! The verb of the part `test`: test files.

use crate::arguments::options;
use crate::call::{Call, respond, with_source};
use crate::convert::cases;
use wasm_bindgen::JsValue;

/// Calls a verb of this part.
pub(crate) fn run(call: &mut Call) {
    if call.verb == "test" {
        call.result = test(call.next_argument(), call.next_argument());
    }
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
