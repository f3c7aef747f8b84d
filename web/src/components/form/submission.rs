//! The submission of a form.
//!
//! The page of the form owns its [`Submission`]. A toast reports the outcome of a request if the user has left the
//! page, or if the form shows another object by then; such an outcome never changes the form. A write whose response
//! was lost remains [`SubmissionOutcome::InDoubt`] until a probe of the service resolves it. At most one request or
//! probe is in flight, because [`Submission::busy`] blocks the next one.

use super::errors::errors_at;
use crate::api::{ApiError, Client, InDoubtWrite, WriteOutcome, WriteProbe};
use crate::components::edit_conflict::ConflictingMember;
use crate::components::in_doubt::in_doubt_toast;
use crate::engine::EngineError;
use crate::state::service::{ConnectionStatus, ServiceContext};
use crate::state::toasts::ToastContext;
use leptos::prelude::*;
use leptos::task::spawn_local;
use zonewright_api::ErrorObject;

/// A form that creates or changes one object of the service.
pub(crate) trait Form: Copy + Send + Sync + 'static {
    /// The object, as the service stores it.
    type Object: Clone + Send + Sync;
    /// The submitted input.
    type Request: Clone + Send + Sync;
    /// The probe of a write whose response was lost.
    type Probe: WriteProbe<Response = Self::Object> + Send + Sync;

    /// The object in messages, in lowercase: `rule`.
    const NOUN: &'static str;

    /// Returns the messages of a request that creates (`false`) or changes (`true`) the object.
    fn messages(is_edit: bool) -> WriteMessages;
    /// Returns whether the form changes an existing object.
    fn is_edit(self) -> bool;
    /// Returns whether a request changes an existing object.
    fn is_edit_request(request: &Self::Request) -> bool;
    /// Returns a message about the setting that is missing before the form can be submitted.
    fn missing_setting(self) -> Option<&'static str>;
    /// Reads every member, so that the calling effect runs again after a change.
    fn track(self);
    /// Returns the errors that the service would return, except those that only the engine finds.
    fn validate(self) -> Vec<ErrorObject>;
    /// Returns the errors that only the engine finds in a request, such as those of its expression.
    async fn check(request: &Self::Request) -> Result<Vec<ErrorObject>, EngineError>;
    /// Returns whether a field shows the message of an error.
    fn is_shown_at_field(error: &ErrorObject) -> bool;
    /// Renders a remedy for a rejection, if there is one.
    fn remedy(_submission: Submission<Self>, _error: &ApiError) -> Option<AnyView> {
        None
    }
    /// Returns the current input.
    fn request(self) -> Self::Request;
    /// Returns whether the form still shows the object of a request, over the same connection. The user can open
    /// another object or select another zone while the request is in flight.
    fn is_current(self, request: &Self::Request) -> bool;
    /// Sends a request. If another user changed the object since editing began, nothing is sent and the current object
    /// is returned.
    async fn send(client: &Client, request: &Self::Request) -> Result<WriteOutcome<Self::Probe>, Box<Self::Object>>;
    /// Updates the state of the app after the service applied a request. `is_mounted` is false if the user left the
    /// form.
    fn on_applied(self, request: Self::Request, object: Self::Object, is_mounted: bool);
    /// Returns the members that another user changed.
    fn conflicting_members(self, current: &Self::Object) -> Vec<ConflictingMember>;
    /// Replaces the input with the object that another user saved.
    fn discard_input(self, current: Self::Object);
    /// Makes the object that another user saved the base of the next request, which overwrites it.
    fn accept_overwrite(self, current: Self::Object);
}

/// The messages of a write, one for each outcome.
#[derive(Clone, Copy)]
pub(crate) struct WriteMessages {
    /// `Rule created`
    pub(crate) applied: &'static str,
    /// `The rule was not created`
    pub(crate) rejected: &'static str,
    /// `We don't know whether the rule was created`
    pub(crate) in_doubt: &'static str,
}

/// The reason why the last attempt did not succeed.
#[derive(Clone)]
pub(crate) enum SubmissionOutcome<F: Form> {
    /// The form is invalid; nothing was sent.
    Invalid(Vec<ErrorObject>),
    /// The service did not apply the request.
    Rejected(ApiError),
    /// Another user changed the object since editing began; nothing was sent.
    Conflict(Box<F::Object>),
    /// It is unknown whether the service applied the request.
    InDoubt(Box<(F::Request, InDoubtWrite<F::Probe>)>),
}

