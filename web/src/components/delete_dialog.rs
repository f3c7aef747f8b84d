//! A dialog that deletes an object.
//!
//! The user can close the dialog while a deletion is in flight, and open it for another object. A late response is then
//! reported in a toast; it never changes the dialog of the other object.

use crate::api::{Client, InDoubtWrite, WriteOutcome, WriteProbe};
use crate::components::in_doubt::{WriteFailure, in_doubt_toast};
use crate::connection::Connection;
use crate::state::service::ServiceContext;
use crate::state::toasts::ToastContext;
use leptos::prelude::*;
use leptos::task::spawn_local;

/// A deletion that was sent.
#[derive(Clone, PartialEq)]
pub(crate) struct DeletionRequest<T> {
    /// The object to delete.
    pub(crate) target: T,
    /// The connection over which the request was sent.
    pub(crate) connection: Connection,
}

/// The messages of a deletion that failed or is in doubt.
#[derive(Clone, Copy)]
pub(crate) struct DeletionMessages {
    /// `The job was not deleted`.
    pub(crate) rejected: &'static str,
    /// `We don't know whether the job was deleted`.
    pub(crate) in_doubt: &'static str,
}

/// A deletion dialog with the outcome of its last attempt. Copies share their state.
pub(crate) struct DeletionDialog<T: 'static, P: 'static> {
    service: ServiceContext,
    toasts: ToastContext,
    target: RwSignal<Option<T>>,
    key: fn(&T) -> String,
    messages: DeletionMessages,
    /// Whether the dialog is open.
    pub(crate) open: RwSignal<bool>,
    /// Whether a deletion or a probe is in flight.
    pub(crate) busy: RwSignal<bool>,
    /// The failure of the last attempt.
    pub(crate) failure: RwSignal<Option<WriteFailure<P, DeletionRequest<T>>>>,
}

impl<T, P> Clone for DeletionDialog<T, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, P> Copy for DeletionDialog<T, P> {}

impl<T, P> DeletionDialog<T, P>
where
    T: Clone + Send + Sync,
    P: WriteProbe + Send + Sync,
{
    /// Creates a dialog that opens when `target` is set. Two targets with the same `key` are the same object.
    pub(crate) fn new(target: RwSignal<Option<T>>, key: fn(&T) -> String, messages: DeletionMessages) -> Self {
        let (open, busy, failure) = (RwSignal::new(false), RwSignal::new(false), RwSignal::new(None));
        Effect::new(move || {
            if target.read().is_some() {
                failure.set(None);
                open.set(true);
            }
        });
        Effect::new(move || {
            if !open.get() {
                target.set(None);
            }
        });
        DeletionDialog {
            service: ServiceContext::get(),
            toasts: ToastContext::get(),
            target,
            key,
            messages,
            open,
            busy,
            failure,
        }
    }

    /// Begins an attempt to delete the target, unless another one is in flight. Returns the request and the client to
    /// send it with.
    pub(crate) fn begin(self) -> Option<(DeletionRequest<T>, Client)> {
        let target = self.target.get_untracked().filter(|_| !self.busy.get_untracked())?;
        let connection = self.service.connection.get_untracked();
        self.busy.set(true);
        self.failure.set(None);
        Some((DeletionRequest { target, connection: connection.clone() }, Client::detached(connection)))
    }

    /// Ends an attempt. If the service deleted the target, calls `on_deleted` with the target, the response, and
    /// whether the dialog still shows the target. A failure is shown in the dialog, or in a toast if the dialog no
    /// longer shows the target.
    pub(crate) fn finish(
        self,
        request: DeletionRequest<T>,
        write: WriteOutcome<P>,
        on_deleted: impl FnOnce(T, P::Response, bool),
    ) {
        // Leaving the page disposes the signals; `try_set` then returns the value.
        let is_shown = self.busy.try_set(false).is_none() && self.is_target_of(&request);
        match write {
            WriteOutcome::Applied(response) => on_deleted(request.target, response, is_shown),
            WriteOutcome::Rejected(_) if !is_shown => self.toasts.show_error(self.messages.rejected),
            WriteOutcome::InDoubt(_) if !is_shown => self.toasts.show_error(in_doubt_toast(self.messages.in_doubt)),
            WriteOutcome::Rejected(error) => self.failure.set(Some(WriteFailure::Rejected(error))),
            WriteOutcome::InDoubt(write) => self.failure.set(Some(WriteFailure::InDoubt(Box::new((request, write))))),
        }
    }

    /// Returns a callback that probes a deletion in doubt and passes the outcome to `settle`.
    pub(crate) fn probe_again(
        self,
        settle: impl Fn(DeletionRequest<T>, WriteOutcome<P>) + Copy + Send + Sync + 'static,
    ) -> Callback<(DeletionRequest<T>, InDoubtWrite<P>)> {
        Callback::new(move |(request, write): (DeletionRequest<T>, InDoubtWrite<P>)| {
            self.busy.set(true);
            spawn_local(async move { settle(request, write.probe().await) });
        })
    }

    /// Returns whether the dialog shows the target of a request.
    fn is_target_of(self, request: &DeletionRequest<T>) -> bool {
        let current = self.target.read_untracked();
        *self.service.connection.read_untracked() == request.connection
            && current.as_ref().is_some_and(|current| (self.key)(current) == (self.key)(&request.target))
    }
}
