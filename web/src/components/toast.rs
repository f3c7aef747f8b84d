//! A message at the foot of the window that disappears after some seconds.

use crate::components::icon::{Icon, IconView};
use crate::state::toasts::{ToastContext, ToastKind, ToastMessage};
use leptos::prelude::*;
use std::time::Duration;

/// Long enough to read the message twice.
const TOAST_DURATION: Duration = Duration::from_secs(8);

/// The current message.
#[component]
pub(crate) fn Toast() -> impl IntoView {
    let toast = ToastContext::get().message;
    Effect::new(move |last: Option<u32>| {
        let number = last.map_or(0, |number| number.wrapping_add(1));
        if let Some(message) = toast.get() {
            // A newer message has a timer of its own.
            set_timeout(
                move || {
                    if toast.get_untracked().as_ref() == Some(&message) {
                        toast.set(None);
                    }
                },
                TOAST_DURATION,
            );
        }
        number
    });
    view! {
        <div class="toasts" role="status">
            {move || {
                toast.get().map(|ToastMessage { kind, text }| {
                    let problem = kind == ToastKind::Error;
                    view! {
                        <div class="toast" class:problem=problem>
                            <IconView icon=if problem { Icon::Warning } else { Icon::Success } />
                            <span>{text}</span>
                            <button class="button quiet small" on:click=move |_| toast.set(None) aria-label="Close message">
                                <IconView icon=Icon::Close />
                            </button>
                        </div>
                    }
                })
            }}
        </div>
    }
}
