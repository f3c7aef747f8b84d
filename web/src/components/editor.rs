//! A text editor for a language of the engine: CodeMirror, or a plain text area if its module cannot be loaded.

use crate::analysis::AnalyzedSource;
use crate::codemirror::{self, CodeMirror};
use crate::components::icon::{Icon, IconView};
use crate::engine::to_js;
use crate::language::Language;
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::sync::Arc;
use wasm_bindgen::JsValue;
use wasm_bindgen::closure::Closure;
use zonewright_diagnostic::{Edit, Fix, Span, Utf16Offsets, apply_fix};

/// Description of the editor for assistive technology. The Expressions page also shows it.
pub(crate) const KEYBOARD_HINT: &str =
    "Press F1 for help on the code at the cursor. Press Esc, then Tab, to leave the editor.";

/// A mounted CodeMirror. It owns the callbacks, because they must live as long as the editor.
struct MountedEditor {
    editor: CodeMirror,
    _on_change: Closure<dyn FnMut(String)>,
    _on_select: Closure<dyn FnMut(usize, usize)>,
}

/// A handle of an editor, for the parts of a page that change its text or selection.
#[derive(Clone, Copy)]
pub(crate) struct EditorHandle {
    mounted: StoredValue<Option<MountedEditor>, LocalStorage>,
    fallback_textarea: NodeRef<html::Textarea>,
    source: RwSignal<String>,
    pane: Option<RwSignal<u8>>,
    selection: Option<RwSignal<Option<Span>>>,
    /// Whether the next change comes from a field next to the editor.
    is_typed: StoredValue<bool>,
}

impl EditorHandle {
    /// Creates a handle of an editor of `source` that is not mounted yet.
    pub(crate) fn new(source: RwSignal<String>) -> Self {
        EditorHandle {
            mounted: StoredValue::new_local(None),
            fallback_textarea: NodeRef::new(),
            source,
            pane: None,
            selection: None,
            is_typed: StoredValue::new(false),
        }
    }

    /// Places the editor in the first of two panes. A narrow screen shows only the pane with the index
    /// `visible_pane`.
    pub(crate) fn in_first_pane(self, visible_pane: RwSignal<u8>) -> Self {
        EditorHandle { pane: Some(visible_pane), ..self }
    }

    /// Sets the signal that receives the span of the cursor or selection.
    pub(crate) fn with_selection(self, selection: RwSignal<Option<Span>>) -> Self {
        EditorHandle { selection: Some(selection), ..self }
    }

    /// Calls `act` with the editor if CodeMirror is mounted. Returns whether it is mounted.
    fn with_editor(self, act: impl FnOnce(&CodeMirror)) -> bool {
        let act = |mounted: &Option<MountedEditor>| mounted.as_ref().map(|mounted| act(&mounted.editor)).is_some();
        self.mounted.try_with_value(act).unwrap_or_default()
    }

    /// Sets the text from a field next to the editor. Successive changes are grouped for undo.
    pub(crate) fn set_text_as_typed(self, text: String) {
        self.is_typed.set_value(true);
        self.source.set(text);
    }

    /// Undoes the last change, or redoes the last undone change if `redo` is set.
    pub(crate) fn undo(self, redo: bool) {
        self.with_editor(|editor| if redo { editor.redo() } else { editor.undo() });
    }

    /// Returns whether a text is the current one.
    fn is_current(self, text: &str) -> bool {
        self.source.with_untracked(|source| source == text)
    }

    /// Applies edits to the analyzed text as one undo step, and focuses CodeMirror. Does nothing if the text has changed
    /// since it was analyzed.
    pub(crate) fn apply(self, analyzed: &AnalyzedSource<impl Language>, edits: &[Edit]) {
        if !self.is_current(&analyzed.source) {
            return;
        }
        let edits_utf16 = to_js(&analyzed.utf16_edits(edits));
        if self.with_editor(|editor| editor.apply_edits(&edits_utf16)) {
            return;
        }
        let fix = Fix::safe_edits("", edits.to_vec());
        self.source.set(apply_fix(&analyzed.source, &fix));
    }

    /// Shows the pane of the editor, selects a span of the analyzed text, and focuses the editor.
    pub(crate) fn select(self, analyzed: &AnalyzedSource<impl Language>, span: Span) {
        if !self.is_current(&analyzed.source) {
            return;
        }
        let (from, to) = analyzed.utf16(span);
        self.select_utf16(from, to);
    }

    /// Replaces the text. Shows its pane, and focuses the editor at its end.
    pub(crate) fn replace(self, text: &str) {
        self.source.set(text.to_owned());
        let end = text.encode_utf16().count();
        self.select_utf16(end, end);
    }

    fn select_utf16(self, from: usize, to: usize) {
        if let Some(pane) = self.pane {
            pane.set(0);
        }
        // A hidden element cannot receive the focus, so the pane is shown first.
        request_animation_frame(move || {
            if self.with_editor(|editor| editor.select(from, to)) {
                return;
            }
            if let Some(area) = self.fallback_textarea.get_untracked() {
                drop(area.focus());
                let offset = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
                drop(area.set_selection_range(offset(from), offset(to)));
            }
        });
    }
}

