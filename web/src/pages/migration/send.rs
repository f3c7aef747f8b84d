//! The update: everything is looked at again, then it is sent once. Without an answer nobody knows whether
//! the service did it: then the status is asked for, and nothing is sent again by itself.

use super::desk::{Sending, Stage};
use super::dispatch::{Dispatch, Halt, Outcome};
use super::source::read_zone;
use crate::api::waf::migrate_path;
use crate::api::{Client, Problem};
use crate::components::failure::Failure;
use crate::components::icon::{Icon, Pictogram};
use crate::connection::Link;
use crate::session::Session;
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
    let session = Session::get();
    let desk = session.migration;
    let connection = session.connection.read();
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
    let session = Session::get();
    let desk = session.migration;
    if desk.sending.read_untracked().is_open() {
        return;
    }
    let Some(dispatch) = Dispatch::take(session, target) else { return };
    let dispatch = Arc::new(dispatch);
    desk.elsewhere.set(None);
    desk.sending.set(Sending::Checking);
    spawn_local(async move {
        if let Err(halt) = dispatch.look_again(session).await {
            return halted(session, &dispatch, halt);
        }
        desk.sending.set(Sending::Sent);
        let answer = dispatch.send(parameter(target)).await;
        told(session, &dispatch, answer).await;
    });
}

/// Says why nothing was sent.
fn halted(session: Session, dispatch: &Dispatch, halt: Halt) {
    let desk = session.migration;
    let left = dispatch.is_left(session);
    match halt {
        _ if left => {
            let name = &dispatch.name;
            let words = "another zone or connection was chosen while the service was asked again";
            desk.elsewhere.set(Some(format!("Nothing was sent to {name}: {words}.")));
        }
        Halt::Left => desk.sending.set(Sending::Idle),
        Halt::Stopped(words) => desk.sending.set(Sending::Stopped(words)),
        Halt::Failed(problem) => desk.sending.set(Sending::NotSent(problem)),
    }
}

/// What an answer means.
async fn told(session: Session, dispatch: &Arc<Dispatch>, answer: Result<(), Problem>) {
    let desk = session.migration;
    let next = match answer {
        Ok(()) => Sending::Idle,
        Err(problem) if problem.leaves_write_unknown() => Sending::Unknown(dispatch.clone(), None),
        Err(Problem::BadAddress) => Sending::NotSent(Problem::BadAddress),
        Err(problem) => Sending::Refused(problem),
    };
    if dispatch.is_left(session) {
        let name = &dispatch.name;
        desk.elsewhere.set(Some(match next {
            Sending::Idle => format!("The service took the new configuration of {name}."),
            Sending::Unknown(..) => {
                format!("Whether the service did the update of {name} is not known: choose {name} again and look at its status.")
            }
            _ => format!("The service did not do the update of {name}: it is as it was."),
        }));
        return;
    }
    let (done, unknown) = (next == Sending::Idle, matches!(next, Sending::Unknown(..)));
    desk.sending.set(next);
    if unknown {
        find_out(session, dispatch.clone()).await;
    } else if done {
        session.link.set(Link::Connected);
        desk.typed.set(String::new());
        session.say_done("The service took the new configuration");
        desk.stage.set(Stage::Status);
        // What is adjusted next rests on what is saved now. If it cannot be read, the next update is stopped. What was
        // sent is forgotten before anything is waited for: what is written meanwhile is something new.
        let again = dispatch.target == MigrationState::Validation;
        if again {
            desk.edited.set(None);
        }
        drop(ask_status(session).await);
        if again && !dispatch.is_left(session) {
            drop(read_zone(session).await);
        } else {
            show_saved(session, dispatch).await;
        }
    } else {
        drop(ask_status(session).await);
    }
}

/// Reads what is saved after the door: the previous interfaces no longer answer, so the zone cannot be read again.
async fn show_saved(session: Session, dispatch: &Dispatch) {
    let saved = dispatch.read_saved().await;
    if !dispatch.is_left(session)
        && let Ok(Some(saved)) = saved
    {
        session.migration.saved.set(Some(saved));
    }
}

