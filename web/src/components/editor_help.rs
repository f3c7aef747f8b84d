//! The help of the editor at an offset: hover, and the signature of the enclosing call.

use crate::analysis::AnalyzedSource;
use crate::codemirror::to_js;
use crate::language::Language;
use leptos::prelude::*;
use serde::Serialize;
use std::sync::Arc;
use wasm_bindgen::JsValue;
use wasm_bindgen::closure::Closure;
use zonewright_diagnostic::Utf16Offsets;

/// A callback with a text and a UTF-16 offset.
type PositionCallback = Closure<dyn FnMut(String, usize) -> JsValue>;

/// The callbacks for hover and signature help, which must live as long as the editor.
pub(super) struct HelpCallbacks {
    _hover: PositionCallback,
    _signature: PositionCallback,
}

#[derive(Serialize)]
struct JsHover {
    from: usize,
    to: usize,
    title: String,
    detail: String,
    text: Vec<String>,
    example: Option<String>,
}

#[derive(Serialize)]
struct JsSignature {
    from: usize,
    label: String,
    returns: String,
    doc: &'static str,
    active: Option<JsParameter>,
}

/// The parameter at the cursor; `from` and `to` are UTF-16 offsets in the label.
#[derive(Serialize)]
struct JsParameter {
    from: usize,
    to: usize,
    name: &'static str,
    detail: String,
    note: String,
}

impl HelpCallbacks {
    /// Adds the callbacks to the options of an editor before it is mounted.
    pub(super) fn install<L: Language>(
        options: &js_sys::Object,
        analyzed: Memo<Arc<AnalyzedSource<L>>>,
    ) -> Result<HelpCallbacks, JsValue> {
        let hover = PositionCallback::new(move |text: String, offset: usize| {
            to_js(&hover_at(&text, offset, &analyzed.get_untracked().options))
        });
        let signature =
            PositionCallback::new(move |text: String, offset: usize| to_js(&signature_at::<L>(&text, offset)));
        js_sys::Reflect::set(options, &"hover".into(), hover.as_ref())?;
        js_sys::Reflect::set(options, &"signature".into(), signature.as_ref())?;
        Ok(HelpCallbacks { _hover: hover, _signature: signature })
    }
}

fn hover_at(text: &str, offset: usize, options: &impl Language) -> Option<JsHover> {
    let offsets = Utf16Offsets::new(text);
    let found = options.hover(text, offsets.utf16_to_byte(offset))?;
    Some(JsHover {
        from: offsets.byte_to_utf16(found.span.start),
        to: offsets.byte_to_utf16(found.span.end),
        title: found.title,
        detail: found.detail,
        text: found.text,
        example: found.example,
    })
}

fn signature_at<L: Language>(text: &str, offset: usize) -> Option<JsSignature> {
    let offsets = Utf16Offsets::new(text);
    let found = L::signature(text, offsets.utf16_to_byte(offset))?;
    let label_offsets = Utf16Offsets::new(&found.label);
    let active = found.active.and_then(|active| found.parameters.get(active)).map(|parameter| JsParameter {
        from: label_offsets.byte_to_utf16(parameter.span.start),
        to: label_offsets.byte_to_utf16(parameter.span.end),
        name: parameter.name,
        detail: parameter.detail.clone(),
        note: parameter.note.clone(),
    });
    Some(JsSignature {
        from: offsets.byte_to_utf16(found.span.start),
        label: found.label,
        returns: found.returns,
        doc: found.doc,
        active,
    })
}
