//! Bindings to the JavaScript interface of the editor module (`web/editor`). All offsets are UTF-16.

use js_sys::Promise;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::HtmlElement;

#[wasm_bindgen]
extern "C" {
    /// A mounted editor.
    pub(crate) type CodeMirror;

    /// Loads the module, once (`web/boot.js`).
    #[wasm_bindgen(js_name = zonewrightLoadEditor, catch)]
    fn load() -> Result<Promise, JsValue>;

    /// Mounts an editor. Fails if the module is not loaded.
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

    /// Sets the options of the engine for completion and help.
    #[wasm_bindgen(method, js_name = setEngineOptions)]
    pub(crate) fn set_engine_options(this: &CodeMirror, options: &JsValue);

    /// Shows the tokens and the diagnostics of an analysis, as the engine returned it, unless the text has changed since.
    #[wasm_bindgen(method, js_name = setAnalysis)]
    pub(crate) fn set_analysis(this: &CodeMirror, text: &str, analysis: &JsValue);

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

/// Waits until the module is loaded, or cannot be loaded. Then mounting an editor fails.
pub(crate) async fn wait_until_loaded() {
    if !is_loaded()
        && let Ok(loading) = load()
    {
        drop(JsFuture::from(loading).await);
    }
}

/// Returns whether the module is loaded.
pub(crate) fn is_loaded() -> bool {
    js_sys::Reflect::has(&leptos::prelude::window(), &"zonewrightEditor".into()).unwrap_or_default()
}
