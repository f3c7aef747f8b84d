//! The filter of a job.

use super::form_context::FormContext;
use crate::components::code_explanation::CodeExplanation;
use crate::components::editor::{Editor, EditorHandle};
use crate::components::explanation::{ExplanationList, SourceExplanation};
use crate::components::form::FieldError;
use crate::components::problems::Problems;
use crate::language::Language;
use crate::route::Route;
use crate::state::log_filter_draft::LogFilterDraft;
use leptos::prelude::*;

/// The filter with its diagnostics and its explanation.
#[component]
pub(super) fn FilterField() -> impl IntoView {
    let context = FormContext::get();
    let source = context.draft.filter;
    let chosen = RwSignal::new(None);
    let handle = EditorHandle::new(source).with_selection(chosen);
    let explanation = SourceExplanation::memo(context.analyzed);
    let code = RwSignal::new(None);
    let page_of = <zonewright_logpush::Options as Language>::page;
    let empty = move || source.read().trim().is_empty();
    let quiet = move || context.analyzed.read().diagnostics().is_empty();
    let error = context.error_at("/filter");
    // The list below the editor shows the diagnostics of the engine; the field shows all other errors.
    let other_error = move || if quiet() { error.get() } else { String::new() };
    let choose = Callback::new(move |span| {
        handle.mark(&context.analyzed.get_untracked(), span);
        chosen.set(Some(span));
    });
    let carry = move |_| {
        context.draft.edit_in_log_filters(LogFilterDraft::get());
        Route::LogFilters.navigate();
    };
    view! {
        <fieldset class="form-part" id="job-filter">
            <legend>"Filter"</legend>
            <div class="field" class:wrong=move || !error.read().is_empty()>
                <div class="small-editor">
                    <Editor label="Filter of the job" placeholder="{ \"where\": { \"key\": …, \"operator\": …, \"value\": … } }" handle analyzed=context.analyzed />
                </div>
                <FieldError message=Signal::derive(other_error) />
            </div>
            <div class="form-problems" hidden=quiet>
                <Problems analyzed=context.analyzed handle source show_page=Callback::new(move |page| code.set(Some(page))) />
            </div>
            <div class="filter-words" hidden=empty>
                <ExplanationList explanation chosen choose nothing="Fix the filter to see an explanation." />
            </div>
            <p class="quiet" hidden=move || !empty()>"Without a filter, every log line is sent."</p>
            <button type="button" class="button filter-show" on:click=carry>"Edit in Log filters"</button>
        </fieldset>
        <CodeExplanation code page=page_of />
    }
}
