//! The editor of the new configuration as JSON, with its errors and the differences from the saved one.

use super::context::{ProposalContext, SourceContext};
use super::json_location::IssueList;
use super::new_configuration::NewConfiguration;
use super::ruleset_diff::{DiffBase, DiffList};
use super::zone_configuration::Configuration;
use crate::clipboard;
use crate::components::answer_view::EngineFailure;
use crate::components::icon::{Icon, IconView};
use crate::engine::Answer;
use leptos::prelude::*;
use zonewright_api::json::strip_bom;

/// The reason why a valid configuration cannot finish the migration.
pub(super) const NO_MANAGED_RULESET_MESSAGE: &str = "No enabled rule executes a managed ruleset. The zone would have no managed rules, so the \
                               service would not turn off the previous ones.";

/// The message while the engine validates the new configuration, or proves that it executes a managed ruleset.
pub(super) const CHECKING_MESSAGE: &str = "Checking the new configuration…";

/// Edits the new configuration, and shows its errors and changes.
#[component]
pub(super) fn RulesetEditor() -> impl IntoView {
    let source = SourceContext::get();
    let proposal = ProposalContext::get();
    let copied = RwSignal::new(false);
    let area = NodeRef::<leptos::html::Textarea>::new();
    let saved = Memo::new(move |_| source.with_configuration(Configuration::saved_text).flatten());
    let origin = move || match (&*proposal.edited.read(), &*saved.read()) {
        (None, _) => "Generated from the plan.",
        (Some(text), Some(saved)) if text == saved => "Saved in the zone.",
        (Some(_), _) => "Edited.",
    };
    view! {
        <div class="columns">
            <section class="part" aria-labelledby="edit-title">
                <h2 id="edit-title">"New configuration"</h2>
                <div class="field">
                    <label class="field-label" for="new-configuration">"Request body"</label>
                    <textarea
                        id="new-configuration"
                        node_ref=area
                        class="text-area tall-area"
                        spellcheck="false"
                        aria-describedby="new-configuration-help"
                        prop:value=move || proposal.text.get().unwrap_or_default()
                        on:input=move |event| proposal.edited.set(Some(strip_bom(&event_target_value(&event)).to_owned()))
                    ></textarea>
                    <p class="field-help" id="new-configuration-help">{origin} " Validated as you type. The rules run in this order."</p>
                </div>
                <div class="wrap-row">
                    <button type="button" class="button" on:click=move |_| clipboard::copy(proposal.text.get_untracked().unwrap_or_default(), copied)>
                        {move || if copied.get() { "Copied" } else { "Copy" }}
                    </button>
                    <button type="button" class="button" disabled=move || proposal.edited.read().is_none() on:click=move |_| proposal.edited.set(None)>"Reset to plan"</button>
                    <button type="button" class="button" hidden=move || saved.read().is_none() disabled=move || *proposal.edited.read() == *saved.read() on:click=move |_| proposal.edit_saved()>"Reset to saved"</button>
                </div>
                {move || proposal.previous_edit.get().map(|text| view! {
                    <div class="notice">
                        <IconView icon=Icon::Hint />
                        <div class="notice-body">
                            <p>"The zone was reloaded. Your previous edit is still available."</p>
                            <div class="wrap-row">
                                <button type="button" class="button small" on:click=move |_| { proposal.previous_edit.set(None); proposal.edited.set(Some(text.clone())); }>"Restore"</button>
                                <button type="button" class="button small" on:click=move |_| proposal.previous_edit.set(None)>"Discard"</button>
                            </div>
                        </div>
                    </div>
                })}
                <Verdict />
                {move || proposal.answer.get().ready().map(|new| view! {
                    <IssueList issues=new.problems.clone() text=new.text.clone() area />
                    <IssueList issues=new.warnings.clone() text=new.text.clone() area icon=Icon::Warning />
                })}
            </section>
            <section class="part" aria-labelledby="diff-title">
                <h2 id="diff-title">"Changes"</h2>
                <DiffList against=DiffBase::Saved />
            </section>
        </div>
    }
}

/// Says whether the service would accept the new configuration.
#[component]
fn Verdict() -> impl IntoView {
    let proposal = ProposalContext::get();
    // While the engine works, the earlier verdict remains.
    let verdict = move || match (proposal.validated(), proposal.answer.get()) {
        (Some(new), _) | (None, Answer::Ready(new)) => {
            let (class, icon, message) = describe(&new, proposal.drops_managed_rules() == Some(true));
            view! { <p class=class><IconView icon /><span>{message}</span></p> }.into_any()
        }
        (None, Answer::Failed(reason)) => view! { <EngineFailure reason /> }.into_any(),
        (None, Answer::Pending) => ().into_any(),
    };
    let is_pending = move || proposal.validated().is_none() && !matches!(&*proposal.answer.read(), Answer::Failed(_));
    view! {
        <div role="status">
            {verdict}
            {move || is_pending().then(|| view! { <p class="late quiet">{CHECKING_MESSAGE}</p> })}
        </div>
    }
}

fn describe(new: &NewConfiguration, drops_managed_rules: bool) -> (&'static str, Icon, String) {
    match new.problems.len() {
        0 if drops_managed_rules => ("bad", Icon::Warning, NO_MANAGED_RULESET_MESSAGE.to_owned()),
        0 if !new.warnings.is_empty() => (
            "good",
            Icon::Success,
            "No problems. The service would accept this configuration, with warnings.".to_owned(),
        ),
        0 => ("good", Icon::Success, "No problems. The service would accept this configuration.".to_owned()),
        1 => ("bad", Icon::Error, "One problem".to_owned()),
        many => ("bad", Icon::Error, format!("{many} problems")),
    }
}