/// Finds out what became of an update that nobody answered.
async fn find_out(session: Session, dispatch: Arc<Dispatch>) {
    let desk = session.migration;
    let found = dispatch.find_out().await;
    let same = matches!(&*desk.sending.read_untracked(), Sending::Unknown(one, _) if Arc::ptr_eq(one, &dispatch));
    if dispatch.is_left(session) || !same {
        return;
    }
    match found {
        Ok((status, outcome)) => {
            session.link.set(Link::Connected);
            desk.status.set(Some(status));
            desk.sending.set(Sending::Unknown(dispatch.clone(), Some(outcome)));
            if outcome == Outcome::Done {
                show_saved(session, &dispatch).await;
            }
        }
        Err(_) => session.link.set(Link::Trouble),
    }
}

/// Asks how far the zone is; what is known stays when there is no answer.
pub(super) async fn ask_status(session: Session) -> Option<Problem> {
    let controller = AbortController::new().ok()?;
    let connection = session.connection.get_untracked();
    let client = Client::new(connection.clone(), &controller.signal());
    let answer = client.migration_status().await;
    if session.connection.get_untracked() != connection {
        return None;
    }
    match answer {
        Ok(status) => {
            session.link.set(Link::Connected);
            session.migration.status.set(Some(status));
            let sending = session.migration.sending.get_untracked();
            if let Sending::Unknown(dispatch, None) = sending {
                find_out(session, dispatch).await;
            }
            None
        }
        Err(problem) => {
            session.link.set(Link::Trouble);
            Some(problem)
        }
    }
}

/// What became of an update whose zone or connection is no longer chosen.
#[component]
pub(super) fn Elsewhere() -> impl IntoView {
    let desk = Session::get().migration;
    view! {
        <div role="status">
            {move || desk.elsewhere.get().map(|words| view! {
                <div class="notice error elsewhere">
                    <Pictogram icon=Icon::Warning />
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
pub(super) fn Progress() -> impl IntoView {
    let desk = Session::get().migration;
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
        Sending::Unknown(dispatch, outcome) => view! { <Unknown dispatch outcome /> }.into_any(),
    }
    };
    // It comes at the foot of a long page: it is brought into view.
    let place = NodeRef::<leptos::html::Div>::new();
    Effect::new(move || {
        if *desk.sending.read() != Sending::Idle
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
fn Unknown(dispatch: Arc<Dispatch>, outcome: Option<Outcome>) -> impl IntoView {
    let session = Session::get();
    let desk = session.migration;
    let words = match outcome {
        None => view! { <p>"The status has not been received yet: until it has, nothing else can be sent."</p> }.into_any(),
        Some(Outcome::Done) => view! { <p><strong>"The status says that it was done."</strong> " What is saved is what was sent."</p> }.into_any(),
        Some(Outcome::Other) => view! { <p><strong>"The zone has moved on, and what is saved is not what was sent."</strong> " Somebody else may have done it: read the zone again."</p> }.into_any(),
        Some(Outcome::NotYet(state)) => view! { <p>{format!("The status says now: {}, and what was sent is not saved. It may still be on its way: ask again before you decide.", state.name())}</p> }.into_any(),
    };
    let ask = move |_| {
        let dispatch = dispatch.clone();
        spawn_local(find_out(session, dispatch));
    };
    let (class, icon, title) = if outcome == Some(Outcome::Done) {
        ("notice success", Icon::Success, "No answer came, but it was done")
    } else {
        ("notice error", Icon::Warning, "Whether the service did it is not known")
    };
    view! {
        <div class=class>
            <Pictogram icon />
            <div class="notice-body">
                <p class="notice-title">{title}</p>
                <p>"No answer came, or none that tells. It is not sent again by itself: the status says what happened."</p>
                {words}
                <div class="wrap-row">
                    <button type="button" class="button" on:click=ask>"Ask for the status"</button>
                    <button type="button" class="button" on:click=move |_| desk.stage.set(Stage::Status)>"Show the status"</button>
                </div>
            </div>
        </div>
    }
}
