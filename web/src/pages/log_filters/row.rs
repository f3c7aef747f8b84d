//! A row of the builder: a group, or a condition with its key, operator and value.

use super::context::{Control, FIELD_DATALIST_ID, WorkbenchContext, path_id};
use super::tree::{self, NodeKindToAdd, NodePath};
use super::value::{self, Value};
use crate::components::icon::{Icon, IconView};
use crate::components::markdown::InlineCode;
use crate::components::menu::{Menu, MenuItem};
use leptos::ev;
use leptos::prelude::*;
use zonewright_diagnostic::Severity;
use zonewright_logpush::ast::NodeKind;
use zonewright_logpush::{Field, Operator};

/// A row at a path. It is not rebuilt when the node at its path changes.
#[component]
pub(super) fn Row(
    /// The path of the node.
    path: NodePath,
    /// Whether the node is a group.
    is_group: bool,
) -> impl IntoView {
    let workbench = WorkbenchContext::get();
    let stored_path = StoredValue::new(path);
    let path = move || stored_path.get_value();
    let name = move || {
        let numbers: Vec<String> = path().iter().map(|index| (index + 1).to_string()).collect();
        let noun = if is_group { "Group" } else { "Condition" };
        if numbers.is_empty() { noun.to_owned() } else { format!("{noun} {}", numbers.join(".")) }
    };
    let is_selected =
        Memo::new(move |_| stored_path.with_value(|path| workbench.selected_row.read().as_ref() == Some(path)));
    let problem = Memo::new(move |_| {
        let diagnostic = stored_path.with_value(|path| workbench.problem(path))?;
        Some((diagnostic.severity, diagnostic.message))
    });
    let on_keydown = move |event: ev::KeyboardEvent| {
        let down = match event.key().as_str() {
            "ArrowDown" if event.alt_key() && event.shift_key() => true,
            "ArrowUp" if event.alt_key() && event.shift_key() => false,
            "Enter" if event.ctrl_key() || event.meta_key() => {
                event.prevent_default();
                let new = move |root: &mut _| {
                    if is_group {
                        tree::add(root, &path(), NodeKindToAdd::Condition)
                    } else {
                        tree::add_after(root, &path())
                    }
                };
                return workbench.edit(Some(Control::Key), new);
            }
            _ => return,
        };
        event.prevent_default();
        workbench.edit(Some(control_from_event(&event)), move |root| tree::move_node(root, &path(), down));
    };
    let available_items = Callback::new(move |()| available_menu_items(workbench, path(), is_group));
    let depth = stored_path.with_value(Vec::len).to_string();
    view! {
        <li
            class="build-row"
            class:group=is_group
            class:selected=is_selected
            style:--depth=depth
            data-path=stored_path.with_value(|path| path_id(path))
            aria-label=name
            on:focusin=move |_| workbench.select_row(&path())
            on:keydown=on_keydown
        >
            <div class="build-line">
                {if is_group {
                    view! { <Group stored_path name=Signal::derive(name) /> }.into_any()
                } else {
                    view! { <Condition stored_path name=Signal::derive(name) /> }.into_any()
                }}
                <Menu
                    id=Signal::derive(move || Control::Menu.id(&path()))
                    label=Signal::derive(move || format!("{}: more actions", name()))
                    available_items
                />
            </div>
            {move || problem.get().map(|(severity, message)| {
                let class = if severity == Severity::Error { "field-error" } else { "field-help build-remark" };
                view! { <p class=class><IconView icon=Icon::for_severity(severity) /><span><InlineCode text=message /></span></p> }
            })}
        </li>
    }
}

/// Returns the control of the row that an event originates from.
fn control_from_event(event: &ev::KeyboardEvent) -> Control {
    let element = event.target().and_then(|target| wasm_bindgen::JsCast::dyn_into::<web_sys::Element>(target).ok());
    let id = element.map(|element| element.id()).unwrap_or_default();
    match id.rsplit('-').next() {
        Some("key") => Control::Key,
        Some("operator") => Control::Operator,
        Some("value") => Control::Value,
        _ => Control::Menu,
    }
}

/// Returns the actions that are available for a row.
fn available_menu_items(workbench: WorkbenchContext, path: NodePath, is_group: bool) -> Vec<MenuItem> {
    let tree = workbench.tree.get_untracked();
    let Some(root) = tree.root.as_ref().filter(|_| !tree.is_stale) else { return Vec::new() };
    let path = StoredValue::new(path);
    let item = |label, keys, act: fn(WorkbenchContext, NodePath)| MenuItem {
        label,
        keys,
        act: Callback::new(move |()| act(workbench, path.get_value())),
    };
    let current_path = path.get_value();
    let mut items = Vec::new();
    if is_group {
        items.push(item("Add condition", "Ctrl+Enter", |workbench, path| {
            workbench.edit(Some(Control::Key), move |root| tree::add(root, &path, NodeKindToAdd::Condition));
        }));
        items.push(item("Add group", "", |workbench, path| {
            workbench.edit(Some(Control::Key), move |root| tree::add(root, &path, NodeKindToAdd::Group));
        }));
    }
    if tree::can_move(root, &current_path, false) {
        items.push(item("Move up", "Alt+Shift+↑", |workbench, path| {
            workbench.edit(Some(Control::Menu), move |root| tree::move_node(root, &path, false));
        }));
    }
    if tree::can_move(root, &current_path, true) {
        items.push(item("Move down", "Alt+Shift+↓", |workbench, path| {
            workbench.edit(Some(Control::Menu), move |root| tree::move_node(root, &path, true));
        }));
    }
    if !current_path.is_empty() {
        items.push(item("Duplicate", "", |workbench, path| {
            workbench.edit(Some(Control::Menu), move |root| tree::duplicate(root, &path));
        }));
    }
    items.push(item("Wrap in a group", "", |workbench, path| {
        workbench.edit(Some(Control::Menu), move |root| tree::wrap_in_group(root, &path));
    }));
    if tree::can_ungroup(root, &current_path) {
        items.push(item("Ungroup", "", |workbench, path| {
            workbench.edit(Some(Control::Menu), move |root| tree::ungroup(root, &path));
        }));
    }
    items.push(item("Remove", "", |workbench, path| workbench.remove(&path)));
    items
}

