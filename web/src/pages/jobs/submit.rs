//! The submission of a job.

use crate::analysis::find_errors;
use crate::api::{Client, JobWriteProbe, WriteOutcome};
use crate::components::api_error::strip_code_frames;
use crate::components::edit_conflict::ConflictingMember;
use crate::components::form::{Form, WriteMessages, is_at};
use crate::connection::Connection;
use crate::engine::EngineError;
use crate::focus::focus_by_id;
use crate::job::{JobOwner, redacted_address};
use crate::state::job_draft::{JobDraft, JobFormSnapshot};
use crate::state::service::ServiceContext;
use leptos::prelude::*;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use zonewright_api::logpush::Job;
use zonewright_api::{ErrorObject, error_code};
use zonewright_logpush::{Dataset, Options};

const CREATE_MESSAGES: WriteMessages = WriteMessages {
    applied: "Job created",
    rejected: "The job was not created",
    in_doubt: "We don't know whether the job was created",
};
pub(super) const UPDATE_MESSAGES: WriteMessages = WriteMessages {
    applied: "Job updated",
    rejected: "The job was not updated",
    in_doubt: "We don't know whether the job was updated",
};

/// The pointer of each batch limit, and the message about a value that is not a number.
const BATCH_LIMIT_MESSAGES: [(&str, &str); 3] = [
    ("/max_upload_bytes", "Enter an integer from 5,000,000 to 1,000,000,000."),
    ("/max_upload_interval_seconds", "Enter an integer from 30 to 300."),
    ("/max_upload_records", "Enter an integer from 1,000 to 1,000,000."),
];

/// A request that creates or updates a job.
#[derive(Clone)]
pub(super) struct JobRequest {
    owner: JobOwner,
    body: Map<String, Value>,
    /// The job that the request overwrites; `None` for a new one.
    base: Option<Job>,
    /// The input from which the request was created.
    snapshot: JobFormSnapshot,
    /// The connection over which the request was sent.
    connection: Connection,
}

/// The job form.
#[derive(Clone, Copy)]
pub(super) struct JobFormModel {
    /// The input.
    pub(super) draft: JobDraft,
    /// The service that the job is sent to.
    pub(super) service: ServiceContext,
    /// The body of the request.
    pub(super) body: Memo<Map<String, Value>>,
    /// Incremented after each write.
    changes: RwSignal<u32>,
}

impl JobFormModel {
    /// Creates the form of the draft.
    pub(super) fn new(changes: RwSignal<u32>) -> Self {
        let draft = JobDraft::get();
        let body = Memo::new(move |_| draft.request_body());
        JobFormModel { draft, service: ServiceContext::get(), body, changes }
    }

    /// Returns the owner of the job.
    pub(super) fn owner(self) -> JobOwner {
        self.service.job_owner(self.draft.form.read().scope)
    }

    /// Returns the version that the next request overwrites: the opened one, or a later one that the user chose to
    /// overwrite.
    fn base(self) -> Option<Job> {
        self.draft.overwrite_base.get().or_else(|| self.draft.original.get())
    }
}

impl Form for JobFormModel {
    type Object = Job;
    type Request = JobRequest;
    type Probe = JobWriteProbe;

    const NOUN: &'static str = "job";

    fn messages(is_edit: bool) -> WriteMessages {
        if is_edit { UPDATE_MESSAGES } else { CREATE_MESSAGES }
    }

    fn is_edit(self) -> bool {
        self.draft.original.read().is_some()
    }

    fn is_edit_request(request: &JobRequest) -> bool {
        request.snapshot.id.is_some()
    }