/// The submission of a form. Copies share their state.
#[derive(Clone, Copy)]
pub(crate) struct Submission<F: Form> {
    /// The form.
    pub(crate) form: F,
    /// The errors of the current input, with those that the engine found at the last attempt.
    pub(crate) errors: Memo<Vec<ErrorObject>>,
    /// The errors that the engine found in the input of the last attempt. A change of the input clears them.
    engine_errors: RwSignal<Vec<ErrorObject>>,
    /// The number of the last attempt or change of the input. The result of a check with another number is outdated.
    attempt: StoredValue<u32>,
    /// Whether a request or a probe is in flight.
    pub(crate) busy: RwSignal<bool>,
    /// Whether the last attempt failed because the form was invalid. A write in doubt remains the outcome after such an
    /// attempt.
    pub(crate) invalid: RwSignal<bool>,
    /// The reason why the last attempt did not succeed. The next attempt clears it. So does a change of the input or
    /// the connection, unless the write is in doubt.
    pub(crate) outcome: RwSignal<Option<SubmissionOutcome<F>>>,
    service: ServiceContext,
    toasts: ToastContext,
}

impl<F: Form> Submission<F> {
    /// Creates a submission without an attempt, and clears its outcome when the input or the connection changes.
    pub(crate) fn new(form: F) -> Self {
        let (invalid, outcome) = (RwSignal::new(false), RwSignal::new(None));
        let engine_errors = RwSignal::new(Vec::new());
        let attempt = StoredValue::new(0_u32);
        let service = ServiceContext::get();
        Effect::new(move |before: Option<()>| {
            form.track();
            service.connection.track();
            invalid.set(false);
            engine_errors.set(Vec::new());
            attempt.update_value(|attempt| *attempt = attempt.wrapping_add(1));
            // New input does not resolve a write in doubt.
            if before.is_some() && !is_in_doubt(outcome.read_untracked().as_ref()) {
                outcome.set(None);
            }
        });
        Submission {
            form,
            errors: Memo::new(move |_| form.validate().into_iter().chain(engine_errors.get()).collect()),
            engine_errors,
            attempt,
            busy: RwSignal::new(false),
            invalid,
            outcome,
            service,
            toasts: ToastContext::get(),
        }
    }

    /// Handles the submit event of the form: sends the input if it is valid.
    pub(crate) fn on_submit(self, event: &leptos::ev::SubmitEvent) {
        event.prevent_default();
        let form = self.form;
        let errors = untrack(move || form.validate());
        if errors.is_empty() { self.send() } else { self.reject_all(errors) }
    }

    /// Rejects the input with these errors and those that the engine finds, so that the user sees all of them at once.
    fn reject_all(self, mut errors: Vec<ErrorObject>) {
        let form = self.form;
        let request = untrack(move || form.request());
        let attempt = self.next_attempt();
        spawn_local(async move {
            let found = F::check(&request).await.unwrap_or_default();
            if self.attempt.try_get_value() == attempt {
                self.engine_errors.set(found.clone());
                errors.extend(found);
                self.reject(errors);
            }
        });
    }

    fn next_attempt(self) -> Option<u32> {
        self.attempt.try_update_value(|attempt| {
            *attempt = attempt.wrapping_add(1);
            *attempt
        })
    }

    /// Shows the errors of the input, of which nothing was sent. A write in doubt remains the outcome.
    fn reject(self, errors: Vec<ErrorObject>) {
        if !is_in_doubt(self.outcome.read_untracked().as_ref()) {
            self.outcome.set(Some(SubmissionOutcome::Invalid(errors)));
        }
        self.invalid.set(true);
    }

