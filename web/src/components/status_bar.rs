//! The status bar: input that is not stored, diagnostics, usage of limits, versions.

use crate::analysis::{AnalysisState, AnalyzedSource};
use crate::components::icon::{Icon, IconView};
use crate::components::usage_meter::{UsageLevel, with_thousands};
use crate::language::Language;
use crate::part::{Part, PartContext, PartResult, PartState, call_loaded};
use crate::route::Route;
use crate::state::expression::ExpressionContext;
use crate::state::log_filter_draft::AnalyzedLogFilter;
use crate::state::service::ServiceContext;
use crate::storage::Workspace;
use leptos::prelude::*;
use std::sync::Arc;
use wasm_split_helpers::wasm_split;
use zonewright_diagnostic::Severity;
use zonewright_expression::schema::REFERENCE_DATE;

/// Version of the engine. All crates have the same version.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The status bar. It describes the text on the editor pages, and the connection on the other pages.
#[component]
pub(crate) fn StatusBar(
    /// The current page.
    route: ReadSignal<Route>,
) -> impl IntoView {
    let parts = PartContext::get();
    let has_log_filters = Memo::new(move |_| parts.state(Part::LogFilters) == PartState::Loaded);
    let left = move || match route.get() {
        Route::Expressions => view! { <ExpressionStatus /> }.into_any(),
        Route::LogFilters if has_log_filters.get() => call_loaded(log_filter_status()).into_any(),
        Route::LogFilters => ().into_any(),
        Route::Jobs | Route::Rules | Route::Migration | Route::Settings => view! { <ConnectionSummary /> }.into_any(),
    };
    view! {
        <footer class="status">
            <SaveFailure />
            {left}
            <span class="status-item wide-only push">{format!("Engine {VERSION}")}</span>
            <span class="status-item wide-only">{format!("Reference data {REFERENCE_DATE}")}</span>
        </footer>
    }
}

/// Reports input that the browser does not store. The element exists at all times, so that its text is announced.
#[component]
fn SaveFailure() -> impl IntoView {
    let workspace = Workspace::get();
    let failure = Memo::new(move |_| workspace.failure());
    view! {
        <div class="save-failure" role="status">
            {move || failure.get().map(|failure| view! {
                <IconView icon=Icon::Error />
                <span><strong>{format!("Not saved in this browser: {}. ", failure.titles.join("; "))}</strong>{failure.help}</span>
            })}
        </div>
    }
}

#[component]
fn ExpressionStatus() -> impl IntoView {
    let analyzed = ExpressionContext::get().analyzed;
    let usage = move || {
        let usage = analyzed.read().facts.as_ref()?.usage;
        Some(view! {
            <span class=format!("status-item {}", UsageLevel::new(usage.length, usage.max_length).class())>
                {format!("{} of {} characters", with_thousands(usage.length), with_thousands(usage.max_length))}
            </span>
            <span class="status-item deep">{format!("nesting {} of {}", usage.depth, usage.max_depth)}</span>
        })
    };
    view! {
        <ProblemSummary analyzed />
        {usage}
    }
}

/// The status of the filter, which belongs to the part of its page.
#[wasm_split(log_filters, fallible)]
fn log_filter_status() -> PartResult<AnyView> {
    Ok(view! { <LogFilterStatus /> }.into_any())
}

#[component]
fn LogFilterStatus() -> impl IntoView {
    let AnalyzedLogFilter(analyzed) = AnalyzedLogFilter::get();
    let usage = move || {
        let usage = analyzed.read().facts.as_ref()?.usage;
        Some(view! {
            <span class=format!("status-item {}", UsageLevel::new(usage.operators, usage.max_operators).class())>
                {format!("{} of {} operators", usage.operators, usage.max_operators)}
            </span>
            <span class=format!("status-item deep {}", UsageLevel::new(usage.bytes, usage.max_bytes).class())>
                {format!("{} of {} bytes", with_thousands(usage.bytes), with_thousands(usage.max_bytes))}
            </span>
        })
    };
    view! {
        <ProblemSummary analyzed />
        {usage}
    }
}

/// Summarizes the diagnostics of a text.
#[component]
fn ProblemSummary<L: Language>(
    /// The analyzed text.
    analyzed: Signal<Arc<AnalyzedSource<L>>>,
) -> impl IntoView {
    let look = move || {
        let analyzed = analyzed.read();
        let worst = [Severity::Error, Severity::Warning, Severity::Hint]
            .into_iter()
            .find(|severity| analyzed.count(*severity) > 0);
        match (&analyzed.state, worst) {
            (AnalysisState::Done, None) => ("success", Some(Icon::Success)),
            (AnalysisState::Done, Some(severity)) => (severity.as_str(), Some(Icon::for_severity(severity))),
            (AnalysisState::Failed(_), _) => ("error", Some(Icon::Error)),
            (AnalysisState::Pending, _) => ("", None),
        }
    };
    view! {
        <span class=move || format!("status-item {}", look().0)>
            {move || look().1.map(|icon| view! { <IconView icon /> })}
            {move || analyzed.read().summary()}
        </span>
    }
}

#[component]
fn ConnectionSummary() -> impl IntoView {
    let service = ServiceContext::get();
    let service_label = move || {
        let connection = service.connection.read();
        let base = connection.base_url.trim();
        if base.is_empty() { "Service: this site".to_owned() } else { format!("Service: {base}") }
    };
    let zone = move || {
        let connection = service.connection.read();
        let zones = service.zones.read();
        let name = zones.iter().find(|zone| zone.id == connection.zone).map(|zone| zone.name.clone());
        name.map_or_else(|| connection.missing_setting().unwrap_or_default().to_owned(), |name| format!("Zone: {name}"))
    };
    view! {
        <span class="status-item">{service_label}</span>
        <span class="status-item">{zone}</span>
    }
}
