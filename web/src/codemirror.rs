//! Bindings to the JavaScript interface of the editor module (`web/editor`). All offsets are UTF-16.

use serde::Serialize;
use wasm_bindgen::prelude::*;
use web_sys::HtmlElement;

#[wasm_bindgen]
extern "C" {
    /// A mounted editor.
    pub(crate) type CodeMirror;

    /// Mounts an editor. Fails if the module did not load.
    #[wasm_bindgen(js_namespace = zonewrightEditor, catch)]
    pub(crate) fn create(host: &HtmlElement, options: &JsValue) -> Result<CodeMirror, JsValue>;

    /// Replaces the text unless it is equal. `typed` means that the change is a keystroke in a field next to the
    /// editor. Successive keystrokes form one undo step, as they do in the editor.
    #[wasm_bindgen(method, js_name = setDoc)]
    pub(crate) fn set_doc(this: &CodeMirror, text: &str, typed: bool);

    /// Undoes the last change.
    #[wasm_bindgen(method)]
    pub(crate) fn undo(this: &CodeMirror);

    /// Redoes the last undone change.
    #[wasm_bindgen(method)]
    pub(crate) fn redo(this: &CodeMirror);

    /// Sets the semantic tokens for syntax highlighting, and the diagnostics, which are underlined.
    #[wasm_bindgen(method, js_name = setAnalysis)]
    pub(crate) fn set_analysis(this: &CodeMirror, tokens: &JsValue, diagnostics: &JsValue);

    /// Applies edits as one undo step, and focuses the editor.
    #[wasm_bindgen(method, js_name = applyEdits)]
    pub(crate) fn apply_edits(this: &CodeMirror, edits: &JsValue);

    /// Selects a range, scrolls it into view and focuses the editor.
    #[wasm_bindgen(method)]
    pub(crate) fn select(this: &CodeMirror, from: usize, to: usize);

    /// Selects a range and scrolls it into view without moving the focus.
    #[wasm_bindgen(method)]
    pub(crate) fn reveal(this: &CodeMirror, from: usize, to: usize);

    /// Removes the editor.
    #[wasm_bindgen(method)]
    pub(crate) fn destroy(this: &CodeMirror);
}

/// Converts a value to a plain JavaScript value. The types that the editor passes always serialize.
pub(crate) fn to_js<T: Serialize + ?Sized>(value: &T) -> JsValue {
    serde_wasm_bindgen::to_value(value).unwrap_or(JsValue::UNDEFINED)
}