/// The controls of a group: `and` or `or`, and a button to add a condition.
#[component]
fn Group(
    /// The path of the group.
    stored_path: StoredValue<NodePath>,
    /// The accessible name of the group.
    name: Signal<String>,
) -> impl IntoView {
    let workbench = WorkbenchContext::get();
    let is_or = Memo::new(move |_| {
        let tree = workbench.tree.read();
        let node = tree.root.as_ref().and_then(|root| stored_path.with_value(|path| tree::node_at(root, path)));
        node.is_some_and(|node| matches!(node.kind, NodeKind::Or(_)))
    });
    let choose = move |event| {
        let selects_or = event_target_value(&event) == "or";
        workbench.edit(None, move |root| {
            tree::set_group_operator(root, &stored_path.get_value(), selects_or);
            Some(stored_path.get_value())
        });
    };
    let add = move |_| {
        workbench
            .edit(Some(Control::Key), move |root| tree::add(root, &stored_path.get_value(), NodeKindToAdd::Condition));
    };
    view! {
        <select
            class="build-join"
            id=Control::Key.id(&stored_path.get_value())
            aria-label=move || format!("{}: how many must match", name.get())
            prop:value=move || if is_or.get() { "or" } else { "and" }
            on:change=choose
        >
            <option value="and" selected=move || !is_or.get()>"All of these match"</option>
            <option value="or" selected=is_or>"At least one matches"</option>
        </select>
        <code class="quiet">{move || if is_or.get() { "or" } else { "and" }}</code>
        <button type="button" class="button quiet small square push" aria-label=move || format!("{}: add a condition", name.get()) title="Add a condition" on:click=add>
            <IconView icon=Icon::Plus />
        </button>
    }
}

/// The three controls of a condition.
#[component]
fn Condition(
    /// The path of the condition.
    stored_path: StoredValue<NodePath>,
    /// The accessible name of the condition.
    name: Signal<String>,
) -> impl IntoView {
    let workbench = WorkbenchContext::get();
    let condition_values = Memo::new(move |before: Option<&value::ConditionValues>| {
        let tree = workbench.tree.read();
        let condition =
            tree.root.as_ref().and_then(|root| stored_path.with_value(|path| tree::condition_at(root, path)));
        // A row that is being removed shows its last condition.
        condition.map(value::ConditionValues::from_condition).or_else(|| before.cloned()).unwrap_or_default()
    });
    let field = Memo::new(move |_| workbench.filter.dataset.get().field(&condition_values.read().key));
    let id = move |control: Control| control.id(&stored_path.get_value());
    let change = move |act: Box<dyn FnOnce(&mut zonewright_logpush::ast::Condition)>| {
        let Some(path) = stored_path.try_get_value() else { return };
        workbench.edit(None, move |root| {
            tree::change_condition(root, &path, act);
            Some(path)
        });
    };
    let set_key = move |event| {
        let key = event_target_value(&event);
        let field = workbench.filter.dataset.get_untracked().field(key.trim());
        change(Box::new(move |condition| value::set_key(condition, key.trim(), field)));
    };
    let set_operator = move |event| {
        let name = event_target_value(&event);
        let field = field.get_untracked();
        change(Box::new(move |condition| value::set_operator(condition, &name, field)));
    };
    view! {
        <div class="build-key">
            <input
                type="text"
                class="mono"
                id=id(Control::Key)
                list=FIELD_DATALIST_ID
                aria-label=move || format!("{}: field", name.get())
                aria-invalid=move || field.get().is_none().then_some("true")
                placeholder="field"
                title=move || condition_values.read().key.clone()
                autocomplete="off"
                autocapitalize="off"
                spellcheck="false"
                prop:value=move || condition_values.read().key.clone()
                on:change=set_key
            />
            <span class="build-type">{move || field.get().map(|field| field.ty.name())}</span>
        </div>
        <select
            class="mono build-operator"
            id=id(Control::Operator)
            aria-label=move || format!("{}: operator", name.get())
            prop:value=move || condition_values.read().operator.clone()
            on:change=set_operator
        >
            {move || render_operators(field.get(), &condition_values.read().operator)}
        </select>
        <Value stored_path name condition_values field />
    }
}

/// Renders the operators that accept a field's type, and the current operator even if it does not.
fn render_operators(field: Option<&'static Field>, current: &str) -> impl IntoView + use<> {
    let is_supported = |operator: &Operator| field.is_none_or(|field| operator.supports(field.ty));
    let supported: Vec<&'static str> = Operator::ALL.into_iter().filter(is_supported).map(Operator::name).collect();
    let unsupported = (!supported.contains(&current)).then(|| current.to_owned());
    let current = current.to_owned();
    let unsupported =
        unsupported.map(|name| view! { <option value=name.clone() selected=true>{name.clone()}</option> });
    let rows: Vec<_> = supported
        .into_iter()
        .map(|name| view! { <option value=name selected=name == current>{name}</option> })
        .collect();
    view! { {unsupported} {rows} }
}
