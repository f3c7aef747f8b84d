//! The update: everything is looked at again, then it is sent once. Without an answer nobody knows whether
//! the service did it: then the status is asked for, and nothing is sent again by itself.

use super::desk::{Sending, Stage, Understood};
use super::source::document;
use crate::api::waf::migrate_path;
use crate::api::{Client, Problem};
use crate::components::failure::Failure;
use crate::components::icon::{Icon, Pictogram};
use crate::connection::Link;
use crate::session::Session;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::Value;
use web_sys::AbortController;
use zonewright_api::waf_migration::MigrationState;

/// The words of the query for a step.
pub(super) fn parameter(target: MigrationState) -> &'static str {
    if target == MigrationState::Validation { "validation" } else { "pending" }
}

/// The request that would be sent, without its secret.
pub(super) fn shown(target: MigrationState) -> String {
    let session = Session::get();
    let desk = session.migration;
    let connection = session.connection.read();
    let zone = if connection.zone.is_empty() { "{zone_id}" } else { &connection.zone };
    let root = connection.root();
    let origin = if root.starts_with('/') { window().location().origin().unwrap_or_default() } else { String::new() };
    let tag = desk.proposal.read().as_ref().and_then(|one| one.tag.clone());
    let tag = tag.map(|tag| format!("If-Match: {tag}\n")).unwrap_or_default();
    let body = desk.judged.read().text.clone();
    let path = migrate_path(parameter(target));
    format!(
        "PUT {origin}{root}/zones/{zone}{path}\nAuthorization: Bearer ••••••••\nContent-Type: application/json\n{tag}\n{body}"
    )
}

/// Looks at everything again and sends the update.
pub(super) fn send(target: MigrationState) {
    let session = Session::get();
    let desk = session.migration;
    if matches!(desk.sending.get_untracked(), Sending::Checking | Sending::Sent) {
        return;
    }
    let Some(body) = desk.judged.get_untracked().body.clone() else { return };
    let reviewed = untrack(move || desk.with(|one| one.fingerprint.clone())).unwrap_or_default();
    desk.sending.set(Sending::Checking);
    spawn_local(async move {
        if let Err(stopped) = look_again(session, &reviewed).await {
            desk.sending.set(stopped);
            return;
        }
        desk.sending.set(Sending::Sent);
        let Ok(controller) = AbortController::new() else { return desk.sending.set(Sending::Unknown) };
        let client = Client::new(session.connection.get_untracked(), &controller.signal());
        let tag = desk.proposal.get_untracked().and_then(|one| one.tag);
        let answer = client.migrate(parameter(target), &body, tag.as_deref()).await;
        told(session, answer);
        ask_status(session).await;
    });
}

/// Whether check and configuration are still what was looked at.
async fn look_again(session: Session, reviewed: &str) -> Result<(), Sending> {
    let desk = session.migration;
    let controller = AbortController::new().map_err(|_| Sending::NotSent(Problem::Cancelled))?;
    let client = Client::new(session.connection.get_untracked(), &controller.signal());
    let verdict = client.migration_check().await.map_err(Sending::NotSent)?;
    let compatible = verdict.compatibility.compatible;
    desk.verdict.set(Some(verdict));
    if !compatible {
        let words = "the service says now that the zone is not compatible: look at the check again";
        return Err(Sending::Stopped(words.to_owned()));
    }
    let document: Value = document(session, &client).await.map_err(Sending::NotSent)?;
    let present = Understood::of(document).map(|one| one.fingerprint).unwrap_or_default();
    let proposal = client.proposal().await.map_err(Sending::NotSent)?;
    let tags = (desk.proposal.get_untracked().and_then(|one| one.tag), proposal.tag);
    let stale = matches!(&tags, (Some(before), Some(now)) if before != now);
    if present != reviewed || stale {
        let words = "the configuration of the zone has changed since it was read: read it again and review it";
        return Err(Sending::Stopped(words.to_owned()));
    }
    Ok(())
}

