//! The filter of a rule: a new one with its editor, or an existing one.

use super::filter_picker::{FilterPicker, FixedFilter};
use super::submit::RuleFormModel;
use crate::analysis::AnalyzedSource;
use crate::api::ApiError;
use crate::components::code_explanation::CodeExplanation;
use crate::components::editor::{Editor, EditorHandle};
use crate::components::form::{FieldGroup, Form, Submission, SubmissionOutcome, errors_at};
use crate::components::problems::Problems;
use crate::state::rule_draft::RuleDraft;
use leptos::prelude::*;
use zonewright_api::{ErrorObject, error_code};
use zonewright_firewall::expression_options;

const POINTER: &str = "/filter";

/// The field with the diagnostics of the expression.
#[component]
pub(super) fn FilterField(
    /// The submission of the form.
    submission: Submission<RuleFormModel>,
    /// Called when the user opens the list of filters.
    show_filters: Callback<()>,
) -> impl IntoView {
    let draft = RuleDraft::get();
    let form = submission.form;
    let analyzed = AnalyzedSource::follow(draft.expression, Signal::derive(move || expression_options(form.plan())));
    let handle = EditorHandle::new(draft.expression);
    let code = RwSignal::new(None);
    let error = Signal::derive(move || unlisted_error(submission));
    let has_text = move || !draft.uses_existing_filter.get() && !draft.expression.read().is_empty();
    // The list of diagnostics is hidden if it would report success for a rejected expression, or an error for an empty
    // expression before the submission.
    let hides_problems = move || {
        let has_no_diagnostics = analyzed.read().diagnostics().is_empty();
        draft.uses_existing_filter.get()
            || !has_text() && !submission.invalid.get()
            || has_no_diagnostics && !error.read().is_empty()
    };
    let is_invalid = move || {
        !error.read().is_empty()
            || submission.invalid.get() && !errors_at(&submission.errors.read(), POINTER).is_empty()
    };
    let picker = move || {
        if form.is_edit() {
            view! { <FixedFilter /> }.into_any()
        } else {
            view! { <FilterPicker show_filters /> }.into_any()
        }
    };
    view! {
        <FieldGroup id="rule-filter" label="Expression" error invalid=Signal::derive(is_invalid)>
            {picker}
            <div class="small-editor" hidden=draft.uses_existing_filter>
                <Editor label="Filter expression" placeholder="http.host eq \"example.com\"" handle analyzed />
            </div>
        </FieldGroup>
        <div class="form-problems" hidden=hides_problems>
            <Problems analyzed handle source=draft.expression show_page=Callback::new(move |page| code.set(Some(page))) />
        </div>
        <CodeExplanation code />
    }
}

/// Returns the errors of the filter that the list of diagnostics does not show, such as a duplicate.
fn unlisted_error(submission: Submission<RuleFormModel>) -> String {
    if submission.invalid.get() {
        let is_unlisted = |error: &&ErrorObject| error.code != error_code::INVALID_EXPRESSION;
        let errors: Vec<ErrorObject> = submission.errors.read().iter().filter(is_unlisted).cloned().collect();
        return errors_at(&errors, POINTER).join("\n");
    }
    let messages = match &*submission.outcome.read() {
        Some(SubmissionOutcome::Rejected(ApiError::Response { errors, .. })) => errors_at(errors, POINTER),
        _ => Vec::new(),
    };
    messages.join("\n")
}