    fn missing_setting(self) -> Option<&'static str> {
        self.owner().missing_setting(&self.service.connection.read())
    }

    fn track(self) {
        self.body.track();
    }

    fn validate(self) -> Vec<ErrorObject> {
        let error = |rejection: zonewright_api::ValidationError| {
            ErrorObject::new(rejection.code, strip_code_frames(&rejection.message)).with_pointer(rejection.pointer)
        };
        let body = self.body.read();
        let mut errors: Vec<ErrorObject> = self.draft.validate(&body).into_iter().map(error).collect();
        // A text that is not a number is sent verbatim; the message of the API would be about a JSON string.
        for (pointer, message) in BATCH_LIMIT_MESSAGES {
            if body.get(pointer.trim_start_matches('/')).is_some_and(Value::is_string) {
                errors
                    .iter_mut()
                    .filter(|error| is_at(error, pointer))
                    .for_each(|error| error.message = message.to_owned());
            }
        }
        errors
    }

    async fn check(request: &JobRequest) -> Result<Vec<ErrorObject>, EngineError> {
        let member = |name: &str| request.body.get(name).and_then(Value::as_str);
        let Some(filter) = member("filter").filter(|filter| !filter.is_empty()) else { return Ok(Vec::new()) };
        let stored = request.base.as_ref().map(|base| base.settings.dataset.as_str());
        let dataset = member("dataset").or(stored).and_then(Dataset::from_name);
        let options = Options { dataset: dataset.unwrap_or_else(Dataset::http_requests), ..Options::default() };
        let messages = find_errors(filter, &options).await?;
        let error = |messages: Vec<String>| {
            ErrorObject::new(error_code::JOB_NOT_ALLOWED, messages.join("\n")).with_pointer("/filter")
        };
        Ok(Some(messages).filter(|messages| !messages.is_empty()).map(error).into_iter().collect())
    }

    fn is_shown_at_field(error: &ErrorObject) -> bool {
        error.source.as_ref().is_some_and(|source| !source.pointer.is_empty())
    }

    fn request(self) -> JobRequest {
        JobRequest {
            owner: self.owner(),
            body: self.body.get(),
            base: self.base(),
            snapshot: self.draft.snapshot(),
            connection: self.service.connection.get(),
        }
    }

    fn is_current(self, request: &JobRequest) -> bool {
        *self.service.connection.read_untracked() == request.connection && self.draft.edited_id() == request.snapshot.id
    }

    async fn send(client: &Client, request: &JobRequest) -> Result<WriteOutcome<JobWriteProbe>, Box<Job>> {
        let JobRequest { owner, body, .. } = request;
        let Some(base) = &request.base else { return Ok(client.create_job(owner, body).await) };
        // The API has no conditional update, so the job is read immediately before the update.
        match client.job(owner, base.id).await {
            Ok(current) if current.settings != base.settings => Err(Box::new(current)),
            Ok(current) => Ok(client.update_job(owner, &current, body).await),
            Err(error) => Ok(WriteOutcome::Rejected(error)),
        }
    }

    fn on_applied(self, request: JobRequest, saved: Job, is_mounted: bool) {
        // If the user changed the zone, the form and the list belong to another zone.
        if *self.service.connection.read_untracked() == request.connection {
            if self.draft.apply_saved(&request.snapshot, &saved, is_mounted) {
                focus_by_id("new-job");
            }
            self.draft.created.set(request.snapshot.id.is_none().then_some(saved));
        }
        self.changes.try_update(|changes| *changes = changes.wrapping_add(1));
    }

    fn conflicting_members(self, current: &Job) -> Vec<ConflictingMember> {
        self.base().map(|base| find_differences(&base, current, &self.body.get())).unwrap_or_default()
    }

    fn discard_input(self, current: Job) {
        self.draft.edit(current);
        focus_by_id("job-name");
    }

    fn accept_overwrite(self, current: Job) {
        self.draft.overwrite_base.set(Some(current));
    }
}

/// Returns the members that another user changed. Members that were not edited here retain the value of the other user.
fn find_differences(before: &Job, now: &Job, sent: &Map<String, Value>) -> Vec<ConflictingMember> {
    let members = |job: &Job| match serde_json::to_value(&job.settings) {
        Ok(Value::Object(members)) => members,
        _ => Map::new(),
    };
    let (before, now) = (members(before), members(now));
    let names: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
    let differs = |name: &&String| before.get(*name) != now.get(*name);
    let row = |name: &String| {
        let after = sent.get(name).or_else(|| now.get(name));
        ConflictingMember {
            name: name.clone(),
            before: format_member(name, before.get(name)),
            now: format_member(name, now.get(name)),
            after: format_member(name, after),
        }
    };
    names.into_iter().filter(differs).map(row).collect()
}

/// Formats a member as text, without the secrets of a destination.
fn format_member(name: &str, value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(address)) if name == "destination_conf" => redacted_address(address),
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
    }
}
