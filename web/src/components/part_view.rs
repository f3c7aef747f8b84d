//! Shows a view whose code is loaded on demand.

use crate::components::icon::{Icon, IconView};
use crate::part::{Part, PartContext, PartResult, PartState, call_loaded};
use leptos::prelude::*;
use std::future::Future;

/// Shows the view of a part. Shows that the part is loading until then, and how to try again if it cannot be loaded.
#[component]
pub(crate) fn PartView<F, V>(
    /// The title of the view.
    title: &'static str,
    /// Whether the view is a page, which has a heading.
    #[prop(optional)]
    is_page: bool,
    /// The part.
    part: Part,
    /// Another part that the view needs.
    #[prop(optional_no_strip)]
    other_part: Option<Part>,
    /// Further buttons if the part cannot be loaded.
    #[prop(optional, into)]
    actions: ViewFn,
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
        if let Some(part) = other_part {
            parts.request(part);
        }
    };
    request();
    let state = Memo::new(move |_| match (parts.state(part), other_part.map(|part| parts.state(part))) {
        (PartState::Failed, _) | (_, Some(PartState::Failed)) => PartState::Failed,
        (PartState::Loaded, None | Some(PartState::Loaded)) => PartState::Loaded,
        _ => PartState::Loading,
    });
    move || match state.get() {
        PartState::Loaded => call_loaded(create()).into_any(),
        PartState::Failed => {
            let retry = Callback::new(move |()| request());
            view! { <LoadFailure title is_page retry actions=actions.clone() /> }.into_any()
        }
        PartState::Absent | PartState::Loading => view! { <Loading title /> }.into_any(),
    }
}

#[component]
fn Loading(title: &'static str) -> impl IntoView {
    view! { <p class="late quiet pad" role="status">{format!("Loading {title}…")}</p> }
}

/// Shows that a part could not be loaded.
#[component]
pub(crate) fn LoadFailure(
    /// The title of the view, or another subject of the message.
    title: &'static str,
    /// Whether the view is a page, which has a heading.
    #[prop(optional)]
    is_page: bool,
    /// Loads the part again.
    retry: Callback<()>,
    /// Further buttons.
    #[prop(optional)]
    actions: ViewFn,
) -> impl IntoView {
    let noun = if is_page { format!("The {title} page") } else { title.to_owned() };
    let message = format!("{noun} could not be loaded");
    let heading = if is_page {
        view! { <h1 class="notice-title">{message}</h1> }.into_any()
    } else {
        view! { <p class="notice-title">{message}</p> }.into_any()
    };
    view! {
        <div class="pad">
            <div class="notice error" role="alert">
                <IconView icon=Icon::Error />
                <div class="notice-body">
                    {heading}
                    <p>"Your input is safe. Check your network connection and try again. If the app was updated in the meantime, reload the page."</p>
                    <div class="wrap-row">
                        <button type="button" class="button" on:click=move |_| retry.run(())>"Retry"</button>
                        {actions.run()}
                    </div>
                </div>
            </div>
        </div>
    }
}
