//! A native dialog: the browser keeps the focus in it and closes it with Escape.

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlDialogElement, HtmlElement};

/// A dialog with a heading and a close button; `open` follows the dialog and the reverse.
#[component]
pub(crate) fn Dialog(
    /// Whether it is shown.
    open: RwSignal<bool>,
    /// What it is about.
    #[prop(into)]
    title: Signal<String>,
    /// What it shows.
    children: Children,
) -> impl IntoView {
    let node = NodeRef::<html::Dialog>::new();
    keep_open(node, open);
    view! {
        <dialog node_ref=node class="dialog" aria-label=title on:close=move |_| open.set(false)>
            <h2>{title}</h2>
            {children()}
        </dialog>
    }
}

/// Shows a dialog while `open` says so.
pub(crate) fn keep_open(node: NodeRef<html::Dialog>, open: RwSignal<bool>) {
    Effect::new(move || {
        let Some(dialog) = node.get() else { return };
        if open.get() && !dialog.open() {
            drop(dialog.show_modal());
            focus_first(&dialog);
        } else if !open.get() && dialog.open() {
            dialog.close();
        }
    });
}

/// Focuses what is marked with `data-focus`, where that is not what stands first. The attribute
/// `autofocus` would do it too, but browsers complain of it on a page that has a focus already.
fn focus_first(dialog: &HtmlDialogElement) {
    let marked = dialog.query_selector("[data-focus]").ok().flatten();
    if let Some(marked) = marked.and_then(|marked| marked.dyn_into::<HtmlElement>().ok()) {
        drop(marked.focus());
    }
}
