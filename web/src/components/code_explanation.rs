//! The page of a diagnostic code, in a dialog.

use crate::components::dialog::Dialog;
use crate::components::markdown::Markdown;
use leptos::prelude::*;

/// Shows the page of `code`; shows nothing while it is `None`.
#[component]
pub(crate) fn CodeExplanation(
    /// The diagnostic code to explain.
    code: RwSignal<Option<&'static str>>,
    /// Returns the page of a code; by default, of a code of expressions.
    #[prop(default = zonewright_expression::code::documentation)]
    page: fn(&str) -> Option<&'static str>,
) -> impl IntoView {
    let open = RwSignal::new(false);
    Effect::new(move || open.set(code.get().is_some()));
    Effect::new(move || {
        if !open.get() && code.get_untracked().is_some() {
            code.set(None);
        }
    });
    // The last page remains visible while the dialog closes.
    let displayed_code =
        Memo::new(move |last: Option<&&'static str>| code.get().or_else(|| last.copied()).unwrap_or_default());
    view! {
        <Dialog open title=Signal::derive(move || displayed_code.get().to_owned())>
            {move || {
                let text = page(displayed_code.get()).unwrap_or_default();
                view! { <Markdown text /> }
            }}
            <div class="dialog-actions">
                <button type="button" class="button" data-focus on:click=move |_| open.set(false)>"Close"</button>
            </div>
        </Dialog>
    }
}
