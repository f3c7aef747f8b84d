//! The submission of an update.
//!
//! [`send`] runs the preflight checks and then sends the update once. If the response is lost, the update is in doubt:
//! the status is read, and nothing is sent again automatically. The task continues when the user leaves the page, and
//! reports its outcome even if another zone is selected by then.

use super::blocking_reason::blocking_reason;
use super::confirmed_update::{AbortReason, ConfirmedUpdate, UpdateOutcome};
use super::context::{
    MigrationContext, MigrationStep, ProposalContext, SnapshotContext, SourceContext, StepContext, UpdateContext,
    UpdateState,
};
use super::source::read_zone;
use crate::api::waf::migrate_path;
use crate::api::{ApiError, Client};
use crate::components::api_error::ApiErrorNotice;
use crate::components::icon::{Icon, IconView};
use crate::state::service::ConnectionStatus;
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::sync::Arc;
use web_sys::{AbortController, ScrollIntoViewOptions, ScrollLogicalPosition};
use zonewright_api::waf_migration::MigrationState;

/// Returns the value of the query parameter `waf_migration` for a target state.
pub(super) fn migration_parameter(target: MigrationState) -> &'static str {
    if target == MigrationState::Validation { "validation" } else { "pending" }
}

/// Returns the request that would be sent, without credentials.
pub(super) fn request_to_text(target: MigrationState) -> String {
    let source = SourceContext::get();
    let proposal = ProposalContext::get();
    let snapshot = SnapshotContext::get();
    let connection = source.service.connection.read();
    let zone = if connection.zone.is_empty() { "{zone_id}" } else { &connection.zone };
    let root = connection.absolute_root();
    let line = |(name, value): (&str, &str)| format!("{name}: {value}\n");
    let credentials: String = connection.credentials.redacted_headers().into_iter().map(line).collect();
    let etag = snapshot.responses.read().as_ref().and_then(|responses| responses.proposal.as_ref()?.etag.clone());
    let etag = etag.unwrap_or_else(|| "{ETag of the proposal}".to_owned());
    let body = proposal.text.get().unwrap_or_default();
    let path = migrate_path(migration_parameter(target));
    format!("PUT {root}/zones/{zone}{path}\n{credentials}Content-Type: application/json\nIf-Match: {etag}\n\n{body}")
}

/// Runs the preflight checks and sends the update. Does nothing while another one is open
/// ([`UpdateState::blocks_sending`]), if [`blocking_reason`] returns a reason, or if the page has no complete update.
pub(super) fn send(target: MigrationState) {
    let context = MigrationContext::get();
    if context.update.state.read_untracked().blocks_sending() {
        return;
    }
    if untrack(|| blocking_reason(context, target)).is_some() {
        return;
    }
    let Some(confirmed_update) = ConfirmedUpdate::capture(context, target) else { return };
    let confirmed_update = Arc::new(confirmed_update);
    context.update.other_zone_notice.set(None);
    context.update.state.set(UpdateState::Revalidating(Arc::clone(&confirmed_update)));
    spawn_local(async move {
        if let Err(reason) = confirmed_update.revalidate(context).await {
            return report_abort(context, &confirmed_update, reason);
        }
        context.update.state.set(UpdateState::InFlight);
        let result = confirmed_update.send(migration_parameter(target)).await;
        report_result(context, &confirmed_update, result).await;
    });
}

/// Reports why the update was not sent. The state of a newer update has precedence.
fn report_abort(context: MigrationContext, confirmed_update: &ConfirmedUpdate, reason: AbortReason) {
    match reason {
        _ if confirmed_update.is_deselected(context.source.service) => {
            let name = &confirmed_update.name;
            let message = "another zone or connection was selected during the final checks";
            context.update.other_zone_notice.set(Some(format!("Nothing was sent to {name}: {message}.")));
        }
        _ if !context.update.is_revalidating(confirmed_update)
            && context.update.state.read_untracked().blocks_sending() => {}
        AbortReason::ZoneChanged => context.update.state.set(UpdateState::Idle),
        AbortReason::StateChanged(message) => context.update.state.set(UpdateState::Aborted(message)),
        AbortReason::EngineFailed(cause) => {
            let message = format!("The configuration of the zone could not be checked again: {cause}. Try again.");
            context.update.state.set(UpdateState::Aborted(message));
        }
        AbortReason::CallFailed(problem) => context.update.state.set(UpdateState::PreflightFailed(problem)),
    }
}

