//! Write an expression and see what is wrong with it.

use crate::commands::{self, Deed, does};
use crate::components::code_page::CodePage;
use crate::components::editor::{Editor, EditorHandle, LEAVING};
use crate::components::icon::{Icon, Pictogram};
use crate::components::meter::Meter;
use crate::components::problems::Problems;
use crate::components::segments::Segments;
use crate::components::split_pane::SplitPane;
use crate::route::Route;
use crate::session::{EXAMPLE, Session};
use leptos::prelude::*;
use leptos::task::spawn_local;
use zonewright_diagnostic::Span;
use zonewright_expression::Kind;

/// The first page.
#[component]
pub(crate) fn ExpressionsPage() -> impl IntoView {
    let session = Session::get();
    let analyzed = session.analyzed;
    let active = RwSignal::new(0);
    let handle = EditorHandle::new(session.source).in_first_pane(active);
    let code = RwSignal::new(None);
    let count = move || analyzed.read().analysis.diagnostics.len();
    let note = Signal::derive(move || if count() > 0 { count().to_string() } else { String::new() });
    let first = view! {
        <div class="stack">
            <Toolbar handle />
            <Editor label="Expression" placeholder="http.host eq \"example.com\"" handle analyzed />
            <p class="foot-note">
                "Works offline. Nothing leaves this browser until you press Send. "
                <span class="wide-only">{LEAVING}</span>
            </p>
        </div>
    }
    .into_any();
    let second = view! {
        <div class="scroll">
            <Problems analyzed handle source=session.source show_page=Callback::new(move |asked| code.set(Some(asked))) />
            <Facts />
        </div>
    }
    .into_any();
    view! {
        <h1 class="visually-hidden">"Expressions"</h1>
        <SplitPane name="expressions" share=60.0 words=["Editor", "Problems"] note active first second />
        <CodePage code />
    }
}

/// Kind, and what to do with the text.
#[component]
fn Toolbar(
    /// The editor of the text.
    handle: EditorHandle,
) -> impl IntoView {
    let session = Session::get();
    let scope = session.scope;
    let copied = RwSignal::new(false);
    let copy = move || {
        let text = session.source.get_untracked();
        spawn_local(async move {
            let clipboard = window().navigator().clipboard();
            // Absent where the page is not served securely; forbidden where the user says so.
            if clipboard.is_undefined() {
                session
                    .toast
                    .set(Some("This browser only lets a secure page copy: select the text instead".to_owned()));
                return;
            }
            match wasm_bindgen_futures::JsFuture::from(clipboard.write_text(&text)).await {
                Ok(_) => {
                    copied.try_set(true);
                    let reset = move || {
                        copied.try_set(false);
                    };
                    set_timeout(reset, std::time::Duration::from_secs(2));
                }
                Err(_) => {
                    session.toast.set(Some("The browser did not allow copying: select the text instead".to_owned()))
                }
            }
        });
    };
    let create = move || {
        session.draft.start(session.source.get_untracked());
        Route::Rules.go();
    };
    // Who asks for another text goes on in it.
    let replace = move |text: &str| {
        session.source.set(text.to_owned());
        handle.select(&session.analyzed.get_untracked(), Span::new(text.len(), text.len()));
    };
    let fix_all = move || {
        if let Some(fixed) = session.analyzed.get_untracked().with_safe_fixes() {
            session.source.set(fixed);
        }
    };
    let usable = move || scope.get().kind == Kind::Expression;
    let set_kind = move |kind| scope.update(|scope| scope.kind = kind);
    commands::offer(move |deed| match deed {
        Deed::FixAll if session.analyzed.read().safe() > 0 => does(fix_all),
        Deed::Copy => does(copy),
        Deed::CreateRule if usable() => does(create),
        Deed::Kind(kind) if scope.get().kind != kind => does(move || set_kind(kind)),
        Deed::Example => does(move || replace(EXAMPLE)),
        Deed::Empty => does(move || replace("")),
        _ => None,
    });
    view! {
        <div class="toolbar">
            <Segments
                label="Kind of expression"
                choices=vec![(Kind::Expression, "Condition"), (Kind::Value, "Value")]
                value=Signal::derive(move || scope.get().kind)
                choose=set_kind
            />
            <button
                type="button"
                class="button quiet"
                hidden=move || !session.source.read().trim().is_empty()
                on:click=move |_| replace(EXAMPLE)
            >
                "Show example"
            </button>
            <button type="button" class="button push" on:click=move |_| copy()>
                {move || view! { <Pictogram icon=if copied.get() { Icon::Success } else { Icon::Copy } /> }}
                <span class="copy-word">{move || if copied.get() { "Copied" } else { "Copy" }}</span>
            </button>
            <button type="button" class="button primary" on:click=move |_| create() hidden=move || !usable()>"Create rule"</button>
        </div>
    }
}

/// The result's type and how much of each limit is used.
#[component]
fn Facts() -> impl IntoView {
    let analyzed = Session::get().analyzed;
    let ty = move || match analyzed.read().analysis.ty {
        Some(ty) => view! { <code>{ty.to_string()}</code> }.into_any(),
        None => view! { <span class="quiet">"not known while there are errors"</span> }.into_any(),
    };
    let meters = move || analyzed.read().analysis.meters;
    view! {
        <section class="section" aria-labelledby="result-heading">
            <div class="section-head"><h2 id="result-heading">"Result"</h2></div>
            <dl class="facts">
                <dt>"Type"</dt>
                <dd>{ty}</dd>
                <dt>"Regular expressions"</dt>
                <dd>{move || meters().regexes}</dd>
            </dl>
        </section>
        <section class="section" aria-labelledby="limits-heading">
            <div class="section-head"><h2 id="limits-heading">"Limits"</h2></div>
            <div class="meters">
                <Meter label="Characters" value=Signal::derive(move || meters().length) limit=Signal::derive(move || meters().max_length) />
                <Meter label="Nesting" value=Signal::derive(move || meters().depth) limit=Signal::derive(move || meters().max_depth) />
            </div>
        </section>
    }
}
