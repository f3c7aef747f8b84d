//! The sources of the configuration: the zone, a file, the clipboard or an example.

use super::context::{MigrationContext, MigrationStep, ServiceSnapshot, SourceContext};
use super::json_location::IssueList;
use super::zone_configuration::ConfigurationState;
use super::{files, fixtures};
use crate::api::{ApiError, Client};
use crate::components::api_error::ApiErrorNotice;
use crate::components::markdown::InlineCode;
use crate::route::Route;
use crate::state::service::{ConnectionStatus, ServiceContext};
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::{Map, Value, json};
use web_sys::{AbortController, ScrollIntoViewOptions, ScrollLogicalPosition};
use zonewright_api::waf_migration::MigrationState;

/// Largest text that the field displays, in bytes, because a longer one is slow to render.
const MAX_SHOWN_BYTES: usize = 400_000;

/// The help of the text field. It lists the members that the reader accepts.
const HELP: &str = "JSON with responses from the previous API in the members `zone`, `plan`, `settings`, `packages`, \
    `groups`, `rules`, `overrides`, `firewall_rules`, `page_rules`, and `entry_point`. A member can be a full response \
    or only its result; `zone` and `plan` can be names. The text never leaves your browser.";

/// The section with the text of the configuration and its sources.
#[component]
pub(super) fn Source() -> impl IntoView {
    let context = MigrationContext::get();
    let picker = NodeRef::<leptos::html::Input>::new();
    let area = NodeRef::<leptos::html::Textarea>::new();
    let pick = move |_| {
        if let Some(picker) = picker.get_untracked() {
            picker.click();
        }
    };
    let from_file =
        move |event| files::read_selected_file(&event, move |text| load_and_reveal(context, text), context.toasts);
    let examples = fixtures::FIXTURES.iter().map(|(name, title)| {
        view! { <button type="button" class="button small" on:click=move |_| load_and_reveal(context, fixtures::fixture_json(name))>{*title}</button> }
    });
    let is_too_long = move || context.source.text.read().len() > MAX_SHOWN_BYTES;
    view! {
        <section class="part" aria-labelledby="source-title">
            <h2 id="source-title">"Zone configuration"</h2>
            <FromZone />
            <div class="field">
                <label class="field-label" for="migration-source">"Configuration as JSON"</label>
                <textarea
                    id="migration-source"
                    node_ref=area
                    class="text-area"
                    spellcheck="false"
                    aria-describedby="migration-source-help"
                    hidden=is_too_long
                    prop:value=move || if is_too_long() { String::new() } else { context.source.text.get() }
                    on:input=move |event| context.load(event_target_value(&event))
                ></textarea>
                <p class="quiet" hidden=move || !is_too_long()>"The text is too long to display, but it is used."</p>
                <p class="field-help" id="migration-source-help">
                    <InlineCode text=HELP />
                </p>
            </div>
            <div class="wrap-row">
                <input type="file" class="visually-hidden" tabindex="-1" aria-hidden="true" accept=".json,application/json" node_ref=picker on:change=from_file />
                <button type="button" class="button" on:click=pick>"Open file"</button>
                <button type="button" class="button" disabled=move || context.source.text.read().is_empty() on:click=move |_| context.load(String::new())>"Clear"</button>
            </div>
            <div class="wrap-row" role="group" aria-label="Examples"><span class="quiet">"Examples:"</span> {examples.collect_view()}</div>
            <Problems area />
        </section>
    }
}

/// Loads a configuration that was not typed, and shows its analysis.
fn load_and_reveal(context: MigrationContext, text: String) {
    context.load(text);
    reveal_outcome();
}

/// Scrolls to the analysis, because on a narrow screen it is above the source.
fn reveal_outcome() {
    request_animation_frame(|| {
        let Some(title) = leptos::prelude::document().get_element_by_id("check-title") else { return };
        let options = ScrollIntoViewOptions::new();
        options.set_block(ScrollLogicalPosition::Nearest);
        title.scroll_into_view_with_scroll_into_view_options(&options);
    });
}

