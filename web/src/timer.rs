//! Timers that do not outlive their component.

use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;
use std::time::Duration;

/// A timer of a component with at most one pending callback. Unmounting the component cancels it, so that the callback
/// never uses disposed signals.
#[derive(Clone, Copy)]
pub(crate) struct ComponentTimer(StoredValue<Option<TimeoutHandle>>);

impl ComponentTimer {
    /// Creates a timer of the current component.
    pub(crate) fn new() -> Self {
        let timer = ComponentTimer(StoredValue::new(None));
        on_cleanup(move || timer.cancel());
        timer
    }

    /// Runs a callback after a delay. Replaces the pending callback.
    pub(crate) fn start(self, delay: Duration, callback: impl FnOnce() + 'static) {
        self.cancel();
        let handle = set_timeout_with_handle(callback, delay).ok();
        // The timer is disposed if its component is unmounted; the handle is returned then.
        if let Some(Some(handle)) = self.0.try_set_value(handle) {
            handle.clear();
        }
    }

    /// Cancels the pending callback.
    pub(crate) fn cancel(self) {
        if let Some(handle) = self.0.try_update_value(Option::take).flatten() {
            handle.clear();
        }
    }
}

/// Returns a signal that follows an input after it has not changed for a delay.
pub(crate) fn settle<T: Send + Sync + 'static>(
    delay: Duration,
    input: impl Fn() -> T + Copy + 'static,
) -> ReadSignal<T> {
    let (settled, set_settled) = signal(untrack(input));
    let timer = ComponentTimer::new();
    Effect::new(move |before: Option<()>| {
        let value = input();
        if before.is_some() {
            timer.start(delay, move || drop(set_settled.try_set(value)));
        }
    });
    settled
}
