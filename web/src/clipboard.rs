//! Copies text to the clipboard and reports the result.

use crate::state::toasts::ToastContext;
use leptos::prelude::*;
use leptos::task::spawn_local;

/// How long a button reports that it has copied.
const COPIED_LABEL_DURATION: std::time::Duration = std::time::Duration::from_secs(2);

/// Copies a text and sets `copied` for [`COPIED_LABEL_DURATION`]. A toast reports failures.
pub(crate) fn copy(text: String, copied: RwSignal<bool>) {
    let toasts = ToastContext::get();
    spawn_local(async move {
        let clipboard = window().navigator().clipboard();
        // The clipboard is undefined in an insecure context, and writing fails without the user's permission.
        if clipboard.is_undefined() {
            toasts.show_error("Copying requires a secure page (HTTPS): select the text and copy it manually");
            return;
        }
        match wasm_bindgen_futures::JsFuture::from(clipboard.write_text(&text)).await {
            Ok(_) => {
                copied.try_set(true);
                let reset = move || {
                    copied.try_set(false);
                };
                set_timeout(reset, COPIED_LABEL_DURATION);
            }
            Err(_) => toasts.show_error("The browser blocked copying: select the text and copy it manually"),
        }
    });
}
