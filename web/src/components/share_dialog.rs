//! A dialog that shares the user's text as a link and warns about secrets and personal data in that text.

use crate::clipboard;
use crate::components::dialog::Dialog;
use crate::components::icon::{Icon, IconView};
use leptos::prelude::*;
use zonewright_request::secrets::{Secret, SecretScan};

/// The dialog.
#[component]
pub(crate) fn ShareDialog(
    /// Whether the dialog is open.
    open: RwSignal<bool>,
    /// The kind of the shared text: `expression`.
    noun: &'static str,
    /// Returns the URL fragment. It is called only while the dialog is open.
    hash: Callback<(), String>,
    /// Finds secrets and personal data in the text.
    secrets: Callback<(), SecretScan>,
) -> impl IntoView {
    let copied = RwSignal::new(false);
    let compute_link = move || {
        let address = window().location().href().unwrap_or_default();
        let address = address.split('#').next().unwrap_or_default().to_owned();
        format!("{address}{}", hash.run(()))
    };
    let link = Memo::new(move |_| if open.get() { compute_link() } else { String::new() });
    let found = Memo::new(move |_| if open.get() { secrets.run(()) } else { SecretScan::default() });
    view! {
        <Dialog open title="Share">
            <p>"The link contains the " {noun} ", compressed, after the #. Browsers never send that part to a server."</p>
            {move || {
                let SecretScan { secrets, omitted } = found.get();
                (!secrets.is_empty()).then(|| {
                    view! {
                        <div class="notice warning">
                            <IconView icon=Icon::Warning />
                            <div class="notice-body">
                                <p class="notice-title">"This may contain secrets or personal data"</p>
                                <ul class="plain-list">
                                    {secrets.into_iter().map(|Secret { kind, text }| view! {
                                        <li>{kind.to_string()} ": " <code>{text}</code></li>
                                    }).collect_view()}
                                    {(omitted > 0).then(|| view! { <li>{format!("and {omitted} more")}</li> })}
                                </ul>
                                <p>"Anyone with the link can read it."</p>
                            </div>
                        </div>
                    }
                })
            }}
            <div class="field">
                <label class="field-label" for="share-link">"Link"</label>
                <input id="share-link" type="text" readonly prop:value=link />
                <p class="field-help">{move || format!("{} characters", link.read().len())}</p>
            </div>
            <div class="dialog-actions">
                <button type="button" class="button" on:click=move |_| open.set(false)>"Close"</button>
                <button type="button" class="button primary" data-focus on:click=move |_| clipboard::copy(link.get_untracked(), copied)>
                    {move || if copied.get() { "Copied" } else { "Copy link" }}
                </button>
            </div>
        </Dialog>
    }
}
