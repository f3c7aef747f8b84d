//! The value of a condition: displayed as text, written with the type of its field.

use super::context::{Control, WorkbenchContext};
use super::tree::{self, NodePath};
use crate::components::icon::{Icon, IconView};
use leptos::ev;
use leptos::prelude::*;
use zonewright_logpush::ast::{Condition, Json, JsonKind};
use zonewright_logpush::{Field, FieldType, Operator};

/// A condition as text, for its row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ConditionValues {
    pub(super) key: String,
    pub(super) operator: String,
    /// One text for a scalar; one text for each item of a list.
    pub(super) values: Vec<String>,
}

impl ConditionValues {
    pub(super) fn from_condition(condition: &Condition) -> ConditionValues {
        let text = |text: &Option<zonewright_logpush::ast::StringLiteral>| text.as_ref().map(|text| text.text.clone());
        let values = match condition.value.as_ref().map(|value| &value.kind) {
            Some(JsonKind::Array(items)) => items.iter().map(|item| to_input_text(&item.kind)).collect(),
            Some(other) => vec![to_input_text(other)],
            None => Vec::new(),
        };
        ConditionValues {
            key: text(&condition.key).unwrap_or_default(),
            operator: text(&condition.operator).unwrap_or_default(),
            values,
        }
    }

    fn first(&self) -> String {
        self.values.first().cloned().unwrap_or_default()
    }
}

fn to_input_text(kind: &JsonKind) -> String {
    match kind {
        JsonKind::String(text) | JsonKind::Number(text) => text.clone(),
        JsonKind::Bool(true) => "true".to_owned(),
        JsonKind::Bool(false) => "false".to_owned(),
        JsonKind::Null | JsonKind::Array(_) | JsonKind::Object(_) | JsonKind::Invalid => String::new(),
    }
}

/// Converts a text to a value of a field: a number or a Boolean if the field has such a type and the text is one,
/// otherwise a string.
fn parse_scalar(text: &str, field: Option<&Field>) -> Json {
    let trimmed = text.trim();
    let is_number = || serde_json::from_str::<serde_json::Number>(trimmed).is_ok();
    tree::json_value(match (field.map(|field| field.ty), trimmed) {
        (Some(FieldType::Bool), "true") => JsonKind::Bool(true),
        (Some(FieldType::Bool), "false") => JsonKind::Bool(false),
        (Some(FieldType::Int | FieldType::Float | FieldType::Timestamp | FieldType::Ints), _) if is_number() => {
            JsonKind::Number(trimmed.to_owned())
        }
        _ => JsonKind::String(text.to_owned()),
    })
}

fn is_list_operator(operator: &str) -> bool {
    Operator::from_name(operator).is_some_and(Operator::takes_list)
}

/// Sets the field of a condition. Operator and value remain if they fit the field.
pub(super) fn set_key(condition: &mut Condition, key: &str, field: Option<&Field>) {
    condition.key = Some(tree::string_literal(key));
    let Some(field) = field else { return };
    let operator = condition.operator.as_ref().map(|operator| operator.text.clone()).unwrap_or_default();
    let is_supported = |operator: &Operator| operator.supports(field.ty);
    if Operator::from_name(&operator).is_none_or(|operator| !is_supported(&operator))
        && let Some(first) = Operator::ALL.into_iter().find(is_supported)
    {
        condition.operator = Some(tree::string_literal(first.name()));
    }
    coerce_value(condition, Some(field), true);
}

/// Sets the operator of a condition. If necessary, a value becomes a list of one item, and a list becomes its first
/// item.
pub(super) fn set_operator(condition: &mut Condition, name: &str, field: Option<&Field>) {
    condition.operator = Some(tree::string_literal(name));
    coerce_value(condition, field, false);
}

/// Converts the value to a list or a scalar, as the operator requires. With `retype`, also converts it to the type of
/// the field.
fn coerce_value(condition: &mut Condition, field: Option<&Field>, retype: bool) {
    let condition_values = ConditionValues::from_condition(condition);
    let takes_list = is_list_operator(&condition_values.operator);
    let is_list = matches!(condition.value, Some(Json { kind: JsonKind::Array(_), .. }));
    if takes_list != is_list || retype {
        set_values(condition, condition_values.values, field);
    }
}

/// Sets the values: all of them for a list, otherwise the first one. A Boolean field without a Boolean value gets
/// `true`.
fn set_values(condition: &mut Condition, values: Vec<String>, field: Option<&Field>) {
    let takes_list = condition.operator.as_ref().is_some_and(|operator| is_list_operator(&operator.text));
    let first = || values.first().cloned().unwrap_or_default();
    condition.value = Some(if takes_list {
        let items = values.iter().filter(|value| !value.is_empty()).map(|value| parse_scalar(value, field));
        tree::json_value(JsonKind::Array(items.collect()))
    } else if field.is_some_and(|field| field.ty == FieldType::Bool) && !matches!(first().as_str(), "true" | "false") {
        tree::json_value(JsonKind::Bool(true))
    } else {
        parse_scalar(&first(), field)
    });
}

