//! A native modal dialog: the browser traps the focus in it and closes it on Escape.

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlDialogElement, HtmlElement};

/// A dialog with a heading. Keeps `open` in sync with the state of the dialog.
#[component]
pub(crate) fn Dialog(
    /// Whether the dialog is open.
    open: RwSignal<bool>,
    /// The heading.
    #[prop(into)]
    title: Signal<String>,
    /// The content.
    children: Children,
) -> impl IntoView {
    let node = NodeRef::<html::Dialog>::new();
    sync_open(node, open);
    view! {
        <dialog node_ref=node class="dialog" aria-label=title on:close=move |_| open.set(false)>
            <h2>{title}</h2>
            {children()}
        </dialog>
    }
}

/// Opens and closes a dialog when `open` changes.
pub(crate) fn sync_open(node: NodeRef<html::Dialog>, open: RwSignal<bool>) {
    Effect::new(move || {
        let Some(dialog) = node.get() else { return };
        if open.get() && !dialog.open() {
            drop(dialog.show_modal());
            focus_marked(&dialog);
        } else if !open.get() && dialog.open() {
            dialog.close();
        }
    });
}

/// Focuses the element with `data-focus`, if any. `autofocus` would do the same, but browsers warn about it on a page
/// that already has a focused element.
fn focus_marked(dialog: &HtmlDialogElement) {
    let initial_focus = dialog.query_selector("[data-focus]").ok().flatten();
    if let Some(initial_focus) = initial_focus.and_then(|initial_focus| initial_focus.dyn_into::<HtmlElement>().ok()) {
        drop(initial_focus.focus());
    }
}
