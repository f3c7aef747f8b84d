//! The update: everything is looked at again, then it is sent once. Without an answer nobody knows whether
//! the service did it: then the status is asked for, and nothing is sent again by itself.

use super::confirmed_update::{AbortReason, ConfirmedUpdate, UpdateOutcome};
use super::context::MigrationContext;
use super::context::{MigrationStep, UpdateState};
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

/// The words of the query for a step.
pub(super) fn parameter(target: MigrationState) -> &'static str {
    if target == MigrationState::Validation { "validation" } else { "pending" }
}

/// The request that would be sent, without its secret.
pub(super) fn shown(target: MigrationState) -> String {
    let desk = MigrationContext::get();
    let connection = desk.service.connection.read();
    let zone = if connection.zone.is_empty() { "{zone_id}" } else { &connection.zone };
    let root = connection.root();
    let origin = if root.starts_with('/') { window().location().origin().unwrap_or_default() } else { String::new() };
    let line = |(name, value): (&str, &str)| format!("{name}: {value}\n");
    let who: String = connection.credentials.shown_headers().into_iter().map(line).collect();
    let tag = desk.seen.read().as_ref().and_then(|seen| seen.proposal.as_ref()?.tag.clone());
    let tag = tag.unwrap_or_else(|| "{ETag of the service's new configuration}".to_owned());
    let body = desk.judged.read().text.clone();
    let path = migrate_path(parameter(target));
    format!("PUT {origin}{root}/zones/{zone}{path}\n{who}Content-Type: application/json\nIf-Match: {tag}\n\n{body}")
}

/// Looks at everything again and sends the update.
pub(super) fn send(target: MigrationState) {
    let desk = MigrationContext::get();
    if desk.sending.read_untracked().is_open() {
        return;
    }
    let Some(dispatch) = ConfirmedUpdate::take(desk, target) else { return };
    let dispatch = Arc::new(dispatch);
    desk.elsewhere.set(None);
    desk.sending.set(UpdateState::Revalidating);
    spawn_local(async move {
        if let Err(halt) = dispatch.revalidate(desk).await {
            return halted(desk, &dispatch, halt);
        }
        desk.sending.set(UpdateState::InFlight);
        let answer = dispatch.send(parameter(target)).await;
        told(desk, &dispatch, answer).await;
    });
}

/// Says why nothing was sent.
fn halted(desk: MigrationContext, dispatch: &ConfirmedUpdate, halt: AbortReason) {
    let left = dispatch.is_left(desk);
    match halt {
        _ if left => {
            let name = &dispatch.name;
            let words = "another zone or connection was chosen while the service was asked again";
            desk.elsewhere.set(Some(format!("Nothing was sent to {name}: {words}.")));
        }
        AbortReason::ZoneChanged => desk.sending.set(UpdateState::Idle),
        AbortReason::StateChanged(words) => desk.sending.set(UpdateState::Aborted(words)),
        AbortReason::CallFailed(problem) => desk.sending.set(UpdateState::PreflightFailed(problem)),
    }
}

/// What an answer means.
async fn told(desk: MigrationContext, dispatch: &Arc<ConfirmedUpdate>, answer: Result<(), ApiError>) {
    let next = match answer {
        Ok(()) => UpdateState::Idle,
        Err(problem) if problem.leaves_write_in_doubt() => UpdateState::InDoubt(dispatch.clone(), None),
        Err(ApiError::InvalidBaseUrl) => UpdateState::PreflightFailed(ApiError::InvalidBaseUrl),
        Err(problem) => UpdateState::Rejected(problem),
    };
    if dispatch.is_left(desk) {
        let name = &dispatch.name;
        desk.elsewhere.set(Some(match next {
            UpdateState::Idle => format!("The service took the new configuration of {name}."),
            UpdateState::InDoubt(..) => {
                format!("Whether the service did the update of {name} is not known: choose {name} again and look at its status.")
            }
            _ => format!("The service did not do the update of {name}: it is as it was."),
        }));
        return;
    }
    let (done, unknown) = (next == UpdateState::Idle, matches!(next, UpdateState::InDoubt(..)));
    desk.sending.set(next);
    if unknown {
        find_out(desk, dispatch.clone()).await;
    } else if done {
        desk.service.status.set(ConnectionStatus::Connected);
        desk.typed.set(String::new());
        desk.toasts.show_success("The service took the new configuration");
        desk.stage.set(MigrationStep::Status);
        // What is adjusted next rests on what is saved now. If it cannot be read, the next update is stopped. What was
        // sent is forgotten before anything is waited for: what is written meanwhile is something new.
        let again = dispatch.target == MigrationState::Validation;
        if again {
            desk.edited.set(None);
        }
        drop(ask_status(desk).await);
        if again && !dispatch.is_left(desk) {
            drop(read_zone(desk).await);
        } else {
            show_saved(desk, dispatch).await;
        }
    } else {
        drop(ask_status(desk).await);
    }
}

/// Reads what is saved after the door: the previous interfaces no longer answer, so the zone cannot be read again.
async fn show_saved(desk: MigrationContext, dispatch: &ConfirmedUpdate) {
    let saved = dispatch.read_saved().await;
    if !dispatch.is_left(desk)
        && let Ok(Some(saved)) = saved
    {
        desk.saved.set(Some(saved));
    }
}

