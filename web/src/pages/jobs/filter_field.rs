//! The filter of a job.

use super::form_context::FormContext;
use crate::components::code_explanation::{CodeExplanation, CodeLanguage};
use crate::components::editor::{Editor, EditorHandle};
use crate::components::explanation::{ExplanationList, SourceExplanation};
use crate::components::form::FieldError;
use crate::components::problems::Problems;
use crate::route::Route;
use leptos::prelude::*;
use std::sync::Arc;
use zonewright_diagnostic::{Severity, Span};

/// The filter with its diagnostics and its explanation.
#[component]
pub(super) fn FilterField() -> impl IntoView {
    let context = FormContext::get();
    let source = context.draft.filter;
    let selected_span = RwSignal::new(None);
    let handle = EditorHandle::new(source).with_selection(selected_span);
    let explanation = SourceExplanation::follow(context.analyzed);
    let code = RwSignal::new(None);
    let is_empty = move || source.read().trim().is_empty();
    let has_no_diagnostics = move || context.analyzed.read().diagnostics().is_empty();
    let error = context.error_at("/filter");
    // The list below the editor shows the diagnostics of the engine. The field shows an error only without diagnostics.
    let other_error = move || if has_no_diagnostics() { error.get() } else { String::new() };
    let is_wrong = move || !error.read().is_empty() || context.analyzed.read().count(Severity::Error) > 0;
    let choose = Callback::new(move |(text, span): (Arc<str>, Span)| {
        if handle.reveal(&text, span) {
            selected_span.set(Some(span));
        }
    });
    let edit_in_log_filters = move |_| {
        context.draft.edit_in_log_filters();
        Route::LogFilters.navigate();
    };
    view! {
        <fieldset class="form-part" id="job-filter">
            <legend>"Filter"</legend>
            <div class="field" class:wrong=is_wrong>
                <div class="small-editor">
                    <Editor label="Job filter" placeholder="{ \"where\": { \"key\": …, \"operator\": …, \"value\": … } }" handle analyzed=context.analyzed />
                </div>
                <FieldError message=Signal::derive(other_error) />
            </div>
            <div class="form-problems" hidden=has_no_diagnostics>
                <Problems analyzed=context.analyzed handle source show_page=Callback::new(move |page| code.set(Some(page))) />
            </div>
            <div class="filter-words" hidden=is_empty>
                <ExplanationList explanation selected_span choose empty_text="Fix the filter to see an explanation." />
            </div>
            <p class="quiet" hidden=move || !is_empty()>"Without a filter, every log line is sent."</p>
            <button type="button" class="button filter-show" on:click=edit_in_log_filters>"Edit in Log filters"</button>
        </fieldset>
        <CodeExplanation code language=CodeLanguage::Filter />
    }
}
