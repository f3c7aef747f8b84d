//! The toolbar of the expression editor.

use crate::clipboard;
use crate::commands::{self, Command, handler};
use crate::components::editor::EditorHandle;
use crate::components::icon::{Icon, IconView};
use crate::components::recipe_gallery::{RecipeCard, RecipeGallery};
use crate::components::segmented_control::SegmentedControl;
use crate::components::share_dialog::ShareDialog;
use crate::engine::to_js;
use crate::recipes::RECIPES;
use crate::rewrite::{apply_safe_fixes, rewrite};
use crate::share::{SharedExpression, find_secrets_in};
use crate::state::expression::{ExpressionContext, example};
use crate::state::expression_tools::ExpressionToolsContext;
use crate::state::page_request::PageRequests;
use leptos::prelude::*;
use zonewright_expression::Kind;

/// The row above the editor: the kind of the expression, and actions on its text.
#[component]
pub(crate) fn Toolbar(
    /// The editor of the text.
    handle: EditorHandle,
) -> impl IntoView {
    let expression = ExpressionContext::get();
    let tools = ExpressionToolsContext::get();
    let requests = PageRequests::get();
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
    let replace = move |text: &str| handle.replace(text);
    let fix_all = move || apply_safe_fixes(expression.source, &expression.scope.get_untracked().options());
    let reformat = move |style: &'static str| {
        let options = to_js(&serde_json::json!({ "style": style }));
        rewrite(expression.source, "format".to_owned(), options, "Fix the syntax errors before formatting");
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
        Command::Format => handler(move || reformat("canonical")),
        Command::Compact => handler(move || reformat("compact")),
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
            <button type="button" class="button quiet" on:click=move |_| reformat("canonical")>"Format"</button>
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
            secrets=Callback::new(move |()| find_secrets_in(&expression.source.read()))
        />
    }
}
