//! A message at the bottom of the window that disappears after [`TOAST_DURATION`].

use crate::components::icon::{Icon, IconView};
use crate::state::toasts::{ToastContext, ToastKind, ToastMessage};
use leptos::prelude::*;
use std::time::Duration;

/// How long a message is visible: long enough to read it twice.
const TOAST_DURATION: Duration = Duration::from_secs(8);

/// The current message.
#[component]
pub(crate) fn Toast() -> impl IntoView {
    let toast = ToastContext::get().message;
    let number = move |message: Option<&ToastMessage>| message.map(|message| message.number);
    Effect::new(move || {
        let Some(expiring) = number(toast.read().as_ref()) else { return };
        // Each message has its own timer, so an expired timer leaves a newer message alone.
        set_timeout(
            move || {
                if number(toast.read_untracked().as_ref()) == Some(expiring) {
                    toast.set(None);
                }
            },
            TOAST_DURATION,
        );
    });
    view! {
        <div class="toasts" role="status">
            {move || {
                toast.get().map(|ToastMessage { kind, text, .. }| {
                    let is_error = kind == ToastKind::Error;
                    view! {
                        <div class="toast" class:problem=is_error>
                            <IconView icon=if is_error { Icon::Warning } else { Icon::Success } />
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
