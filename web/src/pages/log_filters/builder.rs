//! The filter row by row: groups and conditions, under its words.

use super::bench::{Bench, Control, FIELD_DATALIST_ID, FIRST};
use super::row::Row;
use super::tree::{self, New};
use crate::components::icon::{Icon, Pictogram};
use crate::components::sentences::{Sentences, Words};
use crate::state::log_filter_draft::EXAMPLE;
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use zonewright_logpush::Dataset;

/// The panel "Build".
#[component]
pub(super) fn Builder() -> impl IntoView {
    let bench = Bench::get();
    let words = Words::follow(bench.filter.analyzed);
    let is_some = Memo::new(move |_| bench.tree.read().root.is_some());
    let stale = Memo::new(move |_| bench.tree.read().stale);
    // Rows stay as long as there is one at their place, so that the keyboard stays where it is.
    let places = move || {
        let tree = bench.tree.get();
        tree.rows.iter().map(|row| (row.path.clone(), row.group)).collect::<Vec<_>>()
    };
    // A text field takes its own letters back; everywhere else the last change of the filter is meant.
    let take_back = move |event: ev::KeyboardEvent| {
        let typed = event.target().is_some_and(|target| target.has_type::<web_sys::HtmlInputElement>());
        let asked = (event.ctrl_key() || event.meta_key()) && event.key().eq_ignore_ascii_case("z");
        if asked && !typed {
            event.prevent_default();
            bench.handle.undo(event.shift_key());
        }
    };
    let add = move |new: New| bench.edit(Some(Control::Key), move |root| tree::add(root, &[], new));
    view! {
        <section class="section" aria-label="In words" hidden=move || !is_some.get()>
            <div class="section-head"><h2>"In words"</h2></div>
            <Sentences
                words
                chosen=bench.chosen
                choose=Callback::new(move |span| bench.choose(span))
                nothing="There are no words while the filter cannot be read."
            />
        </section>
        <section class="section" aria-label="Conditions">
            <div class="section-head" hidden=move || !is_some.get()>
                <h2>"Conditions"</h2>
                <span class="quiet push wide-only">"Alt+Shift with ↑ or ↓ moves, Ctrl+Enter adds"</span>
            </div>
            <div class="notice warning pad-box" role="status" hidden=move || !stale.get()>
                <Pictogram icon=Icon::Warning />
                <p>
                    {move || if is_some.get() {
                        "The JSON cannot be read. These are the conditions it had before; they can be changed again once it is mended."
                    } else {
                        "The JSON cannot be read: mend it to see its conditions."
                    }}
                </p>
            </div>
            <fieldset class="build" aria-label="Conditions" disabled=stale on:keydown=take_back>
                <ul class="build-rows">
                    <For each=places key=Clone::clone let((path, group))>
                        <Row path group />
                    </For>
                </ul>
                <div class="build-foot" hidden=move || !is_some.get()>
                    <button type="button" class="button small" on:click=move |_| add(New::Condition)>
                        <Pictogram icon=Icon::Plus />
                        "Add condition"
                    </button>
                    <button type="button" class="button small" on:click=move |_| add(New::Group)>
                        <Pictogram icon=Icon::Plus />
                        "Add group"
                    </button>
                </div>
            </fieldset>
            <Nothing />
        </section>
        <datalist id=FIELD_DATALIST_ID>
            {move || {
                let fields = bench.filter.dataset.get().fields.iter().filter(|field| field.filterable);
                fields.map(|field| {
                    let note = if field.deprecated { ", kept for old jobs" } else { "" };
                    view! { <option value=field.name label=format!("{}{note}", field.ty.name())></option> }
                }).collect_view()
            }}
        </datalist>
    }
}

/// What to do while there is no filter.
#[component]
fn Nothing() -> impl IntoView {
    let bench = Bench::get();
    let empty = move || bench.filter.source.read().trim().is_empty();
    let example = move |_| {
        bench.filter.dataset.set(Dataset::http_requests());
        bench.filter.source.set(EXAMPLE.to_owned());
    };
    view! {
        <div class="empty" hidden=move || !empty()>
            <h2>"No filter: every line is sent"</h2>
            <p class="quiet">"A filter keeps the lines for which its conditions hold. Add the first condition, or start from an example."</p>
            <div class="build-foot">
                <button type="button" class="button primary" id=FIRST on:click=move |_| bench.edit(Some(Control::Key), |_| None)>"Add condition"</button>
                <button type="button" class="button" on:click=example>"Load the example"</button>
            </div>
        </div>
    }
}