/// Handles the response to an update.
async fn report_result(
    context: MigrationContext,
    confirmed_update: &Arc<ConfirmedUpdate>,
    result: Result<(), ApiError>,
) {
    let next = match result {
        Ok(()) => UpdateState::Idle,
        Err(problem) if problem.leaves_write_in_doubt() => UpdateState::InDoubt(confirmed_update.clone(), None),
        Err(ApiError::InvalidBaseUrl) => UpdateState::PreflightFailed(ApiError::InvalidBaseUrl),
        Err(problem) => UpdateState::Rejected(problem),
    };
    if confirmed_update.is_deselected(context.source.service) {
        let name = &confirmed_update.name;
        context.update.other_zone_notice.set(Some(match next {
            UpdateState::Idle => format!("The configuration of {name} was updated."),
            UpdateState::InDoubt(..) => {
                format!("We don't know whether {name} was updated: select {name} again and check its status.")
            }
            _ => format!("{name} was not updated."),
        }));
        return;
    }
    let (is_applied, is_in_doubt) = (next == UpdateState::Idle, matches!(next, UpdateState::InDoubt(..)));
    context.update.state.set(next);
    if is_in_doubt {
        probe(context, confirmed_update.clone()).await;
    } else if is_applied {
        context.source.service.status.set(ConnectionStatus::Connected);
        context.update.confirmation.set(String::new());
        context.toasts.show_success("Configuration updated");
        context.steps.show(MigrationStep::Status);
        // The next adjustment is based on the saved configuration, so the zone is read again. If that fails, the
        // preflight checks of the next update stop it. The edit is cleared before the first await, so that an edit
        // during the requests is preserved.
        let is_adjustable = confirmed_update.target == MigrationState::Validation;
        if is_adjustable {
            context.proposal.edited.set(None);
        }
        drop(load_status(context).await);
        if is_adjustable && !confirmed_update.is_deselected(context.source.service) {
            drop(read_zone(context).await);
        } else {
            show_saved(context, confirmed_update).await;
        }
    } else {
        drop(load_status(context).await);
    }
}

/// Reads the saved entry point, with which the new configuration is then compared. After the irreversible step, the
/// zone cannot be read again, because the previous APIs no longer respond.
async fn show_saved(context: MigrationContext, confirmed_update: &ConfirmedUpdate) {
    let saved = confirmed_update.read_saved().await;
    if !confirmed_update.is_deselected(context.source.service)
        && let Ok(Some(saved)) = saved
    {
        context.proposal.saved.set(Some(saved));
    }
}

/// Probes an update in doubt.
async fn probe(context: MigrationContext, confirmed_update: Arc<ConfirmedUpdate>) {
    let probed = confirmed_update.probe().await;
    let is_current = matches!(&*context.update.state.read_untracked(), UpdateState::InDoubt(current, _) if Arc::ptr_eq(current, &confirmed_update));
    if confirmed_update.is_deselected(context.source.service) || !is_current {
        return;
    }
    match probed {
        Ok((status, outcome)) => {
            context.source.service.status.set(ConnectionStatus::Connected);
            context.snapshot.status.set(Some(status));
            context.update.state.set(UpdateState::InDoubt(confirmed_update.clone(), Some(outcome)));
            if outcome == UpdateOutcome::Applied {
                show_saved(context, &confirmed_update).await;
            }
        }
        Err(_) => context.source.service.status.set(ConnectionStatus::Failed),
    }
}

/// Reads the migration state, and probes an update in doubt. The last known state remains if the request fails.
pub(super) async fn load_status(context: MigrationContext) -> Option<ApiError> {
    let controller = AbortController::new().ok()?;
    let connection = context.source.service.connection.get_untracked();
    let client = Client::new(connection.clone(), &controller.signal());
    let response = client.migration_status().await;
    if context.source.service.connection.get_untracked() != connection {
        return None;
    }
    match response {
        Ok(status) => {
            context.source.service.status.set(ConnectionStatus::Connected);
            context.snapshot.status.set(Some(status));
            if let UpdateState::InDoubt(confirmed_update, None) = context.update.state.get_untracked() {
                probe(context, confirmed_update).await;
            }
            None
        }
        Err(problem) => {
            context.source.service.status.set(ConnectionStatus::Failed);
            Some(problem)
        }
    }
}

