//! Calls from JavaScript: the arguments of a verb, and its result.
//!
//! Start at [`Call`], which a part receives, and [`respond`], which every verb returns through.

use crate::arguments::{ArgumentErrors, read_offset, read_source};
use crate::{convert, types};
use serde::Serialize;
use std::vec::IntoIter;
use wasm_bindgen::JsValue;

/// A call of one verb of a part.
pub(crate) struct Call {
    /// The name of the verb in JavaScript.
    pub(crate) verb: String,
    arguments: IntoIter<JsValue>,
    /// The result for JavaScript; `undefined` if the part has no such verb.
    pub(crate) result: JsValue,
}

impl Call {
    pub(crate) fn new(verb: String, arguments: Vec<JsValue>) -> Self {
        Call { verb, arguments: arguments.into_iter(), result: JsValue::UNDEFINED }
    }

    /// Returns the next argument; a missing one is `undefined`.
    pub(crate) fn next_argument(&mut self) -> JsValue {
        self.arguments.next().unwrap_or(JsValue::UNDEFINED)
    }
}

/// The source and the other arguments of a call, or the source and the argument errors.
pub(crate) type SourceCall<T> = Result<(String, T), (String, ArgumentErrors)>;

/// Reads the source of a call and adds it to the other arguments.
pub(crate) fn with_source<T>(source_value: &JsValue, arguments: Result<T, ArgumentErrors>) -> SourceCall<T> {
    let (source, mut errors) = read_source(source_value);
    match arguments {
        Ok(arguments) if errors.is_empty() => return Ok((source, arguments)),
        Ok(_) => {}
        Err(argument_errors) => errors.extend(argument_errors),
    }
    Err((source, errors))
}

/// Returns the call of a verb that takes no source: the source is empty.
pub(crate) fn without_source<T>(arguments: Result<T, ArgumentErrors>) -> SourceCall<T> {
    arguments.map(|arguments| (String::new(), arguments)).map_err(|errors| (String::new(), errors))
}

/// Reads the source and an offset in it, and adds both to the other arguments.
pub(crate) fn with_offset<T>(
    source_value: &JsValue,
    offset_value: &JsValue,
    arguments: Result<T, ArgumentErrors>,
) -> SourceCall<(usize, T)> {
    let (source, arguments) = with_source(source_value, arguments)?;
    match read_offset(&source, offset_value) {
        Ok(offset) => Ok((source, (offset, arguments))),
        Err(errors) => Err((source, errors)),
    }
}

/// Combines two results and keeps the errors of both.
pub(crate) fn zip_results<A, B>(
    first: Result<A, ArgumentErrors>,
    second: Result<B, ArgumentErrors>,
) -> Result<(A, B), ArgumentErrors> {
    match (first, second) {
        (Ok(first), Ok(second)) => Ok((first, second)),
        (first, second) => Err(first.err().into_iter().chain(second.err()).flatten().collect()),
    }
}

/// Returns the result of a call, or its argument errors.
pub(crate) fn respond<T, R: types::CallResult>(call: SourceCall<T>, run: impl FnOnce(&str, T) -> R) -> JsValue {
    to_js(match call {
        Ok((source, arguments)) => run(&source, arguments),
        Err((source, errors)) => convert::error_result(&source, &errors),
    })
}

pub(crate) fn to_js<T: Serialize>(result: T) -> JsValue {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    // Results contain only values that JSON can represent, so the conversion cannot fail.
    result.serialize(&serializer).unwrap_or(JsValue::NULL)
}
