//! Time slices for long computations on the only thread, so that the page remains responsive.

use leptos::prelude::window;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// Length of a time slice in milliseconds. A frame has 16.
pub(crate) const TIME_SLICE_MS: f64 = 12.0;

/// Yields to the browser, so that it renders and handles events.
pub(crate) async fn yield_to_browser() {
    let timeout = js_sys::Promise::new(&mut |done, _| {
        drop(window().set_timeout_with_callback(&done));
    });
    drop(JsFuture::from(timeout).await);
}

/// Returns a monotonic time in milliseconds, or 0 if the browser has no clock.
pub(crate) fn now_ms() -> f64 {
    let performance = js_sys::Reflect::get(&window(), &JsValue::from_str("performance"));
    performance.ok().and_then(|value| value.dyn_into::<web_sys::Performance>().ok()).map_or(0.0, |value| value.now())
}