/// The outcome of an update whose zone or connection is no longer selected.
#[component]
pub(super) fn OtherZoneNotice() -> impl IntoView {
    let update = UpdateContext::get();
    view! {
        <div role="status">
            {move || update.other_zone_notice.get().map(|message| view! {
                <div class="notice error elsewhere">
                    <IconView icon=Icon::Warning />
                    <div class="notice-body">
                        <p>{message}</p>
                        <div class="wrap-row"><button type="button" class="button small" on:click=move |_| update.other_zone_notice.set(None)>"Close"</button></div>
                    </div>
                </div>
            })}
        </div>
    }
}

/// The progress and the outcome of the update.
#[component]
pub(super) fn UpdateProgress() -> impl IntoView {
    let steps = StepContext::get();
    let update = UpdateContext::get();
    let content = move || {
        match update.state.get() {
        UpdateState::Idle => ().into_any(),
        UpdateState::Revalidating(_) => view! { <p class="quiet">"Running the final checks…"</p> }.into_any(),
        UpdateState::InFlight => view! { <p class="quiet">"Sent once; waiting for the response…"</p> }.into_any(),
        UpdateState::Aborted(message) => view! {
            <div class="notice error">
                <IconView icon=Icon::Error />
                <div class="notice-body">
                    <p class="notice-title">"Nothing was sent"</p>
                    <p>{message}</p>
                    <button type="button" class="button" on:click=move |_| steps.show(MigrationStep::Check)>"Go to Check"</button>
                </div>
            </div>
        }
        .into_any(),
        UpdateState::PreflightFailed(error) => view! { <ApiErrorNotice title="Nothing was sent: the final checks failed" error /> }.into_any(),
        UpdateState::Rejected(error) => view! { <ApiErrorNotice title="The service rejected the update; the zone is unchanged" error /> }.into_any(),
        UpdateState::InDoubt(confirmed_update, outcome) => view! { <InDoubtNotice confirmed_update outcome /> }.into_any(),
    }
    };
    // The notice is at the bottom of a long page, so it is scrolled into view.
    let container = NodeRef::<leptos::html::Div>::new();
    Effect::new(move || {
        if *update.state.read() != UpdateState::Idle
            && let Some(container) = container.get()
        {
            request_animation_frame(move || {
                let options = ScrollIntoViewOptions::new();
                options.set_block(ScrollLogicalPosition::Nearest);
                container.scroll_into_view_with_scroll_into_view_options(&options);
            });
        }
    });
    view! { <div role="status" node_ref=container>{content}</div> }
}

/// The notice about an update in doubt.
#[component]
fn InDoubtNotice(confirmed_update: Arc<ConfirmedUpdate>, outcome: Option<UpdateOutcome>) -> impl IntoView {
    let context = MigrationContext::get();
    let message = match outcome {
        None => view! { <p>"The status is not known yet. Until it is, nothing else can be sent."</p> }.into_any(),
        Some(UpdateOutcome::Applied) => view! { <p><strong>"The status shows that the update was applied."</strong> " The saved configuration is the one that was sent."</p> }.into_any(),
        Some(UpdateOutcome::Diverged) => view! { <p><strong>"The migration state changed, and the saved configuration is not the one that was sent."</strong> " Someone else may have changed it: load the zone again."</p> }.into_any(),
        Some(UpdateOutcome::NotApplied(state)) => view! { <p>{format!("The status is now {}, and the configuration that was sent is not saved. The update may still be in progress: check again before you decide.", state.name())}</p> }.into_any(),
    };
    let check_status = move |_| {
        let confirmed_update = confirmed_update.clone();
        spawn_local(probe(context, confirmed_update));
    };
    let (class, icon, title) = if outcome == Some(UpdateOutcome::Applied) {
        ("notice success", Icon::Success, "The response was lost, but the update was applied")
    } else {
        ("notice error", Icon::Warning, "We don't know whether the update was applied")
    };
    view! {
        <div class=class>
            <IconView icon />
            <div class="notice-body">
                <p class="notice-title">{title}</p>
                <p>"The response was lost or inconclusive. The update is not sent again automatically; the status shows what happened."</p>
                {message}
                <div class="wrap-row">
                    <button type="button" class="button" on:click=check_status>"Check status"</button>
                    <button type="button" class="button" on:click=move |_| context.steps.show(MigrationStep::Status)>"Show status"</button>
                </div>
            </div>
        </div>
    }
}
