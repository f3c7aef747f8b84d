//! What the parts of the form and the tools beside it share.

use crate::analyzed::Analyzed;
use crate::api::Problem;
use crate::components::failure::spoken;
use crate::job::{JobDraft, JobForm};
use crate::log_filter::options;
use crate::session::Session;
use leptos::prelude::*;
use serde_json::{Map, Value};
use std::sync::Arc;
use wasm_bindgen::JsCast;
use zonewright_api::ErrorObject;
use zonewright_logpush::{Dataset, Options};

/// What became of the last attempt to send.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Outcome {
    /// Refused here; nothing was sent.
    NotSent(Vec<ErrorObject>),
    /// Sent, and it failed.
    Failed(Problem),
}

/// What is shared.
#[derive(Clone, Copy)]
pub(super) struct Desk {
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
    /// What became of the last attempt to send; `None` again after a change.
    pub(super) outcome: RwSignal<Option<Outcome>>,
    /// Whether it was tried to send it: what was never entered is wrong only then.
    pub(super) tried: RwSignal<bool>,
}

impl Desk {
    /// For the parts below.
    pub(super) fn provide() -> Self {
        let draft = Session::get().job;
        let body = Memo::new(move |_| draft.body());
        let refusals = Memo::new(move |_| {
            let refused = |refusal: zonewright_api::Refusal| {
                // Of a filter the message is a drawing for terminals.
                let message = match refusal.diagnostics.as_slice() {
                    [] => spoken(&refusal.message),
                    diagnostics => diagnostics.iter().map(|one| one.message.clone()).collect::<Vec<_>>().join("\n"),
                };
                ErrorObject::new(refusal.code, message).at(refusal.pointer)
            };
            draft.refusals(&body.read()).into_iter().map(refused).collect()
        });
        let dataset = Memo::new(move |_| draft.form.read().dataset.clone());
        let lint = Signal::derive(move || options(named(&dataset.read())));
        let desk = Desk {
            draft,
            body,
            refusals,
            dataset,
            analyzed: Analyzed::follow(draft.filter, lint),
            outcome: RwSignal::new(None),
            tried: RwSignal::new(false),
        };
        // A change answers the last refusal.
        Effect::new(move |before: Option<()>| {
            body.track();
            if before.is_some() {
                desk.outcome.set(None);
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
        if let Some(Outcome::Failed(Problem::Refused { errors, .. })) = &*self.outcome.read() {
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

/// Puts the focus there once what changes is drawn.
pub(super) fn focus(id: &str) {
    let id = id.to_owned();
    request_animation_frame(move || {
        let element = document().get_element_by_id(&id).and_then(|one| one.dyn_into::<web_sys::HtmlElement>().ok());
        if let Some(element) = element {
            drop(element.focus());
        }
    });
}
