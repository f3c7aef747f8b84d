//! Saves texts as files, and reads files as texts.

use crate::state::toasts::ToastContext;
use leptos::ev;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, HtmlElement, HtmlInputElement, Url};

/// Largest file that is read, in bytes.
const MAX_FILE_BYTES: f64 = 32.0 * 1024.0 * 1024.0;

/// Downloads a text as a file. Returns whether the download was started.
pub(super) fn download(name: &str, text: &str) -> bool {
    let parts = js_sys::Array::of1(&text.into());
    let Ok(blob) = Blob::new_with_str_sequence(&parts) else { return false };
    let Ok(address) = Url::create_object_url_with_blob(&blob) else { return false };
    let anchor = document().create_element("a").ok().and_then(|element| element.dyn_into::<HtmlElement>().ok());
    let Some(anchor) = anchor else { return false };
    let is_ready = anchor.set_attribute("href", &address).is_ok() && anchor.set_attribute("download", name).is_ok();
    if is_ready {
        anchor.click();
    }
    // After 30 seconds, the browser no longer needs the object URL.
    set_timeout(move || drop(Url::revoke_object_url(&address)), std::time::Duration::from_secs(30));
    is_ready
}

/// Reads the selected file and calls `on_text` with its text; a toast reports failures.
pub(super) fn read_selected_file(event: &ev::Event, on_text: impl FnOnce(String) + 'static, toasts: ToastContext) {
    let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
    let Some(input) = input else { return };
    let file = input.files().and_then(|files| files.get(0));
    // The input is reset, so that the same file can be selected again.
    input.set_value("");
    let Some(file) = file else { return };
    if file.size() > MAX_FILE_BYTES {
        toasts.show_error("The file is too large. The limit is 32 MiB.");
        return;
    }
    spawn_local(async move {
        match JsFuture::from(file.array_buffer()).await {
            Ok(buffer) => {
                let bytes = js_sys::Uint8Array::new(&buffer).to_vec();
                on_text(String::from_utf8_lossy(&bytes).into_owned());
            }
            Err(_) => toasts.show_error("The browser could not read the file"),
        }
    });
}
