//! What the parts of the form and the tools beside it share.

use crate::analyzed::Analyzed;
use crate::api::{JobLook, Problem};
use crate::components::failure::spoken;
use crate::components::send::{self, Sending};
use crate::connection::Connection;
use crate::job::{JobForm, JobOwner};
use crate::state::job_draft::{JobDraft, JobFormSnapshot};
use crate::state::log_filter_draft::options;
use crate::state::service::ServiceContext;
use leptos::prelude::*;
use serde_json::{Map, Value};
use std::sync::Arc;
use wasm_bindgen::JsCast;
use zonewright_api::ErrorObject;
use zonewright_api::logpush::Job;
use zonewright_logpush::{Dataset, Destination, Options};

/// A job that was sent.
#[derive(Clone, PartialEq)]
pub(super) struct JobRequest {
    /// The job as the form held it.
    pub(super) input: JobFormSnapshot,
    /// The connection over which the job was sent.
    pub(super) connection: Connection,
}

/// What became of the last attempt to send.
pub(super) type Outcome = send::Outcome<JobLook, Job, JobRequest>;

/// What is shared.
#[derive(Clone, Copy)]
pub(super) struct Desk {
    /// The service that the job is sent to.
    pub(super) service: ServiceContext,
    /// The job.
    pub(super) draft: JobDraft,
    /// What is to be sent.
    pub(super) body: Memo<Map<String, Value>>,
    /// Why it would be refused.
    pub(super) refusals: Memo<Vec<ErrorObject>>,
    /// The dataset, by name.
    pub(super) dataset: Memo<String>,
    /// What the engine says about the filter.
    pub(super) analyzed: Memo<Arc<Analyzed<Options>>>,
    /// What is wrong with the destination: the part of the address, and the message.
    pub(super) parts: Memo<Vec<(String, String)>>,
    /// The sending of the form. Its outcome is `None` again after a change.
    pub(super) sending: Sending<JobLook, Job, JobRequest>,
    /// Whether it was tried to send it: what was never entered is wrong only then.
    pub(super) tried: RwSignal<bool>,
}

impl Desk {
    /// For the parts below.
    pub(super) fn provide() -> Self {
        let draft = JobDraft::get();
        let body = Memo::new(move |_| draft.request_body());
        let refusals = Memo::new(move |_| {
            let refused = |refusal: zonewright_api::Refusal| {
                // Of a filter the message is a drawing for terminals.
                let message = match refusal.diagnostics.as_slice() {
                    [] => spoken(&refusal.message),
                    diagnostics => diagnostics.iter().map(|one| one.message.clone()).collect::<Vec<_>>().join("\n"),
                };
                ErrorObject::new(refusal.code, message).at(refusal.pointer)
            };
            draft.validate(&body.read()).into_iter().map(refused).collect()
        });
        let parts = Memo::new(move |_| {
            let problems = Destination::read(&draft.form.read().address.text()).err().unwrap_or_default();
            problems.into_iter().map(|one| (one.pointer.trim_start_matches('/').to_owned(), one.message)).collect()
        });
        let dataset = Memo::new(move |_| draft.form.read().dataset.clone());
        let lint = Signal::derive(move || options(named(&dataset.read())));
        let desk = Desk {
            service: ServiceContext::get(),
            draft,
            body,
            refusals,
            dataset,
            parts,
            analyzed: Analyzed::follow(draft.filter, lint),
            sending: Sending::new(),
            tried: RwSignal::new(false),
        };
        // A change answers the last refusal.
        Effect::new(move |before: Option<()>| {
            body.track();
            // Of a job whose answer was lost it stays unknown, whatever is written next.
            if before.is_some() && !matches!(&*desk.sending.outcome.read_untracked(), Some(Outcome::Unknown(_))) {
                desk.sending.outcome.set(None);
            }
        });
        provide_context(desk);
        desk
    }

    /// The one of the page.
    pub(super) fn get() -> Self {
        use_context().unwrap_or_else(Desk::provide)
    }