impl EditorHandle {
    /// Selects a span of a text and scrolls it into view, without moving the focus. Returns false if the editor has another
    /// text by now.
    pub(crate) fn reveal(self, text: &str, span: Span) -> bool {
        if !self.is_current(text) {
            return false;
        }
        let offsets = Utf16Offsets::new(text);
        let (from, to) = (offsets.byte_to_utf16(span.start), offsets.byte_to_utf16(span.end));
        self.with_editor(|editor| editor.reveal(from, to));
        true
    }
}

/// An editor for the text that `handle` holds.
#[component]
pub(crate) fn Editor<L: Language>(
    /// The accessible name of the editor.
    label: &'static str,
    /// The text that is shown while the editor is empty.
    placeholder: &'static str,
    /// The handle, which also holds the text.
    handle: EditorHandle,
    /// The analyzed text.
    analyzed: Signal<Arc<AnalyzedSource<L>>>,
    /// Whether the editor adopts the boot editor (`web/editor/src/boot_editor.js`).
    #[prop(optional)]
    adopts_boot_editor: bool,
) -> impl IntoView {
    let host = NodeRef::<html::Div>::new();
    let is_plain = RwSignal::new(false);
    let source = handle.source;

    Effect::new(move || {
        let Some(host) = host.get() else { return };
        if handle.with_editor(|_| ()) {
            return;
        }
        let mount = move || match mount(&host, label, placeholder, handle, analyzed, adopts_boot_editor) {
            Ok(mounted) => drop(handle.mounted.try_set_value(Some(mounted))),
            Err(_) => drop(is_plain.try_set(true)),
        };
        if codemirror::is_loaded() {
            return mount();
        }
        spawn_local(async move {
            codemirror::wait_until_loaded().await;
            // The editor may be unmounted by now.
            if handle.mounted.try_with_value(Option::is_none) == Some(true) {
                mount();
            }
        });
    });
    Effect::new(move || {
        let text = source.get();
        let is_typed = handle.is_typed.try_update_value(std::mem::take).unwrap_or_default();
        handle.with_editor(|editor| editor.set_doc(&text, is_typed));
    });
    Effect::new(move || {
        let analyzed = analyzed.get();
        handle.with_editor(|editor| {
            editor.set_engine_options(&analyzed.options.to_js());
            show_analysis(editor, &analyzed);
        });
    });
    on_cleanup(move || {
        handle.with_editor(CodeMirror::destroy);
        handle.mounted.try_set_value(None);
    });

    view! {
        <div class="editor">
            <div class="editor-host" node_ref=host hidden=is_plain></div>
            {move || {
                is_plain.get().then(|| {
                    view! {
                        <textarea
                            class="editor-plain"
                            node_ref=handle.fallback_textarea
                            aria-label=label
                            placeholder=placeholder
                            spellcheck="false"
                            prop:value=move || source.get()
                            on:input=move |event| source.set(event_target_value(&event))
                        ></textarea>
                        <p class="editor-note">
                            <IconView icon=Icon::Hint />
                            "The code editor could not load. Highlighting and completion are unavailable; all checks still run."
                        </p>
                    }
                })
            }}
        </div>
    }
}

fn mount<L: Language>(
    host: &web_sys::HtmlElement,
    label: &str,
    placeholder: &str,
    handle: EditorHandle,
    analyzed: Signal<Arc<AnalyzedSource<L>>>,
    adopts_boot_editor: bool,
) -> Result<MountedEditor, JsValue> {
    let source = handle.source;
    let on_change = Closure::<dyn FnMut(String)>::new(move |text: String| drop(source.try_set(text)));
    let on_select = Closure::<dyn FnMut(usize, usize)>::new(move |from: usize, to: usize| {
        let Some(selection) = handle.selection else { return };
        let span = source.try_with_untracked(|text| {
            let offsets = Utf16Offsets::new(text);
            Span::new(offsets.utf16_to_byte(from), offsets.utf16_to_byte(to))
        });
        selection.try_set(span);
    });
    let options = js_sys::Object::new();
    let set = |name: &str, value: &JsValue| js_sys::Reflect::set(&options, &name.into(), value);
    set("doc", &source.get_untracked().into())?;
    set("label", &label.into())?;
    set("description", &KEYBOARD_HINT.into())?;
    set("placeholder", &placeholder.into())?;
    set("adoptsBootEditor", &adopts_boot_editor.into())?;
    set("onChange", on_change.as_ref())?;
    set("onSelect", on_select.as_ref())?;
    let language = js_sys::Object::new();
    js_sys::Reflect::set(&language, &"namespace".into(), &L::NAMESPACE.into())?;
    js_sys::Reflect::set(&language, &"options".into(), &analyzed.with_untracked(|analyzed| analyzed.options.to_js()))?;
    set("language", &language)?;
    let editor = codemirror::create(host, &options)?;
    show_analysis(&editor, &analyzed.get_untracked());
    Ok(MountedEditor { editor, _on_change: on_change, _on_select: on_select })
}

/// Shows the tokens and the diagnostics of a text in its editor.
fn show_analysis(editor: &CodeMirror, analyzed: &AnalyzedSource<impl Language>) {
    if let Some(result) = &analyzed.result {
        editor.set_analysis(&analyzed.source, result);
    }
}
