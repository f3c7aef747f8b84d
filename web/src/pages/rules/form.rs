//! The form of a new or an existing rule.

use super::filter_field::FilterField;
use super::labels::action_title;
use super::products::Products;
use super::submit::RuleFormModel;
use crate::components::form::{
    Checkbox, Form, SelectField, SelectOption, Submission, SubmissionNotice, SubmitRow, TextField, member_name,
};
use crate::focus::{focus_by_id, focus_first_control};
use crate::state::rule_draft::RuleDraft;
use leptos::prelude::*;
use zonewright_api::firewall::Action;

/// The right pane.
#[component]
pub(crate) fn RuleForm(
    /// Called after a rule was created or changed.
    on_saved: Callback<()>,
    /// Called when the user opens the list of filters.
    show_filters: Callback<()>,
) -> impl IntoView {
    let draft = RuleDraft::get();
    let form = RuleFormModel::new(on_saved);
    let submission = Submission::new(form);
    let is_edit = move || form.is_edit();
    let on_go_to_field = Callback::new(|(pointer, _): (String, String)| go_to_field(&pointer));
    let actions: Vec<SelectOption> =
        Action::ALL.iter().map(|action| (action.name().to_owned(), action_title(*action).to_owned())).collect();
    view! {
        <form class="scroll form" tabindex="-1" aria-labelledby="new-rule-heading" on:submit=move |event| submission.on_submit(&event) novalidate>
            <h2 id="new-rule-heading">{move || if is_edit() { "Edit rule" } else { "New rule" }}</h2>
            <FilterField submission show_filters />
            <SelectField
                id="rule-action"
                label="Action"
                error=submission.error_at("/action")
                options=actions
                value=Signal::derive(move || draft.action.get().name().to_owned())
                on_change=move |name: String| {
                    if let Some(action) = Action::from_name(&name) {
                        draft.action.set(action);
                    }
                }
            />
            {move || (draft.action.get() == Action::Bypass).then(|| view! { <Products error=submission.error_at("/products") /> })}
            <TextField
                id="rule-description"
                label="Description"
                help="Optional, up to 500 characters."
                error=submission.error_at("/description")
                spellcheck=true
                value=draft.description
                on_change=move |text| draft.description.set(text)
            />
            <TextField
                id="rule-priority"
                class="short"
                inputmode="numeric"
                label="Priority"
                help="Optional. Lower numbers run first; rules without a priority run last."
                error=submission.error_at("/priority")
                value=draft.priority
                on_change=move |text| draft.priority.set(text)
            />
            <Checkbox checked=draft.paused on_change=move |is_paused| draft.paused.set(is_paused)>
                {move || if is_edit() { "Paused" } else { "Create as paused" }}
            </Checkbox>
            <SubmissionNotice submission on_go_to_field />
            <Actions submission />
        </form>
    }
}

/// Focuses the control that an error is about.
fn go_to_field(pointer: &str) {
    if let Some(element) = document().get_element_by_id(&format!("rule-{}", member_name(pointer))) {
        focus_first_control(&element);
    }
}

/// The submit row.
#[component]
fn Actions(submission: Submission<RuleFormModel>) -> impl IntoView {
    let draft = RuleDraft::get();
    let form = submission.form;
    let reason = move || {
        form.missing_setting().unwrap_or_else(|| match (form.is_edit(), draft.uses_existing_filter.get()) {
            _ if !submission.errors.read().is_empty() => "",
            (true, _) => "Updates the rule; its filter stays the same.",
            (false, false) => "Creates the rule and its filter.",
            (false, true) => "Creates the rule with the existing filter.",
        })
    };
    let cancel = move |_| {
        if !submission.busy.get_untracked() {
            draft.reset_except_expression();
            focus_by_id("rule-action");
        }
    };
    view! {
        <SubmitRow
            submission
            id="send-reason"
            label=Signal::derive(move || if form.is_edit() { "Save changes" } else { "Create rule" })
            disabled=Signal::derive(move || form.missing_setting().is_some())
            reason=Signal::derive(reason)
        >
            {move || form.is_edit().then(|| view! {
                <button type="button" class="button" aria-disabled=move || submission.busy.get().to_string() on:click=cancel>"Cancel"</button>
            })}
        </SubmitRow>
    }
}