    /// The dataset with its fields.
    pub(super) fn fields_of(self) -> &'static Dataset {
        named(&self.dataset.read())
    }

    /// Whose job it is.
    pub(super) fn owner(self) -> JobOwner {
        self.service.job_owner(self.draft.form.read().scope)
    }

    /// Identifier of the control that holds a part of the address; `None` for the address as a whole.
    pub(super) fn control_of(self, part: &str) -> Option<String> {
        let form = self.draft.form.read();
        let address = &form.address;
        if address.raw.is_some() {
            return Some("destination-address".to_owned());
        }
        match part.strip_prefix("headers/") {
            Some(index) if address.provider().headers => {
                let row = address.written_headers().nth(index.parse().ok()?)?;
                Some(format!("header-{row}"))
            }
            _ => address.provider().field_of(part).map(|key| format!("destination-{key}")),
        }
    }

    /// What is wrong with what a control of the destination holds.
    pub(super) fn said_of_control(self, id: &str) -> String {
        let parts = self.parts.read();
        let own = parts.iter().filter(|(part, _)| self.control_of(part).as_deref() == Some(id));
        own.map(|(_, message)| message.as_str()).collect::<Vec<_>>().join("\n")
    }

    /// Brings the field into view that an error is about.
    pub(super) fn show(self, pointer: &str, message: &str) {
        let mut names = pointer.split('/').filter(|name| !name.is_empty() && *name != "output_options");
        let name = names.next().unwrap_or_default();
        if name != "destination_conf" {
            return reveal(&format!("job-{name}"));
        }
        let control = untrack(move || {
            let parts = self.parts.read();
            parts.iter().find(|(_, one)| one == message).and_then(|(part, _)| self.control_of(part))
        });
        reveal(control.as_deref().unwrap_or("destination-provider"));
    }

    /// A part of the form as a signal.
    pub(super) fn part<T: Clone + PartialEq + Send + Sync + 'static>(self, part: fn(&JobForm) -> T) -> Memo<T> {
        Memo::new(move |_| part(&self.draft.form.read()))
    }

    /// Changes the form.
    pub(super) fn change(self, change: impl FnOnce(&mut JobForm)) {
        self.draft.form.update(change);
    }

    /// What was said of a place of the job, by these checks or by the service.
    pub(super) fn said(self, pointer: &str) -> Vec<String> {
        let about = |errors: &[ErrorObject]| {
            errors.iter().filter(|error| is_at(error, pointer)).map(|error| spoken(&error.message)).collect::<Vec<_>>()
        };
        let mut said = about(&self.refusals.read());
        if let Some(Outcome::Failed(Problem::Refused { errors, .. })) = &*self.sending.outcome.read() {
            said.extend(about(errors));
        }
        said.dedup();
        said
    }

    /// The same, for a field.
    pub(super) fn error(self, pointer: &'static str) -> Signal<String> {
        Signal::derive(move || self.said(pointer).join("\n"))
    }
}

fn named(name: &str) -> &'static Dataset {
    Dataset::named(name).unwrap_or_else(Dataset::http_requests)
}

/// Whether an error is about a place or what is in it.
pub(super) fn is_at(error: &ErrorObject, pointer: &str) -> bool {
    let place = error.source.as_ref().map_or("", |source| source.pointer.as_str());
    place.strip_prefix(pointer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Puts the focus on a control, or on the first one of a group, and opens what it is hidden in.
fn reveal(id: &str) {
    let Some(element) = document().get_element_by_id(id) else { return };
    if let Ok(Some(around)) = element.closest("details") {
        drop(around.set_attribute("open", ""));
    }
    let editor = element.query_selector(".editor-host").ok().flatten().and_then(|host| host.shadow_root());
    let inside = match editor {
        Some(root) => root.query_selector(".cm-content"),
        None if element.matches("input, select, textarea").unwrap_or_default() => Ok(Some(element.clone())),
        None => element.query_selector("input, select, textarea, button"),
    };
    let target = inside.ok().flatten().unwrap_or(element).dyn_into::<web_sys::HtmlElement>();
    if let Ok(target) = target {
        target.scroll_into_view_with_bool(false);
        drop(target.focus());
    }
}