/// Reads the configuration from the service.
#[component]
pub(super) fn FromZone() -> impl IntoView {
    let context = MigrationContext::get();
    let busy = RwSignal::new(false);
    let problem = RwSignal::new(None::<ApiError>);
    let read = move |_| {
        if busy.get_untracked() {
            return;
        }
        busy.set(true);
        problem.set(None);
        spawn_local(async move {
            let result = read_zone(context).await;
            if busy.try_set(false).is_some() {
                return;
            }
            match result {
                Ok(()) => {
                    context.source.service.status.set(ConnectionStatus::Connected);
                    reveal_outcome();
                }
                Err(ApiError::Cancelled) => {}
                Err(error) => problem.set(Some(error)),
            }
        });
    };
    move || {
        let connection = context.source.service.connection.read();
        if let Some(missing) = connection.missing_setting() {
            return view! { <p class="quiet">{missing} " Without a connection, you can paste or open a configuration, but not send an update. " <a href=Route::Settings.href()>"Open Settings"</a></p> }.into_any();
        }
        if context.snapshot.state() == MigrationState::Complete {
            let message = format!(
                "{} has been migrated. The previous API no longer responds, so there is no configuration to load.",
                context.source.service.zone_name()
            );
            return view! {
                <p>{message}</p>
                <div class="wrap-row"><button type="button" class="button" on:click=move |_| context.steps.show(MigrationStep::Status)>"Show status"</button></div>
            }
            .into_any();
        }
        let zone = context.source.service.zone_name();
        view! {
            <div class="wrap-row">
                <button type="button" class="button" class:primary=move || !context.source.is_of_zone() aria-disabled=move || busy.get().to_string() on:click=read>{format!("Load {zone}")}</button>
                <span class="quiet" role="status">
                    {move || if busy.get() { "Loading…" } else if context.source.is_of_zone() { "Loaded from the service." } else { "" }}
                </span>
            </div>
            {move || problem.get().map(|problem| view! { <ApiErrorNotice title="The zone could not be loaded" error=problem /> })}
        }
        .into_any()
    }
}

/// Reads the configuration of the zone, the proposal, the compatibility check and the status, and loads them into the
/// context. Returns [`ApiError::Cancelled`] if the user selects another zone or replaces the configuration in the
/// meantime.
pub(super) async fn read_zone(context: MigrationContext) -> Result<(), ApiError> {
    let connection = context.source.service.connection.get_untracked();
    let zone = connection.zone.clone();
    let source_text = context.source.text.get_untracked();
    let controller = AbortController::new().map_err(|_| ApiError::Cancelled)?;
    let client = Client::new(connection.clone(), &controller.signal());
    let document = fetch_document(context.source.service, &zone, &client).await?;
    // The service rejects the request for a proposal if the zone cannot migrate.
    let proposal = match client.proposal().await {
        Ok(proposal) => Some(proposal),
        Err(ApiError::Response { .. }) => None,
        Err(other) => return Err(other),
    };
    let verdict = client.migration_check().await?;
    let status = client.migration_status().await?;
    // The user may have selected another zone, or pasted or opened a configuration, which is not overwritten.
    if context.source.service.connection.get_untracked() != connection
        || context.source.text.get_untracked() != source_text
    {
        return Err(ApiError::Cancelled);
    }
    let state = status.migration_state;
    context.snapshot.status.set(Some(status));
    context.load_zone(zone, document_to_text(&document), ServiceSnapshot { state, proposal, verdict });
    Ok(())
}

/// Returns the text of a document, as the page shows it.
pub(super) fn document_to_text(document: &Value) -> String {
    serde_json::to_string_pretty(document).unwrap_or_default()
}

/// Reads the configuration of a zone as a document. `client` is connected to the zone.
pub(super) async fn fetch_document(service: ServiceContext, zone: &str, client: &Client) -> Result<Value, ApiError> {
    let listed_zone = service.zones.get_untracked().into_iter().find(|candidate| candidate.id == zone);
    let zone = match listed_zone {
        Some(zone) => Some(zone),
        None => client.zones().await?.into_iter().find(|candidate| candidate.id == zone),
    };
    let mut document = Map::new();
    if let Some(zone) = zone {
        document.insert("plan".to_owned(), json!(zone.plan.legacy_id));
        document.insert("zone".to_owned(), json!(zone));
    }
    client.fetch_zone_configuration(document).await
}

#[component]
fn Problems(
    /// The field with the text.
    area: NodeRef<leptos::html::Textarea>,
) -> impl IntoView {
    let source = SourceContext::get();
    move || match &**source.state.read() {
        ConfigurationState::Invalid(problems) => Some(view! {
            <div class="part" role="status">
                <p class="notice-title">{format!("Errors in the configuration: {}", problems.len())}</p>
                <IssueList issues=problems.clone() text=source.text.get() area />
            </div>
        }),
        _ => None,
    }
}
