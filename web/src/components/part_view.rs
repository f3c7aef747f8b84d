//! The place of a view whose code is loaded on demand.

use crate::part::{Part, PartContext, PartResult, PartState, call_loaded};
use leptos::prelude::*;
use std::future::Future;

/// Shows the view of a part. Shows that the part is loading until then, and how to try again if it cannot be loaded.
#[component]
pub(crate) fn PartView<F, V>(
    /// The title of the view.
    title: &'static str,
    /// The part.
    part: Part,
    /// Another part that the view needs.
    #[prop(optional_no_strip)]
    with: Option<Part>,
    /// The function of the part that creates the view.
    create: F,
) -> impl IntoView
where
    F: Fn() -> V + Send + 'static,
    V: Future<Output = PartResult<AnyView>>,
{
    let parts = PartContext::get();
    let request = move || {
        parts.request(part);
        if let Some(part) = with {
            parts.request(part);
        }
    };
    request();
    let state = Memo::new(move |_| match (parts.state(part), with.map(|part| parts.state(part))) {
        (PartState::Failed, _) | (_, Some(PartState::Failed)) => PartState::Failed,
        (PartState::Loaded, None | Some(PartState::Loaded)) => PartState::Loaded,
        _ => PartState::Loading,
    });
    move || match state.get() {
        PartState::Loaded => call_loaded(create()).into_any(),
        PartState::Failed => view! { <LoadFailure title retry=Callback::new(move |()| request()) /> }.into_any(),
        PartState::Absent | PartState::Loading => view! { <Loading title /> }.into_any(),
    }
}

#[component]
fn Loading(title: &'static str) -> impl IntoView {
    view! { <p class="part-status quiet pad" role="status">{format!("Loading {title}…")}</p> }
}

#[component]
fn LoadFailure(title: &'static str, retry: Callback<()>) -> impl IntoView {
    view! {
        <div class="part-status notice error" role="alert">
            <div class="notice-body">
                <p class="notice-title">{format!("{title} could not be loaded")}</p>
                <p>"Check your network connection, and then try again. Your input is kept. If the app was updated in the meantime, reload the page."</p>
                <div class="wrap-row">
                    <button type="button" class="button" on:click=move |_| retry.run(())>"Retry"</button>
                </div>
            </div>
        </div>
    }
}
