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
use crate::share::{SharedFilter, find_filter_secrets};
use crate::state::log_filter_draft::LogFilterDraft;
use crate::state::log_filter_draft::{EXAMPLE, LogFilterPanel};
use crate::state::toasts::ToastContext;
use leptos::prelude::*;
use zonewright_diagnostic::Span;
use zonewright_logpush::ast::Encoding;
use zonewright_logpush::{Dataset, Scope, check};
use zonewright_logpush::{FormatOptions, FormatStyle, format, simplify};

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
    let replace = move |text: &str| {
        filter.source.set(text.to_owned());
        workbench.handle.select(&workbench.analyzed.get_untracked(), Span::new(text.len(), text.len()));
    };
    let reformat = move |style: FormatStyle| {
        let options = FormatOptions { style, ..FormatOptions::default() };
        // The signal is read before it is written, because it cannot be written during a read.
        let formatted = filter.source.with_untracked(|source| format(source, &options).text);
        match formatted {
            Some(text) => filter.source.set(text),
            None => toasts.show_error("Fix the syntax errors before formatting"),
        }
    };
    let run_simplify = move || match simplify_filter(workbench) {
        Some(message) => toasts.show_success(message),
        None => toasts.show_error("Fix the errors before simplifying"),
    };
    let fix_all = move || {
        if let Some(fixed) = workbench.analyzed.get_untracked().with_safe_fixes() {
            filter.source.set(fixed);
        }
    };
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
    let encoding = Signal::derive(move || workbench.analyzed.read().analysis.encoding);
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
            secrets=Callback::new(move |()| find_filter_secrets(&filter.source.read()))
        />
    }
}

/// Simplifies the filter. Returns a message about the result, or `None` if the filter has errors.
fn simplify_filter(workbench: WorkbenchContext) -> Option<String> {
    let analyzed = workbench.analyzed.get_untracked();
    let program = check(&analyzed.source, &analyzed.options).program?;
    let root = simplify(&program);
    let before = analyzed.analysis.usage.operators;
    workbench.write(&root);
    let after = workbench.analyzed.get_untracked().analysis.usage.operators;
    Some(match before.saturating_sub(after) {
        0 => "No operators to remove".to_owned(),
        1 => "Removed 1 operator; the filter matches the same lines".to_owned(),
        fewer => format!("Removed {fewer} operators; the filter matches the same lines"),
    })
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