/// The control of the value.
#[component]
pub(super) fn Value(
    /// The path of the condition.
    stored_path: StoredValue<NodePath>,
    /// The accessible name of the condition.
    name: Signal<String>,
    /// The text of the condition.
    condition_values: Memo<ConditionValues>,
    /// The field of the condition, if the dataset has it.
    field: Memo<Option<&'static Field>>,
) -> impl IntoView {
    let workbench = WorkbenchContext::get();
    let write = move |values: Vec<String>, is_typed: bool| {
        let field = field.get_untracked();
        let Some(path) = stored_path.try_get_value() else { return };
        let change = move |root: &mut _| {
            tree::change_condition(root, &path, |condition| set_values(condition, values, field));
            Some(path)
        };
        if is_typed { workbench.edit_typed(change) } else { workbench.edit(None, change) }
    };
    let set = move |values| write(values, false);
    let id = move || Control::Value.id(&stored_path.get_value());
    let label = move || format!("{}: value", name.get());
    let kind = Memo::new(move |_| {
        let ty = field.get().map(|field| field.ty);
        if is_list_operator(&condition_values.read().operator) {
            ValueControl::List
        } else if ty == Some(FieldType::Bool) {
            ValueControl::Boolean
        } else {
            ValueControl::Text
        }
    });
    let hint = move || match field.get().map(|field| field.ty) {
        Some(FieldType::Int | FieldType::Ints) => "integer",
        Some(FieldType::Float) => "number",
        Some(FieldType::Timestamp) => "Unix time in nanoseconds",
        _ => "text",
    };
    move || match kind.get() {
        ValueControl::Boolean => view! {
            <select
                class="mono build-value"
                id=id()
                aria-label=label
                prop:value=move || condition_values.read().first()
                on:change=move |event| set(vec![event_target_value(&event)])
            >
                <option value="true" selected=move || condition_values.read().first() == "true">"true"</option>
                <option value="false" selected=move || condition_values.read().first() == "false">"false"</option>
            </select>
        }
        .into_any(),
        ValueControl::Text => view! {
            <input
                type="text"
                class="mono build-value"
                id=id()
                aria-label=label
                placeholder=hint
                inputmode=move || if hint() == "text" { "text" } else { "decimal" }
                autocomplete="off"
                autocapitalize="off"
                spellcheck="false"
                prop:value=move || condition_values.read().first()
                on:input=move |event| write(vec![event_target_value(&event)], true)
            />
        }
        .into_any(),
        ValueControl::List => {
            view! { <ListInput id=id() name condition_values hint=Signal::derive(hint) set=Callback::new(set) /> }
                .into_any()
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ValueControl {
    Text,
    Boolean,
    List,
}

/// The items of a list, each with a button to remove it, and an input that adds more.
#[component]
fn ListInput(
    /// The ID of the input.
    id: String,
    /// The accessible name of the condition.
    name: Signal<String>,
    /// The text of the condition.
    condition_values: Memo<ConditionValues>,
    /// The placeholder of the input.
    hint: Signal<&'static str>,
    /// Called with the new items.
    set: Callback<Vec<String>>,
) -> impl IntoView {
    let typed = RwSignal::new(String::new());
    let values = move || condition_values.get_untracked().values;
    // Leaving the input also adds its text.
    let add_typed = move || {
        // Removing the row also blurs the input; its signals are disposed by then.
        let Some(text) = typed.try_get_untracked() else { return };
        let new_values = text.split([',', '\n']).map(str::trim).filter(|value| !value.is_empty()).map(str::to_owned);
        let all: Vec<String> = values().into_iter().chain(new_values).collect();
        if all.len() > values().len() {
            typed.set(String::new());
            set.run(all);
        }
    };
    let on_keydown = move |event: ev::KeyboardEvent| match event.key().as_str() {
        "Enter" | "," if !event.ctrl_key() && !event.meta_key() && !event.is_composing() => {
            event.prevent_default();
            add_typed();
        }
        "Backspace" if typed.read_untracked().is_empty() && !values().is_empty() => {
            let mut remaining = values();
            remaining.pop();
            set.run(remaining);
        }
        _ => {}
    };
    let chips = move || {
        let chip = |(index, text): (usize, String)| {
            let remove = move |_| {
                let remaining =
                    values().into_iter().enumerate().filter(|(position, _)| *position != index).map(|(_, value)| value);
                set.run(remaining.collect());
            };
            let label = format!("Remove {text}");
            view! {
                <span class="chip">
                    <span class="mono">{text}</span>
                    <button type="button" class="chip-remove" aria-label=label on:click=remove><IconView icon=Icon::Close /></button>
                </span>
            }
        };
        condition_values.get().values.into_iter().enumerate().map(chip).collect_view()
    };
    view! {
        <div class="build-value chips">
            {chips}
            <input
                type="text"
                class="mono"
                id=id
                aria-label=move || format!("{}: add a value", name.get())
                placeholder=move || if condition_values.read().values.is_empty() { hint.get() } else { "more" }
                autocomplete="off"
                autocapitalize="off"
                spellcheck="false"
                prop:value=typed
                on:input=move |event| typed.set(event_target_value(&event))
                on:keydown=on_keydown
                on:blur=move |_| add_typed()
            />
        </div>
    }
}
