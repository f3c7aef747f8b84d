//! The builder: the filter as rows of groups and conditions, with its explanation.

use super::context::{Control, FIELD_DATALIST_ID, FIRST_CONDITION_ID, WorkbenchContext};
use super::row::Row;
use super::tree::{self, NodeKindToAdd};
use crate::components::explanation::{ExplanationList, SourceExplanation};
use crate::components::icon::{Icon, IconView};
use crate::state::log_filter_draft::EXAMPLE;
use leptos::ev;
use leptos::prelude::*;
use std::sync::Arc;
use wasm_bindgen::JsCast;
use zonewright_diagnostic::Span;
use zonewright_logpush::Dataset;

/// Edits the filter as rows, and explains it.
#[component]
pub(super) fn BuilderPanel() -> impl IntoView {
    let workbench = WorkbenchContext::get();
    let explanation = SourceExplanation::follow(workbench.analyzed);
    let has_tree = Memo::new(move |_| workbench.tree.read().root.is_some());
    let is_stale = Memo::new(move |_| workbench.tree.read().is_stale);
    // Rows are keyed by path, so that an edit preserves the focus.
    let paths = move || {
        let tree = workbench.tree.get();
        tree.rows.iter().map(|row| (row.path.clone(), row.is_group)).collect::<Vec<_>>()
    };
    // A text field undoes its own input. Elsewhere, the shortcut undoes the last change of the filter.
    let undo = move |event: ev::KeyboardEvent| {
        let is_text_field = event.target().is_some_and(|target| target.has_type::<web_sys::HtmlInputElement>());
        let is_undo = (event.ctrl_key() || event.meta_key()) && event.key().eq_ignore_ascii_case("z");
        if is_undo && !is_text_field {
            event.prevent_default();
            workbench.handle.undo(event.shift_key());
        }
    };
    let has_had_focus = RwSignal::new(false);
    let add = move |new: NodeKindToAdd| workbench.edit(Some(Control::Key), move |root| tree::add(root, &[], new));
    view! {
        <section class="section" aria-label="Explanation" hidden=move || !has_tree.get()>
            <div class="section-head"><h2>"Explanation"</h2></div>
            <ExplanationList
                explanation
                selected_span=workbench.selected_span
                choose=Callback::new(move |(text, span): (Arc<str>, Span)| workbench.select_in(&text, span))
                empty_text="Fix the filter to see an explanation."
            />
        </section>
        <section class="section" aria-label="Conditions">
            <div class="section-head" hidden=move || !has_tree.get()>
                <h2>"Conditions"</h2>
                <span class="quiet push wide-only">"Alt+Shift+↑/↓ to move, Ctrl+Enter to add"</span>
            </div>
            <div class="notice warning pad-box" role="status" hidden=move || !is_stale.get()>
                <IconView icon=Icon::Warning />
                <p>
                    {move || if has_tree.get() {
                        "The JSON is invalid. These conditions are from the last valid version. Fix the JSON to edit them."
                    } else {
                        "The JSON is invalid. Fix it to see its conditions."
                    }}
                </p>
            </div>
            <fieldset
                class="build"
                aria-label="Conditions"
                disabled=is_stale
                on:keydown=undo
                on:focusin=move |_| has_had_focus.set(true)
            >
                <ul class="build-rows">
                    <For each=paths key=Clone::clone let((path, is_group))>
                        <Row path is_group />
                    </For>
                </ul>
                <div class="build-foot" hidden=move || !has_tree.get()>
                    <button type="button" class="button small" on:click=move |_| add(NodeKindToAdd::Condition)>
                        <IconView icon=Icon::Plus />
                        "Add condition"
                    </button>
                    <button type="button" class="button small" on:click=move |_| add(NodeKindToAdd::Group)>
                        <IconView icon=Icon::Plus />
                        "Add group"
                    </button>
                </div>
            </fieldset>
            <EmptyFilter />
        </section>
        <datalist id=FIELD_DATALIST_ID>
            {move || has_had_focus.get().then(|| view_fields(workbench.filter.dataset.get()))}
        </datalist>
    }
}

/// Views the fields of a dataset as suggestions. There are about 150, so they are created when the user needs them first.
fn view_fields(dataset: &'static Dataset) -> impl IntoView {
    let fields = dataset.fields.iter().filter(|field| field.filterable);
    fields
        .map(|field| {
            let note = if field.deprecated { ", deprecated" } else { "" };
            view! { <option value=field.name label=format!("{}{note}", field.ty.name())></option> }
        })
        .collect_view()
}

/// Actions while there is no filter.
#[component]
fn EmptyFilter() -> impl IntoView {
    let workbench = WorkbenchContext::get();
    let is_empty = move || workbench.filter.source.read().trim().is_empty();
    let load_example = move |_| {
        workbench.filter.dataset.set(Dataset::http_requests());
        workbench.filter.source.set(EXAMPLE.to_owned());
    };
    view! {
        <div class="empty" hidden=move || !is_empty()>
            <h2>"No filter: every line is sent"</h2>
            <p class="quiet">"A filter sends only the log lines that match its conditions. Add a condition, or start from the example."</p>
            <div class="build-foot">
                <button type="button" class="button primary" id=FIRST_CONDITION_ID on:click=move |_| workbench.edit(Some(Control::Key), |_| None)>"Add condition"</button>
                <button type="button" class="button" on:click=load_example>"Load example"</button>
            </div>
        </div>
    }
}
