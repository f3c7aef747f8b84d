//! The engine for JavaScript: plain functions that take and give plain values.
//!
//! [`arguments`] reads what the caller passed and never fails with an exception: a wrong argument
//! becomes a diagnostic. [`convert`] turns the engine's answers into the shapes of [`types`], with
//! offsets as JavaScript counts them. The functions here only put the two together; the entry
//! points of the package stand around them in `js/`.

// The macro of wasm-bindgen makes public functions that only JavaScript reaches.
#![allow(unreachable_pub)]

mod arguments;
mod convert;
mod types;

use arguments::{Refusal, offset, options, source};
use serde::Serialize;
use wasm_bindgen::prelude::*;
use zonewright_expression as engine;

/// Every problem of an expression, and its type.
#[wasm_bindgen]
pub fn check(source_value: JsValue, options_value: JsValue) -> JsValue {
    give(match read(&source_value, &options_value) {
        Ok((source, options)) => convert::checked(&source, &engine::check(&source, &options)),
        Err((source, refusal)) => convert::refused(&source, &refusal),
    })
}

/// All that an editor shows of an expression.
#[wasm_bindgen]
pub fn analyze(source_value: JsValue, options_value: JsValue) -> JsValue {
    give(match read(&source_value, &options_value) {
        Ok((source, options)) => convert::analysis(&source, &engine::analyze(&source, &options)),
        Err((source, refusal)) => convert::refused_analysis(&source, &refusal),
    })
}

/// What may stand at an offset of an expression.
#[wasm_bindgen]
pub fn complete(source_value: JsValue, offset_value: JsValue, options_value: JsValue) -> JsValue {
    give(match read_place(&source_value, &offset_value, &options_value) {
        Ok((source, offset, options)) => convert::completions(&source, &engine::complete(&source, offset, &options)),
        Err((source, refusal)) => convert::refused_completions(&source, &refusal),
    })
}

/// What stands at an offset of an expression.
#[wasm_bindgen]
pub fn hover(source_value: JsValue, offset_value: JsValue, options_value: JsValue) -> JsValue {
    give(match read_place(&source_value, &offset_value, &options_value) {
        Ok((source, offset, options)) => convert::hovered(&source, engine::hover(&source, offset, &options)),
        Err((source, refusal)) => convert::refused_hover(&source, &refusal),
    })
}

/// The call around an offset of an expression.
#[wasm_bindgen]
pub fn signature(source_value: JsValue, offset_value: JsValue) -> JsValue {
    give(match read_place(&source_value, &offset_value, &JsValue::UNDEFINED) {
        Ok((source, offset, _)) => convert::signature(&source, engine::signature(&source, offset)),
        Err((source, refusal)) => convert::refused_signature(&source, &refusal),
    })
}

/// Source, byte offset and options, or the source and everything that is wrong with the call.
fn read_place(
    source_value: &JsValue,
    offset_value: &JsValue,
    options_value: &JsValue,
) -> Result<(String, usize, engine::Options), (String, Refusal)> {
    let (source, options) = read(source_value, options_value)?;
    match offset(&source, offset_value) {
        Ok(offset) => Ok((source, offset, options)),
        Err(refusal) => Err((source, refusal)),
    }
}

/// The source and the options, or the source and everything that is wrong with the call.
fn read(source_value: &JsValue, options_value: &JsValue) -> Result<(String, engine::Options), (String, Refusal)> {
    let (source, mut refusal) = source(source_value);
    match options(options_value) {
        Ok(options) if refusal.is_empty() => return Ok((source, options)),
        Ok(_) => {}
        Err(more) => refusal.extend(more),
    }
    Err((source, refusal))
}

fn give<T: Serialize>(answer: T) -> JsValue {
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    // Structures of strings, numbers and arrays: turning them into JavaScript values cannot fail.
    answer.serialize(&serializer).unwrap_or(JsValue::NULL)
}
