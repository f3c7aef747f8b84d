//! Long work in turns, so that the page stays quick.

use leptos::prelude::window;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// How long a turn may take, in milliseconds: a frame has 16.
pub(crate) const TURN: f64 = 12.0;

/// Lets the browser draw and answer.
pub(crate) async fn breathe() {
    let wait = js_sys::Promise::new(&mut |done, _| {
        drop(window().set_timeout_with_callback(&done));
    });
    drop(JsFuture::from(wait).await);
}

/// The time in milliseconds since some moment.
pub(crate) fn now() -> f64 {
    let performance = js_sys::Reflect::get(&window(), &JsValue::from_str("performance"));
    performance.ok().and_then(|one| one.dyn_into::<web_sys::Performance>().ok()).map_or(0.0, |one| one.now())
}
