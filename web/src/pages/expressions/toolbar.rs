//! Kind of the expression, and what to do with its text.

use crate::clipboard;
use crate::commands::{self, Deed, does};
use crate::components::editor::EditorHandle;
use crate::components::gallery::{Gallery, Shown};
use crate::components::icon::{Icon, Pictogram};
use crate::components::segments::Segments;
use crate::components::share_link::ShareLink;
use crate::recipes::RECIPES;
use crate::route::Route;
use crate::session::{EXAMPLE, Session};
use crate::share::{Shared, secrets};
use leptos::prelude::*;
use zonewright_diagnostic::Span;
use zonewright_expression::{FormatOptions, Kind, Style, format};

/// The row above the editor.
#[component]
pub(crate) fn Toolbar(
    /// The editor of the text.
    handle: EditorHandle,
) -> impl IntoView {
    let session = Session::get();
    let scope = session.scope;
    let copied = RwSignal::new(false);
    let shared = RwSignal::new(false);
    let gallery = RwSignal::new(false);
    let recipes = RECIPES.iter().map(|one| Shown { title: one.title, note: one.note, of: "", text: one.text });
    let recipes: Vec<Shown> = recipes.collect();
    let copy = move || clipboard::copy(session.source.get_untracked(), copied);
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
    let arrange = move |style: Style| {
        let options = FormatOptions { style, ..FormatOptions::default() };
        // The text is read before it is written: one cannot be done inside the other.
        let formatted = session.source.with_untracked(|source| format(source, &options).text);
        match formatted {
            Some(text) => session.source.set(text),
            None => session.say_problem("Fix the errors first: only a readable expression can be formatted"),
        }
    };
    let take = Callback::new(move |index: usize| {
        let Some(recipe) = RECIPES.get(index) else { return };
        scope.update(|scope| scope.kind = recipe.kind);
        if scope.get_untracked().phase.is_some() {
            scope.update(|scope| scope.phase = Some(recipe.phase));
        }
        replace(recipe.text);
    });
    let usable = move || scope.get().kind == Kind::Expression;
    let set_kind = move |kind| scope.update(|scope| scope.kind = kind);
    commands::offer(move |deed| match deed {
        Deed::FixAll if session.analyzed.read().safe() > 0 => does(fix_all),
        Deed::Copy => does(copy),
        Deed::Share => does(move || shared.set(true)),
        Deed::Tool(panel) => does(move || session.panel.set(panel)),
        Deed::Recipes => does(move || gallery.set(true)),
        Deed::Format => does(move || arrange(Style::Canonical)),
        Deed::Compact => does(move || arrange(Style::Compact)),
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
                choices=vec![(Kind::Expression, "Condition"), (Kind::Value, "Value"), (Kind::Counting, "Counting")]
                value=Signal::derive(move || scope.get().kind)
                choose=set_kind
            />
            <button type="button" class="button quiet" on:click=move |_| gallery.set(true)>"Recipes"</button>
            <button type="button" class="button quiet" on:click=move |_| arrange(Style::Canonical)>"Format"</button>
            <button type="button" class="button push" on:click=move |_| shared.set(true)>"Share"</button>
            <button type="button" class="button" on:click=move |_| copy()>
                {move || view! { <Pictogram icon=if copied.get() { Icon::Success } else { Icon::Copy } /> }}
                <span class="copy-word">{move || if copied.get() { "Copied" } else { "Copy" }}</span>
            </button>
            <button type="button" class="button primary" on:click=move |_| create() hidden=move || !usable()>"Create rule"</button>
        </div>
        <Gallery
            open=gallery
            intro="The text in the editor is replaced; undo brings it back."
            recipes
            choose=take
        />
        <ShareLink
            open=shared
            what="expression"
            hash=Callback::new(move |()| Shared { source: session.source.get(), scope: session.scope.get() }.to_hash())
            secrets=Callback::new(move |()| secrets(&session.source.read()))
        />
    }
}
