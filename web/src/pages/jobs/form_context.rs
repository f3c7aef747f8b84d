//! The state that the parts of the form and the tools share.

use super::submit::JobFormModel;
use crate::analysis::AnalyzedSource;
use crate::components::form::Submission;
use crate::focus::focus_first_control;
use crate::job::{JobForm, JobOwner};
use crate::state::job_draft::JobDraft;
use crate::state::log_filter_draft::filter_options;
use leptos::prelude::*;
use serde_json::{Map, Value};
use std::sync::Arc;
use zonewright_logpush::{Dataset, Destination, Options};

/// The job form of the page.
#[derive(Clone, Copy)]
pub(super) struct FormContext {
    /// The input.
    pub(super) draft: JobDraft,
    /// The body of the request.
    pub(super) body: Memo<Map<String, Value>>,
    /// The name of the dataset.
    pub(super) dataset_name: Memo<String>,
    /// The filter with its analysis.
    pub(super) analyzed: Signal<Arc<AnalyzedSource<Options>>>,
    /// The errors of the destination: the name of the part, and the message.
    pub(super) destination_errors: Memo<Vec<(String, String)>>,
    /// The submission of the job.
    pub(super) submission: Submission<JobFormModel>,
    /// Whether the user submitted the form. An empty required field is an error only after that.
    pub(super) was_submitted: RwSignal<bool>,
}

impl FormContext {
    /// Creates the context and provides it to the page. `changes` is incremented after each write.
    pub(super) fn provide(changes: RwSignal<u32>) {
        let form = JobFormModel::new(changes);
        let JobFormModel { draft, body, .. } = form;
        let destination_errors = Memo::new(move |_| {
            let problems = Destination::parse(&draft.form.read().destination.to_text()).err().unwrap_or_default();
            problems
                .into_iter()
                .map(|error| (error.pointer.trim_start_matches('/').to_owned(), error.message))
                .collect()
        });
        let dataset_name = Memo::new(move |_| draft.form.read().dataset.clone());
        let options = Signal::derive(move || filter_options(dataset_or_default(&dataset_name.read())));
        provide_context(FormContext {
            draft,
            body,
            dataset_name,
            destination_errors,
            analyzed: AnalyzedSource::follow(draft.filter, options),
            submission: Submission::new(form),
            was_submitted: RwSignal::new(false),
        });
    }

    /// Returns the context of the page.
    pub(super) fn get() -> Self {
        expect_context()
    }

    /// Returns the dataset, or that of HTTP requests if the name is unknown.
    pub(super) fn dataset(self) -> &'static Dataset {
        dataset_or_default(&self.dataset_name.read())
    }

    /// Returns the owner of the job.
    pub(super) fn owner(self) -> JobOwner {
        self.submission.form.owner()
    }

    /// Returns a memo of a part of the form.
    pub(super) fn select<T: Clone + PartialEq + Send + Sync + 'static>(self, part: fn(&JobForm) -> T) -> Memo<T> {
        Memo::new(move |_| part(&self.draft.form.read()))
    }

    /// Changes the form.
    pub(super) fn update(self, change: impl FnOnce(&mut JobForm)) {
        self.draft.form.update(change);
    }

    /// Joins the error messages of a member, for a field.
    pub(super) fn error_at(self, pointer: impl Into<String>) -> Signal<String> {
        self.submission.error_at(pointer)
    }

    /// Returns the ID of the control for a part of the destination; `None` for the destination as a whole.
    pub(super) fn control_id(self, part: &str) -> Option<String> {
        let form = self.draft.form.read();
        let address = &form.destination;
        if address.raw.is_some() {
            return Some("destination-address".to_owned());
        }
        match part.strip_prefix("headers/") {
            Some(index) if address.provider().accepts_headers => {
                let row = address.written_headers().nth(index.parse().ok()?)?;
                Some(format!("header-{row}"))
            }
            _ => address.provider().field_for(part).map(|key| format!("destination-{key}")),
        }
    }

    /// Joins the error messages of a control of the destination.
    pub(super) fn control_error(self, id: &str) -> String {
        let errors = self.destination_errors.read();
        let own = errors.iter().filter(|(part, _)| self.control_id(part).as_deref() == Some(id));
        own.map(|(_, message)| message.as_str()).collect::<Vec<_>>().join("\n")
    }

    /// Focuses the control that an error is about.
    pub(super) fn go_to(self, pointer: &str, message: &str) {
        let mut names = pointer.split('/').filter(|name| !name.is_empty() && *name != "output_options");
        let name = names.next().unwrap_or_default();
        let id = if name == "destination_conf" {
            untrack(move || {
                let errors = self.destination_errors.read();
                let control =
                    errors.iter().find(|(_, error)| error == message).and_then(|(part, _)| self.control_id(part));
                let is_raw = self.draft.form.read().destination.raw.is_some();
                let whole = if is_raw { "destination-address" } else { "destination-provider" };
                control.unwrap_or_else(|| whole.to_owned())
            })
        } else {
            format!("job-{name}")
        };
        if let Some(element) = document().get_element_by_id(&id) {
            focus_first_control(&element);
        }
    }
}

fn dataset_or_default(name: &str) -> &'static Dataset {
    Dataset::from_name(name).unwrap_or_else(Dataset::http_requests)
}
