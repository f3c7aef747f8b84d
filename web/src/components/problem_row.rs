//! One diagnostic: message, position, help and fixes.

use crate::analysis::AnalyzedSource;
use crate::components::editor::EditorHandle;
use crate::components::icon::{Icon, IconView};
use crate::components::markdown::InlineCode;
use crate::language::Language;
use crate::text::capitalize;
use leptos::prelude::*;
use std::sync::Arc;
use zonewright_diagnostic::{Applicability, Diagnostic};

/// A row of the list of diagnostics.
#[component]
pub(crate) fn ProblemRow<L: Language>(
    /// The diagnostic.
    diagnostic: Diagnostic,
    /// The analyzed text.
    analyzed: Arc<AnalyzedSource<L>>,
    /// The editor that fixes are applied to.
    handle: EditorHandle,
    /// Called with the diagnostic code whose page the user opens.
    show_page: Callback<&'static str>,
) -> impl IntoView {
    let Diagnostic { code, severity, span, .. } = diagnostic;
    let position = analyzed.line_column(&diagnostic);
    let go_to = {
        let analyzed = analyzed.clone();
        move |_| handle.select(&analyzed, span)
    };
    let fixes: Vec<_> = diagnostic
        .fixes
        .iter()
        .cloned()
        .map(|fix| {
            let analyzed = analyzed.clone();
            let is_suggestion = fix.applicability == Applicability::Unsafe;
            let title = capitalize(&fix.title);
            view! {
                <button type="button" class="button small" on:click=move |_| handle.apply(&analyzed, &fix.edits)>
                    <span class="button-word">"Fix"</span>
                    <span class="fix-title"><InlineCode text=title /></span>
                    {is_suggestion.then(|| view! { <span class="tag">"suggestion"</span> })}
                </button>
            }
        })
        .collect();
    let has_page = !code.is_empty();
    view! {
        <li class=format!("problem {}", severity.as_str())>
            <IconView icon=Icon::for_severity(severity) />
            <div class="problem-body">
                <p class="problem-message">
                    <strong>{capitalize(severity.as_str())}</strong>
                    " "
                    <InlineCode text=diagnostic.message />
                </p>
                {diagnostic.help.map(|help| view! { <p class="problem-help"><InlineCode text=help /></p> })}
                <div class="problem-actions">
                    {fixes}
                    <button type="button" class="link" on:click=go_to>
                        <span class="visually-hidden">"Go to line and column "</span>
                        {position}
                    </button>
                    {if has_page {
                        view! {
                            <button type="button" class="link mono" on:click=move |_| show_page.run(code)>{code}</button>
                        }
                            .into_any()
                    } else {
                        view! { <span class="mono quiet">{code}</span> }.into_any()
                    }}
                </div>
            </div>
        </li>
    }
}
