//! Sending what a form holds: what became of the last attempt, and the parts of the page that say so.
//!
//! A form keeps its [`Sending`] as long as its page is shown. A write that was sent is never broken off: when the page
//! was left before the outcome came, a toast tells it.

use crate::api::{Client, Look, Lost, Problem, Write};
use crate::components::failure::ErrorList;
use crate::components::icon::{Icon, Pictogram};
use crate::components::lost_write::words_of_unknown;
use crate::state::service::{ConnectionStatus, ServiceContext};
use crate::state::toasts::ToastContext;
use leptos::prelude::*;
use leptos::task::spawn_local;
use zonewright_api::ErrorObject;

/// The words for what became of a write.
#[derive(Clone, Copy)]
pub(crate) struct WriteWords {
    /// `Rule created`.
    pub(crate) made: &'static str,
    /// `The rule was not created`.
    pub(crate) refused: &'static str,
    /// `Whether the rule was created is not known`.
    pub(crate) unknown: &'static str,
}

/// What became of the last attempt to send an object `T`; `S` is remembered of what was sent.
#[derive(Clone, PartialEq)]
pub(crate) enum Outcome<L, T, S> {
    /// Refused here; nothing was sent.
    NotSent(Vec<ErrorObject>),
    /// The service did not do it.
    Failed(Problem),
    /// Somebody else changed the object since it was opened; nothing was sent.
    Changed(Box<T>),
    /// No answer tells whether the service did it.
    Unknown(Box<(S, Lost<L>)>),
}

/// The sending of a form, with the outcome of its last attempt. Copies share it.
pub(crate) struct Sending<L: 'static, T: 'static, S: 'static> {
    service: ServiceContext,
    toasts: ToastContext,
    /// Whether something is under way.
    pub(crate) busy: RwSignal<bool>,
    /// What became of the last attempt.
    pub(crate) outcome: RwSignal<Option<Outcome<L, T, S>>>,
}

impl<L, T, S> Clone for Sending<L, T, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L, T, S> Copy for Sending<L, T, S> {}

impl<L, T, S> Sending<L, T, S>
where
    L: Look + Send + Sync,
    T: Send + Sync,
    S: Send + Sync,
{
    /// A form that has not sent anything.
    pub(crate) fn new() -> Self {
        Sending {
            service: ServiceContext::get(),
            toasts: ToastContext::get(),
            busy: RwSignal::new(false),
            outcome: RwSignal::new(None),
        }
    }

    /// Begins an attempt, and gives the client to send with.
    pub(crate) fn begin(self) -> Client {
        self.busy.set(true);
        self.outcome.set(None);
        Client::timed(self.service.connection.get_untracked())
    }

    /// Ends an attempt before anything was sent: somebody else changed the object, called by its noun.
    pub(crate) fn stop(self, noun: &str, now: T) {
        self.service.status.set(ConnectionStatus::Connected);
        if self.end() {
            self.outcome.set(Some(Outcome::Changed(Box::new(now))));
        } else {
            let words = format!("The {noun} was not changed: somebody else changed it while you were editing it");
            self.toasts.show_error(words);
        }
    }

    /// Ends an attempt with what became of the write. Calls `made` when the service did it: with what was sent, what the
    /// service answered, and whether the page is still shown.
    pub(crate) fn settle(self, words: WriteWords, sent: S, write: Write<L>, made: impl FnOnce(S, L::Made, bool)) {
        let Sending { service, toasts, .. } = self;
        let shown = self.end();
        let answered = matches!(write, Write::Made(_) | Write::Refused(Problem::Refused { .. }));
        service.status.set(if answered { ConnectionStatus::Connected } else { ConnectionStatus::Failed });
        match write {
            Write::Made(answer) => {
                made(sent, answer, shown);
                toasts.show_success(words.made);
            }
            Write::Refused(_) if !shown => toasts.show_error(words.refused),
            Write::Unknown(_) if !shown => toasts.show_error(words_of_unknown(words.unknown)),
            Write::Refused(problem) => self.outcome.set(Some(Outcome::Failed(problem))),
            Write::Unknown(lost) => self.outcome.set(Some(Outcome::Unknown(Box::new((sent, lost))))),
        }
    }

    /// Looks a lost write up again, and passes on what was found.
    pub(crate) fn look_again(self, lost: Lost<L>, settle: impl FnOnce(Write<L>) + 'static) {
        self.busy.set(true);
        spawn_local(async move { settle(lost.look_up().await) });
    }

    /// Notes that nothing is under way any more. False when the page was left meanwhile, and its signals with it.
    fn end(self) -> bool {
        self.busy.try_set(false).is_none()
    }
}

/// Says that nothing was sent, because the service would refuse it.
#[component]
pub(crate) fn NotSent(
    /// Why.
    errors: Vec<ErrorObject>,
    /// Whether a field of the form says an error already: then only its code and place are listed.
    told: fn(&ErrorObject) -> bool,
    /// Shows the field that an error is about.
    #[prop(optional_no_strip)]
    go: Option<Callback<(String, String)>>,
) -> impl IntoView {
    view! {
        <div class="notice error" role="alert">
            <Pictogram icon=Icon::Error />
            <div class="notice-body">
                <p class="notice-title">"Nothing was sent"</p>
                <p>"The service would refuse it. Each reason is shown at its field."</p>
                <ErrorList errors told go />
            </div>
        </div>
    }
}
