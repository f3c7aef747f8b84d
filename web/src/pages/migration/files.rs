//! Texts that leave the page as files, and files that come in as texts.

use super::context::MigrationContext;
use leptos::ev;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, HtmlElement, HtmlInputElement, Url};

/// More than this is not read, in bytes.
const MOST_READ: f64 = 32.0 * 1024.0 * 1024.0;

/// Hands the browser a file to keep; whether it could be made.
pub(super) fn save(name: &str, text: &str) -> bool {
    let parts = js_sys::Array::of1(&text.into());
    let Ok(blob) = Blob::new_with_str_sequence(&parts) else { return false };
    let Ok(address) = Url::create_object_url_with_blob(&blob) else { return false };
    let anchor = document().create_element("a").ok().and_then(|one| one.dyn_into::<HtmlElement>().ok());
    let Some(anchor) = anchor else { return false };
    let set = anchor.set_attribute("href", &address).is_ok() && anchor.set_attribute("download", name).is_ok();
    if set {
        anchor.click();
    }
    // The browser has taken the file by then.
    set_timeout(move || drop(Url::revoke_object_url(&address)), std::time::Duration::from_secs(30));
    set
}

/// Reads the file that was picked and gives its text away, or says why not.
pub(super) fn picked(event: &ev::Event, take: impl FnOnce(String) + 'static, context: MigrationContext) {
    let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
    let Some(input) = input else { return };
    let file = input.files().and_then(|files| files.get(0));
    // The same file can be picked again.
    input.set_value("");
    let Some(file) = file else { return };
    if file.size() > MOST_READ {
        context.toasts.show_error("The file has more than 32 MB: that is no configuration of a zone");
        return;
    }
    spawn_local(async move {
        match JsFuture::from(file.array_buffer()).await {
            Ok(buffer) => {
                let bytes = js_sys::Uint8Array::new(&buffer).to_vec();
                take(String::from_utf8_lossy(&bytes).into_owned());
            }
            Err(_) => context.toasts.show_error("The browser could not read the file"),
        }
    });
}
