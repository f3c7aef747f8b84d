//! What has just been finished, for some seconds at the foot of the window.

use crate::components::icon::{Icon, Pictogram};
use crate::session::Session;
use leptos::prelude::*;
use std::time::Duration;

/// Long enough to read twice.
const SHOWN: Duration = Duration::from_secs(8);

/// Shows the session's toast and takes it away after a while.
#[component]
pub(crate) fn Toast() -> impl IntoView {
    let toast = Session::get().toast;
    Effect::new(move |last: Option<u32>| {
        let number = last.map_or(0, |number| number.wrapping_add(1));
        if let Some(text) = toast.get() {
            // A newer toast has its own time.
            set_timeout(
                move || {
                    if toast.get_untracked().as_ref() == Some(&text) {
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
                toast.get().map(|text| {
                    view! {
                        <div class="toast">
                            <Pictogram icon=Icon::Success />
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
