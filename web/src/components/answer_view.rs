//! Shows a result of the engine, and the states without a result.

use crate::components::icon::{Icon, IconView};
use crate::engine::{Answer, EngineContext};
use leptos::prelude::*;
use std::sync::Arc;

/// Shows the result, that the engine computes it, or a failure with a button to try again.
#[component]
pub(crate) fn AnswerView<T: Send + Sync + 'static>(
    /// The result.
    answer: Signal<Answer<T>>,
    /// Creates the view of a result.
    ready: impl Fn(Arc<T>) -> AnyView + Send + Sync + 'static,
) -> impl IntoView {
    move || match answer.get() {
        Answer::Pending => view! { <p class="late quiet pad" role="status">"Computing…"</p> }.into_any(),
        Answer::Ready(result) => ready(result),
        Answer::Failed(reason) => view! { <EngineFailure reason /> }.into_any(),
    }
}

/// Shows why the engine has no result.
#[component]
pub(crate) fn EngineFailure(
    /// The reason, a sentence without a period.
    reason: String,
) -> impl IntoView {
    let engine = EngineContext::get();
    view! {
        <div class="pad">
            <div class="notice error" role="alert">
                <IconView icon=Icon::Error />
                <div class="notice-body">
                    <p class="notice-title">"The engine has no result"</p>
                    <p>{format!("Your input is safe. Reason: {reason}.")}</p>
                    <button type="button" class="button" on:click=move |_| engine.retry()>"Retry"</button>
                </div>
            </div>
        </div>
    }
}
