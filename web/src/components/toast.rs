//! A message at the foot of the window, for some seconds.

use crate::components::icon::{Icon, Pictogram};
use crate::session::Session;
use leptos::prelude::*;
use std::time::Duration;

/// What the app says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    kind: MessageKind,
    text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MessageKind {
    Done,
    Problem,
}

impl Session {
    /// Says that something is finished.
    pub(crate) fn say_done(self, text: impl Into<String>) {
        self.toast.set(Some(Message { kind: MessageKind::Done, text: text.into() }));
    }

    /// Says why something could not be done, or is not known to be.
    pub(crate) fn say_problem(self, text: impl Into<String>) {
        self.toast.set(Some(Message { kind: MessageKind::Problem, text: text.into() }));
    }
}

/// Long enough to read twice.
const SHOWN: Duration = Duration::from_secs(8);

/// Shows the session's toast and takes it away after a while.
#[component]
pub(crate) fn Toast() -> impl IntoView {
    let toast = Session::get().toast;
    Effect::new(move |last: Option<u32>| {
        let number = last.map_or(0, |number| number.wrapping_add(1));
        if let Some(message) = toast.get() {
            // A newer toast has its own time.
            set_timeout(
                move || {
                    if toast.get_untracked().as_ref() == Some(&message) {
                        toast.set(None);
                    }
                },
                SHOWN,
            );
        }
        number
    });
    view! {
        <div class="toasts" role="status">
            {move || {
                toast.get().map(|Message { kind, text }| {
                    let problem = kind == MessageKind::Problem;
                    view! {
                        <div class="toast" class:problem=problem>
                            <Pictogram icon=if problem { Icon::Warning } else { Icon::Success } />
                            <span>{text}</span>
                            <button class="button quiet small" on:click=move |_| toast.set(None) aria-label="Close message">
                                <Pictogram icon=Icon::Close />
                            </button>
                        </div>
                    }
                })
            }}
        </div>
    }
}
