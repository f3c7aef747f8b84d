//! Sending a job: what is looked at before, and what became of it.

use super::desk::{Desk, JobRequest, Outcome};
use super::destination::shown;
use crate::api::{JobLook, Write};
use crate::components::conflict::{Conflict, Difference};
use crate::components::failure::Failure;
use crate::components::lost_write::LostWrite;
use crate::components::send::{NotSent, Sending, WriteWords};
use crate::focus::focus;
use crate::state::service::ServiceContext;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::{Map, Value};
use zonewright_api::ErrorObject;
use zonewright_api::logpush::Job;

const CREATED: WriteWords = WriteWords {
    made: "Job created",
    refused: "The job was not created",
    unknown: "Whether the job was created is not known",
};
pub(super) const CHANGED: WriteWords = WriteWords {
    made: "Job changed",
    refused: "The job was not changed",
    unknown: "Whether the job was changed is not known",
};

fn words(changes: bool) -> WriteWords {
    if changes { CHANGED } else { CREATED }
}

impl JobRequest {
    fn words(&self) -> WriteWords {
        words(self.input.id.is_some())
    }
}

/// Sends the job of the form.
#[derive(Clone, Copy)]
pub(super) struct Sender {
    service: ServiceContext,
    desk: Desk,
    sending: Sending<JobLook, Job, JobRequest>,
    /// Changes when a job was created or changed.
    changes: RwSignal<u32>,
}

impl Sender {
    /// A sender for the form of the page.
    pub(super) fn new(changes: RwSignal<u32>) -> Self {
        let desk = Desk::get();
        Sender { service: ServiceContext::get(), desk, sending: desk.sending, changes }
    }

    /// Whether something is under way.
    pub(super) fn busy(self) -> RwSignal<bool> {
        self.sending.busy
    }

    /// Sends the job, if nothing else is under way.
    pub(super) fn send(self) {
        let Sender { service, desk, sending, .. } = self;
        let owner = untrack(move || desk.owner());
        if sending.busy.get_untracked() || untrack(|| owner.missing_setting(&service.connection.read())).is_some() {
            return;
        }
        let (body, present) = (desk.body.get_untracked(), desk.draft.original.get_untracked());
        // What the others saved was shown, and is to be overwritten.
        let known = desk.draft.overwrite_base.get_untracked().or(present);
        let request = JobRequest { input: desk.draft.snapshot(), connection: service.connection.get_untracked() };
        let client = sending.begin();
        spawn_local(async move {
            let write = match known {
                None => client.create_job(&owner, &body).await,
                // Jobs have no versions to name in a request: the job is read again right before.
                Some(known) => match client.job(&owner, known.id).await {
                    Ok(now) if now.settings != known.settings => return sending.stop("job", now),
                    Ok(now) => client.update_job(&owner, &now, &body).await,
                    Err(problem) => Write::Refused(problem),
                },
            };
            self.settle(request, write);
        });
    }

    /// Reports the outcome of a job that was sent.
    fn settle(self, request: JobRequest, write: Write<JobLook>) {
        self.sending.settle(request.words(), request, write, move |request, job, is_shown| {
            // After a change of the zone, the form and the list are of another one.
            if *self.service.connection.read_untracked() == request.connection {
                let draft = self.desk.draft;
                if draft.take_saved(&request.input, &job, is_shown) {
                    focus("new-job");
                }
                draft.created.set(request.input.id.is_none().then_some(job));
            }
            if is_shown {
                self.sending.outcome.try_set(None);
            }
            self.changes.try_update(|changes| *changes = changes.wrapping_add(1));
        });
    }
}

/// What became of the last attempt.
#[component]
pub(super) fn SendOutcome(
    /// What sends.
    sender: Sender,
    /// Shows the field that an error is about.
    go: Callback<(String, String)>,
) -> impl IntoView {
    let desk = sender.desk;
    let draft = desk.draft;
    move || {
        sender.sending.outcome.get().map(|outcome| match outcome {
            Outcome::Failed(problem) => {
                let title = words(draft.original.read_untracked().is_some()).refused;
                view! { <Failure title problem told=stands_at_field go=Some(go) /> }.into_any()
            }
            Outcome::NotSent(errors) => view! { <NotSent errors told=|_| false go=Some(go) /> }.into_any(),
            Outcome::Unknown(unknown) => {
                let (request, lost) = *unknown;
                let (title, problem, seen) = (request.words().unknown, lost.problem.clone(), lost.seen);
                let again = Callback::new(move |()| {
                    let request = request.clone();
                    sender.sending.look_again(lost.clone(), move |write| sender.settle(request, write));
                });
                view! { <LostWrite title problem seen busy=sender.busy() again /> }.into_any()
            }
            Outcome::Changed(now) => {
                let known = draft.overwrite_base.get_untracked().or_else(|| draft.original.get_untracked());
                let body = desk.body.get_untracked();
                let differences = known.map(|known| differences(&known, &now, &body)).unwrap_or_default();
                let theirs = now.clone();
                let keep = Callback::new(move |()| {
                    draft.edit((*theirs).clone());
                    focus("job-name");
                });
                let overwrite = Callback::new(move |()| {
                    draft.overwrite_base.set(Some((*now).clone()));
                    sender.send();
                });
                view! { <Conflict what="job" differences keep overwrite /> }.into_any()
            }
        })
    }
}

/// The members that somebody else changed. Members that were not changed here stay as the others saved them.
fn differences(before: &Job, now: &Job, sent: &Map<String, Value>) -> Vec<Difference> {
    let members = |job: &Job| match serde_json::to_value(&job.settings) {
        Ok(Value::Object(members)) => members,
        _ => Map::new(),
    };
    let (before, now) = (members(before), members(now));
    let names: std::collections::BTreeSet<&String> = before.keys().chain(now.keys()).collect();
    let differs = |name: &&String| before.get(*name) != now.get(*name);
    let row = |name: &String| {
        let after = sent.get(name).or_else(|| now.get(name));
        Difference {
            name: name.clone(),
            before: text(name, before.get(name)),
            now: text(name, now.get(name)),
            after: text(name, after),
        }
    };
    names.into_iter().filter(differs).map(row).collect()
}

/// A member as people read it; secrets of an address stay hidden.
fn text(name: &str, value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(address)) if name == "destination_conf" => shown(address),
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
    }
}

/// Whether a field of the form says it.
fn stands_at_field(error: &ErrorObject) -> bool {
    error.source.as_ref().is_some_and(|source| !source.pointer.is_empty())
}
