//! The toolbar of the filter editor: dataset, encoding, and actions on the text.

use super::context::WorkbenchContext;
use super::recipes::RECIPES;
use super::tree;
use crate::clipboard;
use crate::commands::{self, Command, LogFilterCommand, handler};
use crate::components::icon::{Icon, IconView};
use crate::components::recipe_gallery::{RecipeCard, RecipeGallery};
use crate::components::segmented_control::SegmentedControl;
use crate::components::share_dialog::ShareDialog;
use crate::engine::answers::TextResult;
use crate::engine::{Channel, EngineError, Worker, to_js};
use crate::language::{FilterFacts, Language};
use crate::rewrite::{apply_safe_fixes, rewrite};
use crate::share::{SharedFilter, find_secrets_in};
use crate::state::log_filter_draft::LogFilterDraft;
use crate::state::log_filter_draft::{EXAMPLE, LogFilterPanel};
use crate::state::toasts::ToastContext;
use leptos::prelude::*;
use leptos::task::spawn_local;
use zonewright_logpush::ast::Encoding;
use zonewright_logpush::{Dataset, FormatStyle, Scope};

/// The toolbar.
#[component]
pub(super) fn Toolbar(
    /// The index of the pane that a narrow screen shows.
    active: RwSignal<u8>,
) -> impl IntoView {
    let toasts = ToastContext::get();
    let workbench = WorkbenchContext::get();
    let filter = workbench.filter;
    let copied = RwSignal::new(false);
    let gallery = RwSignal::new(false);
    let recipes = RECIPES.iter().map(|recipe| RecipeCard {
        title: recipe.title,
        note: recipe.note,
        dataset: recipe.dataset,
        text: recipe.text,
    });
    let recipes: Vec<RecipeCard> = recipes.collect();
    let share_dialog = RwSignal::new(false);
    let copy = move || clipboard::copy(filter.source.get_untracked(), copied);
    let replace = move |text: &str| workbench.handle.replace(text);
    let reformat = move |style: FormatStyle| {
        let options = to_js(&serde_json::json!({ "style": style_name(style) }));
        rewrite(filter.source, "logpush.format".to_owned(), options, "Fix the syntax errors before formatting");
    };
    let run_simplify = move || spawn_local(simplify_filter(workbench, toasts));
    let fix_all = move || apply_safe_fixes(filter.source, &workbench.analyzed.get_untracked().options);
    let use_recipe = Callback::new(move |index: usize| {
        let Some(recipe) = RECIPES.get(index) else { return };
        if let Some(dataset) = Dataset::from_name(recipe.dataset) {
            filter.dataset.set(dataset);
        }
        replace(recipe.text);
    });
    let add = move || {
        filter.panel.set(LogFilterPanel::Build);
        active.set(1);
        workbench.edit(Some(super::context::Control::Key), |root| tree::add(root, &[], tree::NodeKindToAdd::Condition));
    };
    let encoding = Signal::derive(move || workbench.tree.read().encoding);
    let has_text = move || !filter.source.read().trim().is_empty();
    commands::register_page_commands(move |command| match command {
        Command::FixAll if workbench.analyzed.read().safe_fix_count() > 0 => handler(fix_all),
        Command::Recipes => handler(move || gallery.set(true)),
        Command::LogFilter(LogFilterCommand::Share) => handler(move || share_dialog.set(true)),
        Command::Example => handler(move || {
            filter.dataset.set(Dataset::http_requests());
            replace(EXAMPLE);
        }),
        Command::LogFilter(command) => match command {
            LogFilterCommand::Copy if has_text() => handler(copy),
            LogFilterCommand::Pretty if has_text() => handler(move || reformat(FormatStyle::Pretty)),
            LogFilterCommand::Compact if has_text() => handler(move || reformat(FormatStyle::Compact)),
            LogFilterCommand::Simplify if has_text() => handler(run_simplify),
            LogFilterCommand::AddCondition if !workbench.tree.read().is_stale => handler(add),
            LogFilterCommand::Clear => handler(move || replace("")),
            LogFilterCommand::Panel(panel) => handler(move || {
                filter.panel.set(panel);
                active.set(1);
            }),
            _ => None,
        },
        _ => None,
    });
    view! {
        <div class="toolbar">
            <DatasetSelect />
            <button type="button" class="button quiet push" on:click=move |_| gallery.set(true)>"Recipes"</button>
            <button type="button" class="button" on:click=move |_| share_dialog.set(true)>"Share"</button>
            <button type="button" class="button" on:click=move |_| copy()>
                {move || view! { <IconView icon=if copied.get() { Icon::Success } else { Icon::Copy } /> }}
                <span class="copy-word">{move || if copied.get() { "Copied" } else { "Copy" }}</span>
            </button>
        </div>
        <div class="toolbar">
            <SegmentedControl
                label="Filter encoding"
                choices=vec![(Encoding::Object, "Object"), (Encoding::Escaped, "Escaped string")]
                value=encoding
                choose=move |encoding| reformat(if encoding == Encoding::Escaped { FormatStyle::Escaped } else { FormatStyle::Pretty })
            />
            <div class="toolbar-group">
                <button type="button" class="button quiet" on:click=move |_| reformat(FormatStyle::Pretty)>"Format"</button>
                <button type="button" class="button quiet" on:click=move |_| reformat(FormatStyle::Compact)>"Minify"</button>
                <button type="button" class="button quiet" on:click=move |_| run_simplify()>"Simplify"</button>
            </div>
        </div>
        <RecipeGallery
            open=gallery
            intro="A recipe replaces the filter and the dataset. You can undo the text change."
            recipes
            choose=use_recipe
        />
        <ShareDialog
            open=share_dialog
            noun="filter"
            hash=Callback::new(move |()| SharedFilter { source: filter.source.get(), dataset: filter.dataset.get() }.to_hash())
            secrets=Callback::new(move |()| find_secrets_in(&filter.source.read()))
        />
    }
}