/// Finds out what became of an update that nobody answered.
async fn find_out(desk: MigrationContext, dispatch: Arc<ConfirmedUpdate>) {
    let found = dispatch.find_out().await;
    let same = matches!(&*desk.sending.read_untracked(), UpdateState::InDoubt(one, _) if Arc::ptr_eq(one, &dispatch));
    if dispatch.is_left(desk) || !same {
        return;
    }
    match found {
        Ok((status, outcome)) => {
            desk.service.status.set(ConnectionStatus::Connected);
            desk.status.set(Some(status));
            desk.sending.set(UpdateState::InDoubt(dispatch.clone(), Some(outcome)));
            if outcome == UpdateOutcome::Applied {
                show_saved(desk, &dispatch).await;
            }
        }
        Err(_) => desk.service.status.set(ConnectionStatus::Failed),
    }
}

/// Asks how far the zone is; what is known stays when there is no answer.
pub(super) async fn ask_status(desk: MigrationContext) -> Option<ApiError> {
    let controller = AbortController::new().ok()?;
    let connection = desk.service.connection.get_untracked();
    let client = Client::new(connection.clone(), &controller.signal());
    let answer = client.migration_status().await;
    if desk.service.connection.get_untracked() != connection {
        return None;
    }
    match answer {
        Ok(status) => {
            desk.service.status.set(ConnectionStatus::Connected);
            desk.status.set(Some(status));
            let sending = desk.sending.get_untracked();
            if let UpdateState::InDoubt(dispatch, None) = sending {
                find_out(desk, dispatch).await;
            }
            None
        }
        Err(problem) => {
            desk.service.status.set(ConnectionStatus::Failed);
            Some(problem)
        }
    }
}

/// What became of an update whose zone or connection is no longer chosen.
#[component]
pub(super) fn OtherZoneNotice() -> impl IntoView {
    let desk = MigrationContext::get();
    view! {
        <div role="status">
            {move || desk.elsewhere.get().map(|words| view! {
                <div class="notice error elsewhere">
                    <IconView icon=Icon::Warning />
                    <div class="notice-body">
                        <p>{words}</p>
                        <div class="wrap-row"><button type="button" class="button small" on:click=move |_| desk.elsewhere.set(None)>"Close"</button></div>
                    </div>
                </div>
            })}
        </div>
    }
}

/// How the update goes.
#[component]
pub(super) fn UpdateProgress() -> impl IntoView {
    let desk = MigrationContext::get();
    let content = move || {
        match desk.sending.get() {
        UpdateState::Idle => ().into_any(),
        UpdateState::Revalidating => view! { <p class="quiet">"Asking for check and configuration again…"</p> }.into_any(),
        UpdateState::InFlight => view! { <p class="quiet">"Sent once; waiting for the answer…"</p> }.into_any(),
        UpdateState::Aborted(words) => view! {
            <div class="notice error">
                <IconView icon=Icon::Error />
                <div class="notice-body">
                    <p class="notice-title">"Nothing was sent"</p>
                    <p>{words}</p>
                    <button type="button" class="button" on:click=move |_| desk.stage.set(MigrationStep::Check)>"Go to the check"</button>
                </div>
            </div>
        }
        .into_any(),
        UpdateState::PreflightFailed(problem) => view! { <ApiErrorNotice title="Nothing was sent: the checks before it failed" problem /> }.into_any(),
        UpdateState::Rejected(problem) => view! { <ApiErrorNotice title="The service refused it; the zone is as it was" problem /> }.into_any(),
        UpdateState::InDoubt(dispatch, outcome) => view! { <InDoubtNotice dispatch outcome /> }.into_any(),
    }
    };
    // It comes at the foot of a long page: it is brought into view.
    let place = NodeRef::<leptos::html::Div>::new();
    Effect::new(move || {
        if *desk.sending.read() != UpdateState::Idle
            && let Some(place) = place.get()
        {
            request_animation_frame(move || {
                let options = ScrollIntoViewOptions::new();
                options.set_block(ScrollLogicalPosition::Nearest);
                place.scroll_into_view_with_scroll_into_view_options(&options);
            });
        }
    });
    view! { <div role="status" node_ref=place>{content}</div> }
}

/// No answer came: what is known since.
#[component]
fn InDoubtNotice(dispatch: Arc<ConfirmedUpdate>, outcome: Option<UpdateOutcome>) -> impl IntoView {
    let desk = MigrationContext::get();
    let words = match outcome {
        None => view! { <p>"The status has not been received yet: until it has, nothing else can be sent."</p> }.into_any(),
        Some(UpdateOutcome::Applied) => view! { <p><strong>"The status says that it was done."</strong> " What is saved is what was sent."</p> }.into_any(),
        Some(UpdateOutcome::Diverged) => view! { <p><strong>"The zone has moved on, and what is saved is not what was sent."</strong> " Somebody else may have done it: read the zone again."</p> }.into_any(),
        Some(UpdateOutcome::NotApplied(state)) => view! { <p>{format!("The status says now: {}, and what was sent is not saved. It may still be on its way: ask again before you decide.", state.name())}</p> }.into_any(),
    };
    let ask = move |_| {
        let dispatch = dispatch.clone();
        spawn_local(find_out(desk, dispatch));
    };
    let (class, icon, title) = if outcome == Some(UpdateOutcome::Applied) {
        ("notice success", Icon::Success, "No answer came, but it was done")
    } else {
        ("notice error", Icon::Warning, "Whether the service did it is not known")
    };
    view! {
        <div class=class>
            <IconView icon />
            <div class="notice-body">
                <p class="notice-title">{title}</p>
                <p>"No answer came, or none that tells. It is not sent again by itself: the status says what happened."</p>
                {words}
                <div class="wrap-row">
                    <button type="button" class="button" on:click=ask>"Ask for the status"</button>
                    <button type="button" class="button" on:click=move |_| desk.stage.set(MigrationStep::Status)>"Show the status"</button>
                </div>
            </div>
        </div>
    }
}