/// What an answer means.
fn told(session: Session, answer: Result<(), Problem>) {
    let desk = session.migration;
    match answer {
        Ok(()) => {
            session.link.set(Link::Connected);
            desk.sending.set(Sending::Idle);
            desk.typed.set(String::new());
            session.toast.set(Some("The service took the new configuration".to_owned()));
            desk.stage.set(Stage::Status);
        }
        Err(Problem::Refused { status: 412, .. }) => {
            let words = "the configuration of the zone has changed since it was read: read it again and review it";
            desk.sending.set(Sending::Stopped(words.to_owned()));
        }
        // An error of the service or of something on the way says nothing about what was done.
        Err(Problem::Refused { status, errors }) if status < 500 => {
            desk.sending.set(Sending::Refused(Problem::Refused { status, errors }));
        }
        Err(Problem::BadAddress) => desk.sending.set(Sending::NotSent(Problem::BadAddress)),
        Err(_) => desk.sending.set(Sending::Unknown),
    }
}

/// Asks how far the zone is; what is known stays when there is no answer.
pub(super) async fn ask_status(session: Session) -> Option<Problem> {
    let controller = AbortController::new().ok()?;
    let connection = session.connection.get_untracked();
    let zone = connection.zone.clone();
    let client = Client::new(connection, &controller.signal());
    match client.migration_status().await {
        Ok(status) => {
            if session.connection.get_untracked().zone == zone {
                session.link.set(Link::Connected);
                session.migration.status.set(Some(status));
            }
            None
        }
        Err(problem) => {
            session.link.set(Link::Trouble);
            Some(problem)
        }
    }
}

/// How the update goes.
#[component]
pub(super) fn Progress(
    /// What the update leads to.
    target: MigrationState,
) -> impl IntoView {
    let session = Session::get();
    let desk = session.migration;
    let ask = move |_| spawn_local(async move { drop(ask_status(session).await) });
    let content = move || {
        match desk.sending.get() {
        Sending::Idle => ().into_any(),
        Sending::Checking => view! { <p class="quiet">"Asking for check and configuration again…"</p> }.into_any(),
        Sending::Sent => view! { <p class="quiet">"Sent once; waiting for the answer…"</p> }.into_any(),
        Sending::Stopped(words) => view! {
            <div class="notice error">
                <Pictogram icon=Icon::Error />
                <div class="notice-body">
                    <p class="notice-title">"Nothing was sent"</p>
                    <p>{words}</p>
                    <button type="button" class="button" on:click=move |_| desk.stage.set(Stage::Check)>"Go to the check"</button>
                </div>
            </div>
        }
        .into_any(),
        Sending::NotSent(problem) => view! { <Failure title="Nothing was sent: the checks before it failed" problem /> }.into_any(),
        Sending::Refused(problem) => view! { <Failure title="The service refused it; the zone is as it was" problem /> }.into_any(),
        Sending::Unknown => view! {
            <div class="notice error">
                <Pictogram icon=Icon::Warning />
                <div class="notice-body">
                    <p class="notice-title">"Whether the service did it is not known"</p>
                    <p>"No answer came, or none that tells. It is not sent again by itself: the status says what happened."</p>
                    {move || (desk.state() >= target).then(|| view! { <p><strong>"The status says that it was done."</strong></p> })}
                    {move || (desk.state() < target).then(|| view! { <p>{format!("The status says now: {}. It may still be on its way: ask again before you decide.", desk.state().name())}</p> })}
                    <div class="wrap-row">
                        <button type="button" class="button" on:click=ask>"Ask for the status"</button>
                        <button type="button" class="button" on:click=move |_| desk.stage.set(Stage::Status)>"Show the status"</button>
                    </div>
                </div>
            </div>
        }
        .into_any(),
    }
    };
    view! { <div role="status">{content}</div> }
}
