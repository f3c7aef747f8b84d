//! The fields of a job: the default set, or a selection in its order.

use super::form_context::FormContext;
use crate::components::form::FieldGroup;
use crate::components::icon::{Icon, IconView};
use crate::components::segmented_control::SegmentedControl;
use crate::focus::focus_by_id;
use leptos::prelude::*;
use zonewright_logpush::Field;

/// Largest number of fields that a search lists.
const MAX_SEARCH_RESULTS: usize = 8;

/// Selects the fields of the output: the default set, or a list.
#[component]
pub(super) fn FieldPicker() -> impl IntoView {
    let context = FormContext::get();
    let is_custom = context.select(|form| form.output.fields.is_some());
    let choose = move |custom: bool| {
        // A new selection starts with the default set.
        let names: Option<Vec<String>> = custom
            .then(|| untrack(move || context.dataset().default_fields().map(|field| field.name.to_owned()).collect()));
        if is_custom.get_untracked() != custom {
            context.update(|form| form.output.fields = names);
        }
    };
    let summary = move || {
        let form = context.draft.form.read();
        let all = context.dataset().fields.len();
        match &form.output.fields {
            Some(names) if !names.is_empty() => format!("{} of {all} fields, in this order.", names.len()),
            _ => format!(
                "{} of {all} fields: all except deprecated fields and objects, sorted by name.",
                context.dataset().default_fields().count()
            ),
        }
    };
    view! {
        <FieldGroup id="job-field_names" label="Fields" help=Signal::derive(summary) error=context.error_at("/output_options/field_names")>
            <SegmentedControl label="Fields" choices=vec![(false, "Default set"), (true, "Custom")] value=is_custom choose />
            {move || is_custom.get().then(|| view! { <FieldSearch /> <SelectedFields /> })}
        </FieldGroup>
    }
}

/// Changes the selected names.
fn update_names(context: FormContext, act: impl FnOnce(&mut Vec<String>)) {
    context.update(|form| {
        if let Some(names) = &mut form.output.fields {
            act(names);
        }
    });
}

/// Searches for fields that are not selected yet.
#[component]
fn FieldSearch() -> impl IntoView {
    let context = FormContext::get();
    let query = RwSignal::new(String::new());
    let found = Memo::new(move |_| {
        let query = query.read().to_ascii_lowercase();
        let terms: Vec<&str> = query.split_whitespace().collect();
        if terms.is_empty() {
            return Vec::new();
        }
        let form = context.draft.form.read();
        let selected_names = form.output.fields.as_deref().unwrap_or_default();
        let is_match = |field: &&Field| {
            let title = format!("{} {}", field.name, field.title()).to_ascii_lowercase();
            terms.iter().all(|term| title.contains(term)) && !selected_names.iter().any(|name| name == field.name)
        };
        let names =
            form.dataset().fields.iter().filter(is_match).map(|field| (field.name, field.ty.name(), field.deprecated));
        names.collect::<Vec<_>>()
    });
    let add = move |name: &'static str| {
        update_names(context, |names| names.push(name.to_owned()));
        focus_by_id("field-search");
    };
    let press = move |event: leptos::ev::KeyboardEvent| {
        if event.key() != "Enter" {
            return;
        }
        // Enter adds a field; it does not submit the form.
        event.prevent_default();
        let first = found.read_untracked().first().map(|(name, ..)| *name);
        if let Some(name) = first {
            add(name);
            query.set(String::new());
        }
    };
    let rows = move || {
        let found = found.get();
        let hidden_count = found.len().saturating_sub(MAX_SEARCH_RESULTS);
        let rows = found.into_iter().take(MAX_SEARCH_RESULTS).map(|(name, ty, is_deprecated)| view! {
            <li class="picked">
                <span class="picked-name"><code>{name}</code> " " <span class="quiet">{ty} {is_deprecated.then_some(", deprecated")}</span></span>
                <button type="button" class="button small" aria-label=format!("Add {name}") on:click=move |_| add(name)>"Add"</button>
            </li>
        });
        view! {
            {rows.collect_view()}
            {(hidden_count > 0).then(|| view! { <li class="quiet">{format!("and {hidden_count} more")}</li> })}
        }
    };
    let has_no_results = move || !query.read().trim().is_empty() && found.read().is_empty();
    view! {
        <input
            id="field-search"
            type="search"
            autocomplete="off"
            spellcheck="false"
            aria-label="Search for fields to add"
            placeholder="Search for fields to add"
            prop:value=query
            on:input=move |event| query.set(event_target_value(&event))
            on:keydown=press
        />
        <ul class="picks" aria-label="Matching fields" hidden=move || found.read().is_empty()>{rows}</ul>
        <p class="quiet" hidden=move || !has_no_results()>"No matching fields."</p>
    }
}

/// The selected names in their order, with buttons to move and remove them.
#[component]
fn SelectedFields() -> impl IntoView {
    let context = FormContext::get();
    let names = context.select(|form| form.output.fields.clone().unwrap_or_default());
    let swap = move |index: usize, target: usize, button: &str| {
        update_names(context, |names| {
            if index.max(target) < names.len() {
                names.swap(index, target);
            }
        });
        focus_by_id(format!("{button}-{target}"));
    };
    let rows = move || {
        let names = names.get();
        let last = names.len().saturating_sub(1);
        let row = |(index, name): (usize, String)| {
            let is_unknown = context.dataset().field(&name).is_none();
            let remove = move |_| {
                update_names(context, |names| {
                    if index < names.len() {
                        names.remove(index);
                    }
                });
                focus_by_id(format!("field-remove-{}", index.min(last.saturating_sub(1))));
            };
            view! {
                <li class="picked">
                    <code class="picked-name" class:wrong=is_unknown>{name.clone()}</code>
                    <button type="button" id=format!("field-up-{index}") class="button quiet square small"
                        aria-label=format!("Move {name} up") disabled=index == 0
                        on:click=move |_| swap(index, index.saturating_sub(1), "field-up")>
                        <IconView icon=Icon::Up />
                    </button>
                    <button type="button" id=format!("field-down-{index}") class="button quiet square small"
                        aria-label=format!("Move {name} down") disabled=index == last
                        on:click=move |_| swap(index, index + 1, "field-down")>
                        <IconView icon=Icon::Down />
                    </button>
                    <button type="button" id=format!("field-remove-{index}") class="button quiet square small"
                        aria-label=format!("Remove {name}") on:click=remove>
                        <IconView icon=Icon::Close />
                    </button>
                </li>
            }
        };
        names.into_iter().enumerate().map(row).collect_view()
    };
    let is_empty = move || names.read().is_empty();
    view! {
        <ol class="picks" aria-label="Selected fields" hidden=is_empty>{rows}</ol>
        <div class="row-buttons">
            <button type="button" class="button small" hidden=is_empty on:click=move |_| update_names(context, Vec::clear)>"Remove all"</button>
        </div>
        <p class="quiet" hidden=move || !is_empty()>"No fields selected: the default set is sent."</p>
    }
}
