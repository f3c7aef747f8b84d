//! The page of a diagnostic code, in a dialog.

use crate::components::dialog::Dialog;
use crate::components::markdown::Markdown;
use crate::components::part_view::PartView;
use crate::part::{Part, PartResult};
use leptos::prelude::*;
use wasm_split_helpers::wasm_split;

/// The language of a diagnostic code. Some names exist in both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CodeLanguage {
    /// The Rules language.
    #[default]
    Expression,
    /// The language of log push filters.
    Filter,
}

/// Renders the page of a code. The pages are a part of the app.
#[wasm_split(code_pages, fallible)]
fn code_page(language: CodeLanguage, code: &'static str) -> PartResult<AnyView> {
    let page = match language {
        CodeLanguage::Expression => zonewright_expression::code::documentation(code),
        CodeLanguage::Filter => zonewright_logpush::code::page(code),
    };
    Ok(view! { <Markdown text=page.unwrap_or_default() /> }.into_any())
}

/// Shows the page of `code`; shows nothing while it is `None`.
#[component]
pub(crate) fn CodeExplanation(
    /// The diagnostic code to explain.
    code: RwSignal<Option<&'static str>>,
    /// The language of the code.
    #[prop(optional)]
    language: CodeLanguage,
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
                let code = displayed_code.get();
                (!code.is_empty()).then(|| view! {
                    <PartView title="Explanation" part=Part::CodePages create=move || code_page(language, code) />
                })
            }}
            <div class="dialog-actions">
                <button type="button" class="button" data-focus on:click=move |_| open.set(false)>"Close"</button>
            </div>
        </Dialog>
    }
}