/// Returns the name of a style in the options of the engine.
fn style_name(style: FormatStyle) -> &'static str {
    match style {
        FormatStyle::Pretty => "pretty",
        FormatStyle::Compact => "compact",
        FormatStyle::Escaped => "escaped",
    }
}

/// Simplifies the filter in the style of its text, unless the text changes in the meantime, and shows a message about the
/// result.
async fn simplify_filter(workbench: WorkbenchContext, toasts: ToastContext) {
    let channel = Channel::new(Worker::Editor);
    let source = workbench.filter.source;
    let before = source.get_untracked();
    let options = workbench.analyzed.with_untracked(|analyzed| analyzed.options.to_js());
    let style = to_js(&serde_json::json!({ "style": style_name(workbench.style()) }));
    let count = async |text: &str| -> Result<usize, EngineError> {
        let facts: FilterFacts = channel.call("logpush.analyze", vec![text.into(), options.clone()]).await?;
        Ok(facts.usage.operators)
    };
    let simplify = async || -> Result<Option<(String, usize)>, EngineError> {
        let values = vec![before.as_str().into(), options.clone()];
        let TextResult { text: simplified } = channel.call("logpush.simplify", values).await?;
        let Some(simplified) = simplified else { return Ok(None) };
        let removed = count(&before).await?.saturating_sub(count(&simplified).await?);
        let formatted: TextResult = channel.call("logpush.format", vec![simplified.as_str().into(), style]).await?;
        Ok(formatted.text.map(|text| (text, removed)))
    };
    match simplify().await {
        Err(EngineError::Superseded) => {}
        Err(EngineError::Failed(reason)) => toasts.show_error(format!("The filter was not simplified: {reason}")),
        Ok(None) => toasts.show_error("Fix the errors before simplifying"),
        Ok(Some((text, removed))) => {
            if source.try_with_untracked(|current| *current == before) != Some(true) {
                return;
            }
            source.set(text);
            toasts.show_success(match removed {
                0 => "No operators to remove".to_owned(),
                1 => "Removed 1 operator; the filter matches the same lines".to_owned(),
                fewer => format!("Removed {fewer} operators; the filter matches the same lines"),
            });
        }
    }
}

/// Selects the dataset of the filter.
#[component]
fn DatasetSelect() -> impl IntoView {
    let selected = LogFilterDraft::get().dataset;
    let scopes = [(Scope::Zone, "Zone"), (Scope::Account, "Account"), (Scope::Both, "Zone or account")];
    let groups = scopes.map(|(scope, label)| {
        let options = Dataset::all().iter().filter(|dataset| dataset.scope == scope).map(|dataset| {
            view! { <option value=dataset.name selected=move || selected.get() == dataset>{dataset.name}</option> }
        });
        view! { <optgroup label=label>{options.collect_view()}</optgroup> }
    });
    let choose = move |event| {
        if let Some(dataset) = Dataset::from_name(&event_target_value(&event)) {
            selected.set(dataset);
        }
    };
    let field_count = move || format!("{} fields", selected.get().fields.len());
    view! {
        <label class="selector dataset">
            <span>"Dataset"</span>
            <select prop:value=move || selected.get().name on:change=choose>{groups.collect_view()}</select>
        </label>
        <span class="quiet dataset-about">{field_count}</span>
    }
}
