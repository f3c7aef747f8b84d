//! A native dialog: the browser keeps the focus in it and closes it with Escape.

use leptos::html;
use leptos::prelude::*;

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
        } else if !open.get() && dialog.open() {
            dialog.close();
        }
    });
}
