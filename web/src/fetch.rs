//! Data that is fetched again whenever the signals that it depends on change.
//!
//! At most one request is in flight: [`fetch_on_change`] aborts the previous one before it starts the next. Unmounting
//! the component aborts the last one.

use crate::api::ApiError;
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::future::Future;
use web_sys::{AbortController, AbortSignal};

/// The state of a fetch.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FetchState<T> {
    /// There is nothing to fetch.
    Idle,
    /// A request is in flight, and no earlier result is available.
    Loading,
    /// The last completed request succeeded.
    Done(T),
    /// The last completed request failed.
    Failed(ApiError),
}

/// Fetches now, and again whenever a signal that `start` reads changes. `start` returns `None` if there is nothing to
/// fetch. A successful result remains until the next response arrives, so that the layout does not jump. The result of
/// an aborted request is discarded.
pub(crate) fn fetch_on_change<T, F>(start: impl Fn(AbortSignal) -> Option<F> + 'static) -> RwSignal<FetchState<T>>
where
    T: Clone + Send + Sync + 'static,
    F: Future<Output = Result<T, ApiError>> + 'static,
{
    let state = RwSignal::new(FetchState::Idle);
    let running: StoredValue<Option<AbortController>, LocalStorage> = StoredValue::new_local(None);
    Effect::new(move || {
        abort(running);
        let Ok(controller) = AbortController::new() else { return };
        let signal = controller.signal();
        let Some(future) = start(signal.clone()) else {
            state.set(FetchState::Idle);
            return;
        };
        running.set_value(Some(controller));
        if !matches!(*state.read_untracked(), FetchState::Done(_)) {
            state.set(FetchState::Loading);
        }
        spawn_local(async move {
            let result = future.await;
            if signal.aborted() {
                return;
            }
            let next = match result {
                Ok(value) => FetchState::Done(value),
                Err(error) => FetchState::Failed(error),
            };
            // The component may be unmounted by now.
            drop(state.try_set(next));
        });
    });
    on_cleanup(move || abort(running));
    state
}

fn abort(running: StoredValue<Option<AbortController>, LocalStorage>) {
    running.try_update_value(|controller| {
        if let Some(controller) = controller.take() {
            controller.abort();
        }
    });
}
