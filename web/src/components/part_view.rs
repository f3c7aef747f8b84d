//! The place of a view whose code is loaded on demand.

use crate::part::{Part, PartContext, PartResult, PartState, call_loaded};
use leptos::prelude::*;
use std::future::Future;

/// Shows the view of a part. Shows that the part is loading until then, and how to try again if it cannot be loaded.
#[component]
pub(crate) fn PartView<F, V>(
    /// The part.
    part: Part,
    /// The function of the part that creates the view.
    create: F,
) -> impl IntoView
where
    F: Fn() -> V + Send + 'static,
    V: Future<Output = PartResult<AnyView>>,
{
    let parts = PartContext::get();
    parts.request(part);
    let state = Memo::new(move |_| parts.state(part));
    move || match state.get() {
        PartState::Absent | PartState::Loading => view! { <Loading part /> }.into_any(),
        PartState::Failed => view! { <LoadFailure part /> }.into_any(),
        PartState::Loaded => call_loaded(create()).into_any(),
    }
}

#[component]
fn Loading(part: Part) -> impl IntoView {
    view! { <p class="part-status quiet pad" role="status">{format!("Loading {}…", part.title())}</p> }
}

#[component]
fn LoadFailure(part: Part) -> impl IntoView {
    let parts = PartContext::get();
    view! {
        <div class="part-status notice error" role="alert">
            <div class="notice-body">
                <p class="notice-title">{format!("{} could not be loaded", part.title())}</p>
                <p>"Check your network connection, and then try again. Your input is kept."</p>
                <button type="button" class="button" on:click=move |_| parts.request(part)>"Retry"</button>
            </div>
        </div>
    }
}
