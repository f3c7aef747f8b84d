//! The toolbar of the expression editor.

use crate::clipboard;
use crate::commands::{self, Command, handler};
use crate::components::editor::EditorHandle;
use crate::components::icon::{Icon, IconView};
use crate::components::recipe_gallery::{RecipeCard, RecipeGallery};
use crate::components::segmented_control::SegmentedControl;
use crate::components::share_dialog::ShareDialog;
use crate::recipes::RECIPES;
use crate::share::{SharedExpression, find_expression_secrets};
use crate::state::expression::{ExpressionContext, example};
use crate::state::expression_tools::ExpressionToolsContext;
use crate::state::page_request::PageRequests;
use crate::state::toasts::ToastContext;
use leptos::prelude::*;
use zonewright_diagnostic::Span;
use zonewright_expression::{FormatOptions, FormatStyle, Kind, format};

/// The row above the editor: the kind of the expression, and actions on its text.
#[component]
pub(crate) fn Toolbar(
    /// The editor of the text.
    handle: EditorHandle,
) -> impl IntoView {
    let expression = ExpressionContext::get();
    let tools = ExpressionToolsContext::get();
    let requests = PageRequests::get();
    let toasts = ToastContext::get();
    let scope = expression.scope;
    let copied = RwSignal::new(false);
    let share_dialog = RwSignal::new(false);
    let gallery = RwSignal::new(false);
    let recipes = RECIPES.iter().map(|recipe| RecipeCard {
        title: recipe.title,
        note: recipe.note,
        dataset: "",
        text: recipe.text,
    });
    let recipes: Vec<RecipeCard> = recipes.collect();
    let copy = move || clipboard::copy(expression.source.get_untracked(), copied);
    let create = move || requests.open_new_rule(expression.source.get_untracked());
    // After loading a text, the editor is focused at its end.
    let replace = move |text: &str| {
        expression.source.set(text.to_owned());
        handle.select(&expression.analyzed.get_untracked(), Span::new(text.len(), text.len()));
    };
    let fix_all = move || {
        if let Some(fixed) = expression.analyzed.get_untracked().with_safe_fixes() {
            expression.source.set(fixed);
        }
    };
    let reformat = move |style: FormatStyle| {
        let options = FormatOptions { style, ..FormatOptions::default() };
        // The signal is read before it is written, because it cannot be written during a read.
        let formatted = expression.source.with_untracked(|source| format(source, &options).text);
        match formatted {
            Some(text) => expression.source.set(text),
            None => toasts.show_error("Fix the syntax errors before formatting"),
        }
    };
    let use_recipe = Callback::new(move |index: usize| {
        let Some(recipe) = RECIPES.get(index) else { return };
        scope.update(|scope| scope.kind = recipe.kind);
        if scope.get_untracked().phase.is_some() {
            scope.update(|scope| scope.phase = Some(recipe.phase));
        }
        replace(recipe.text);
    });
    let can_create_rule = move || scope.get().kind == Kind::Expression;
    let set_kind = move |kind| scope.update(|scope| scope.kind = kind);
    commands::register_page_commands(move |command| match command {
        Command::FixAll if expression.analyzed.read().safe_fix_count() > 0 => handler(fix_all),
        Command::Copy => handler(copy),
        Command::Share => handler(move || share_dialog.set(true)),
        Command::Tool(panel) => handler(move || tools.panel.set(panel)),
        Command::Recipes => handler(move || gallery.set(true)),
        Command::Format => handler(move || reformat(FormatStyle::Canonical)),
        Command::Compact => handler(move || reformat(FormatStyle::Compact)),
        Command::CreateRule if can_create_rule() => handler(create),
        Command::Kind(kind) if scope.get().kind != kind => handler(move || set_kind(kind)),
        Command::Example => handler(move || replace(example())),
        Command::Clear => handler(move || replace("")),
        _ => None,
    });
    view! {
        <div class="toolbar">
            <SegmentedControl
                label="Expression kind"
                choices=vec![(Kind::Expression, "Condition"), (Kind::Value, "Value"), (Kind::Counting, "Counting")]
                value=Signal::derive(move || scope.get().kind)
                choose=set_kind
            />
            <button type="button" class="button quiet" on:click=move |_| gallery.set(true)>"Recipes"</button>
            <button type="button" class="button quiet" on:click=move |_| reformat(FormatStyle::Canonical)>"Format"</button>
            <button type="button" class="button push" on:click=move |_| share_dialog.set(true)>"Share"</button>
            <button type="button" class="button" on:click=move |_| copy()>
                {move || view! { <IconView icon=if copied.get() { Icon::Success } else { Icon::Copy } /> }}
                <span class="copy-word">{move || if copied.get() { "Copied" } else { "Copy" }}</span>
            </button>
            <button type="button" class="button primary" on:click=move |_| create() hidden=move || !can_create_rule()>"Create rule"</button>
        </div>
        <RecipeGallery
            open=gallery
            intro="A recipe replaces the text and the expression kind. You can undo the text change."
            recipes
            choose=use_recipe
        />
        <ShareDialog
            open=share_dialog
            noun="expression"
            hash=Callback::new(move |()| SharedExpression { source: expression.source.get(), scope: expression.scope.get() }.to_hash())
            secrets=Callback::new(move |()| find_expression_secrets(&expression.source.read()))
        />
    }
}
