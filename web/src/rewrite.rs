//! Replaces a text with the result of a verb, such as `format`.

use crate::engine::answers::TextResult;
use crate::engine::{Channel, EngineError, Worker};
use crate::language::Language;
use crate::state::toasts::ToastContext;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsValue;

/// Replaces a text with the result of a verb such as `format`. Does nothing if the text changed during the call. Shows
/// `failure` if the verb returns no text.
pub(crate) fn rewrite(source: RwSignal<String>, verb: String, options: JsValue, failure: &'static str) {
    let toasts = ToastContext::get();
    let before = source.get_untracked();
    spawn_local(async move {
        let result: Result<TextResult, EngineError> =
            Channel::new(Worker::Editor).call(&verb, vec![before.as_str().into(), options]).await;
        match result {
            Err(EngineError::Superseded) => {}
            Err(EngineError::Failed(reason)) => toasts.show_error(format!("The text was not changed: {reason}")),
            Ok(TextResult { text: None }) => toasts.show_error(failure),
            Ok(TextResult { text: Some(text) }) => {
                if source.try_with_untracked(|current| *current == before && text != before) == Some(true) {
                    source.set(text);
                }
            }
        }
    });
}

/// Applies all safe fixes to a text, unless the text changes in the meantime.
pub(crate) fn apply_safe_fixes<L: Language>(source: RwSignal<String>, options: &L) {
    rewrite(source, format!("{}fix", L::NAMESPACE), options.to_js(), "The fixes could not be applied");
}
