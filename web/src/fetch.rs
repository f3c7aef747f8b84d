//! Something that is fetched: again whenever what it depends on changes, and no longer than it is
//! looked at.

use crate::api::ApiError;
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::future::Future;
use web_sys::{AbortController, AbortSignal};

/// How far the fetching is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FetchState<T> {
    /// Nothing to fetch with yet.
    Idle,
    /// On its way, with nothing to show before.
    Loading,
    /// There.
    Done(T),
    /// Did not come.
    Failed(ApiError),
}

/// Fetches now and whenever a signal that `start` reads changes. `start` gives `None` when there is
/// nothing to fetch. The last result stays until the next one is there, so that nothing jumps.
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
                Err(problem) => FetchState::Failed(problem),
            };
            // The page may be gone by now.
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
