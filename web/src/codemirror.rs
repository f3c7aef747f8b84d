//! The editor module's JavaScript interface (`web/editor`). All offsets are UTF-16.

use serde::Serialize;
use wasm_bindgen::prelude::*;
use web_sys::HtmlElement;

#[wasm_bindgen]
extern "C" {
    /// A mounted editor.
    pub(crate) type CodeMirror;

    /// Mounts an editor; an error when the module did not load.
    #[wasm_bindgen(js_namespace = zonewrightEditor, catch)]
    pub(crate) fn create(host: &HtmlElement, options: &JsValue) -> Result<CodeMirror, JsValue>;

    /// Makes this the text, unless it is already. What was typed in a field beside the editor is undone
    /// together, as what is typed in it.
    #[wasm_bindgen(method, js_name = setDoc)]
    pub(crate) fn set_doc(this: &CodeMirror, text: &str, typed: bool);

    /// Takes the last change back.
    #[wasm_bindgen(method)]
    pub(crate) fn undo(this: &CodeMirror);

    /// Takes the last taking back back.
    #[wasm_bindgen(method)]
    pub(crate) fn redo(this: &CodeMirror);

    /// Colours the text.
    #[wasm_bindgen(method, js_name = setTokens)]
    pub(crate) fn set_tokens(this: &CodeMirror, tokens: &JsValue);

    /// Underlines problems.
    #[wasm_bindgen(method, js_name = setDiagnostics)]
    pub(crate) fn set_diagnostics(this: &CodeMirror, diagnostics: &JsValue);

    /// Applies edits as one step that can be undone.
    #[wasm_bindgen(method, js_name = applyEdits)]
    pub(crate) fn apply_edits(this: &CodeMirror, edits: &JsValue);

    /// Selects a range and brings it into view.
    #[wasm_bindgen(method)]
    pub(crate) fn select(this: &CodeMirror, from: usize, to: usize);

    /// Selects a range and brings it into view, and leaves the focus where it is.
    #[wasm_bindgen(method)]
    pub(crate) fn mark(this: &CodeMirror, from: usize, to: usize);

    /// Removes the editor.
    #[wasm_bindgen(method)]
    pub(crate) fn destroy(this: &CodeMirror);
}

/// Converts a value to a plain JavaScript value. The types that the editor passes always serialize.
pub(crate) fn to_js<T: Serialize + ?Sized>(value: &T) -> JsValue {
    serde_wasm_bindgen::to_value(value).unwrap_or(JsValue::UNDEFINED)
}