    /// Sends the input if the engine finds no errors in it, unless a request or a probe is in flight or a setting is
    /// missing.
    pub(crate) fn send(self) {
        let form = self.form;
        if self.busy.get_untracked() || untrack(move || form.missing_setting()).is_some() {
            return;
        }
        let request = untrack(move || form.request());
        let client = Client::detached(self.service.connection.get_untracked());
        self.busy.set(true);
        self.invalid.set(false);
        let attempt = self.next_attempt();
        spawn_local(async move {
            match F::check(&request).await {
                Ok(errors) if errors.is_empty() => {}
                checked => return self.abort_on_check(&request, checked, attempt),
            }
            self.outcome.try_set(None);
            match F::send(&client, &request).await {
                Ok(write) => self.finish(request, write),
                Err(current) => self.abort_on_conflict(&request, current),
            }
        });
    }

    /// Ends an attempt whose input the engine rejected or could not check.
    fn abort_on_check(
        self,
        request: &F::Request,
        checked: Result<Vec<ErrorObject>, EngineError>,
        attempt: Option<u32>,
    ) {
        let is_mounted = self.release();
        match checked {
            Ok(errors) if is_mounted && self.attempt.try_get_value() == attempt => {
                self.engine_errors.set(errors.clone());
                self.reject(errors);
            }
            // The form shows other input by now.
            Ok(_) => self.toasts.show_error(F::messages(F::is_edit_request(request)).rejected),
            Err(error) => {
                let noun = F::NOUN;
                let text = format!("The {noun} was not sent, because it could not be checked: {}", error.reason());
                self.toasts.show_error(text);
            }
        }
    }

    /// Probes a write that is in doubt.
    pub(crate) fn probe_again(self, request: F::Request, write: InDoubtWrite<F::Probe>) {
        self.busy.set(true);
        spawn_local(async move { self.finish(request, write.probe().await) });
    }

    /// Returns the error messages of a member, from the validation and from the last response.
    pub(crate) fn errors_at(self, pointer: &str) -> Vec<String> {
        let mut messages = errors_at(&self.errors.read(), pointer);
        if let Some(SubmissionOutcome::Rejected(ApiError::Response { errors, .. })) = &*self.outcome.read() {
            messages.extend(errors_at(errors, pointer));
        }
        messages.dedup();
        messages
    }

    /// Joins the error messages of a member, for a field.
    pub(crate) fn error_at(self, pointer: impl Into<String>) -> Signal<String> {
        let pointer = pointer.into();
        Signal::derive(move || self.errors_at(&pointer).join("\n"))
    }

    fn finish(self, request: F::Request, write: WriteOutcome<F::Probe>) {
        let Submission { form, service, toasts, outcome, .. } = self;
        let messages = F::messages(F::is_edit_request(&request));
        let is_mounted = self.release();
        let is_shown = is_mounted && form.is_current(&request);
        let has_response =
            matches!(write, WriteOutcome::Applied(_) | WriteOutcome::Rejected(ApiError::Response { .. }));
        service.status.set(if has_response { ConnectionStatus::Connected } else { ConnectionStatus::Failed });
        match write {
            WriteOutcome::Applied(object) => {
                form.on_applied(request, object, is_mounted);
                outcome.try_set(None);
                toasts.show_success(messages.applied);
            }
            WriteOutcome::Rejected(_) if !is_shown => toasts.show_error(messages.rejected),
            WriteOutcome::InDoubt(_) if !is_shown => toasts.show_error(in_doubt_toast(messages.in_doubt)),
            WriteOutcome::Rejected(error) => outcome.set(Some(SubmissionOutcome::Rejected(error))),
            WriteOutcome::InDoubt(write) => outcome.set(Some(SubmissionOutcome::InDoubt(Box::new((request, write))))),
        }
    }

    fn abort_on_conflict(self, request: &F::Request, current: Box<F::Object>) {
        self.service.status.set(ConnectionStatus::Connected);
        if self.release() && self.form.is_current(request) {
            self.outcome.set(Some(SubmissionOutcome::Conflict(current)));
        } else {
            let noun = F::NOUN;
            let text = format!("The {noun} was not updated: someone else changed it while you were editing it");
            self.toasts.show_error(text);
        }
    }

    /// Ends an attempt. Returns false if the user left the form, which disposes its signals.
    fn release(self) -> bool {
        self.busy.try_set(false).is_none()
    }
}

fn is_in_doubt<F: Form>(outcome: Option<&SubmissionOutcome<F>>) -> bool {
    matches!(outcome, Some(SubmissionOutcome::InDoubt(_)))
}
