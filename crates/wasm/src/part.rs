//! The parts of the engine: the functions that JavaScript calls, one for each part.
//!
//! The main module has the language part. `wasm-split-cli` moves the code of each other part to separate files. It cuts
//! at a pair of an import and an export: the import stays in the main module, and everything that only the export
//! reaches moves to the files of the part. The tool recognizes a pair by its names, which contain the part and 32
//! hexadecimal digits.
//!
//! Invariant: JavaScript loads a part before it calls a verb of it. A call of a missing part traps.

#![allow(unsafe_code, reason = "an import is unsafe to declare; the export of the same signature replaces it")]

use crate::call::Call;
use crate::{evaluate, help, language, logpush, migration, prove, test, trace};
use wasm_bindgen::prelude::*;

/// Calls a verb of the language part.
#[wasm_bindgen(js_name = language)]
pub fn call_language(verb: String, arguments: Vec<JsValue>) -> JsValue {
    let mut call = Call::new(verb, arguments);
    language::run(&mut call);
    call.result
}

macro_rules! loadable_part {
    ($part:ident, $function:ident, $import:ident, $export:ident) => {
        #[link(wasm_import_module = "__wasm_split_placeholder__")]
        unsafe extern "C" {
            #[allow(improper_ctypes, reason = "both sides are this module")]
            safe fn $import(call: &mut Call);
        }

        #[unsafe(no_mangle)]
        #[allow(improper_ctypes_definitions, reason = "both sides are this module")]
        extern "C" fn $export(call: &mut Call) {
            $part::run(call);
        }

        /// Calls a verb of this part, which JavaScript has loaded.
        #[wasm_bindgen(js_name = $part)]
        pub fn $function(verb: String, arguments: Vec<JsValue>) -> JsValue {
            let mut call = Call::new(verb, arguments);
            $import(&mut call);
            call.result
        }
    };
}

loadable_part!(
    help,
    call_help,
    __wasm_split_00help00_import_00000000000000000000000000000001,
    __wasm_split_00help00_export_00000000000000000000000000000001
);
loadable_part!(
    evaluate,
    call_evaluate,
    __wasm_split_00evaluate00_import_00000000000000000000000000000002,
    __wasm_split_00evaluate00_export_00000000000000000000000000000002
);
loadable_part!(
    test,
    call_test,
    __wasm_split_00test00_import_00000000000000000000000000000003,
    __wasm_split_00test00_export_00000000000000000000000000000003
);
loadable_part!(
    prove,
    call_prove,
    __wasm_split_00prove00_import_00000000000000000000000000000004,
    __wasm_split_00prove00_export_00000000000000000000000000000004
);
loadable_part!(
    logpush,
    call_logpush,
    __wasm_split_00logpush00_import_00000000000000000000000000000005,
    __wasm_split_00logpush00_export_00000000000000000000000000000005
);
loadable_part!(
    migration,
    call_migration,
    __wasm_split_00migration00_import_00000000000000000000000000000006,
    __wasm_split_00migration00_export_00000000000000000000000000000006
);
loadable_part!(
    trace,
    call_trace,
    __wasm_split_00trace00_import_00000000000000000000000000000007,
    __wasm_split_00trace00_export_00000000000000000000000000000007
);
