//! The last step: what has to be done before the door opens.

use super::changes::{Against, Folded};
use super::configuration::{Backup, First, is_kept};
use super::context::MigrationContext;
use super::rail::all_ticked;
use super::reading::Understood;
use super::send::{Progress, send, shown};
use super::validation::hindrance;
use crate::components::code_view::CodeView;
use crate::components::icon::{Icon, Pictogram};
use crate::components::page_text::Inline;
use leptos::prelude::*;
use zonewright_api::finding::Finding;
use zonewright_api::waf_migration::MigrationState;

/// The step.
#[component]
pub(super) fn Gate() -> impl IntoView {
    let desk = MigrationContext::get();
    // The list of losses stays while boxes are ticked, so that the keyboard stays where it is.
    let losses = Memo::new(move |_| desk.with(Understood::losses));
    move || match losses.get() {
        None => view! { <First /> }.into_any(),
        Some(losses) => view! { <Door losses /> }.into_any(),
    }
}

#[component]
fn Door(losses: Vec<Finding>) -> impl IntoView {
    let desk = MigrationContext::get();
    let kept = StoredValue::new(losses.clone());
    let ticked = move || kept.with_value(|losses| all_ticked(desk, losses));
    let name = move || desk.with(Understood::zone_name).unwrap_or_default();
    let named = move || !name().is_empty() && desk.typed.read().trim() == name();
    let through = move || desk.state() > MigrationState::Validation;
    let ready = move || {
        hindrance(desk, MigrationState::Pending).is_none() && is_kept(desk) && ticked() && named() && !through()
    };
    let busy = move || desk.sending.read().is_open();
    let warn = move || desk.validates() && desk.state() == MigrationState::Start;
    view! {
        <div class="part pad gate">
            <div class="notice error">
                <Pictogram icon=Icon::Warning />
                <div class="notice-body">
                    <p class="notice-title">"This cannot be undone"</p>
                    <p>{move || format!("Behind this step the previous managed rules of {} are switched off, their interfaces stop answering, and nothing leads back.", name())}</p>
                    {move || warn().then(|| view! { <p>"The zone was never in validation: old and new rules have not run side by side."</p> })}
                </div>
            </div>
            <ol class="gate-list">
                <li class="gate-item"><GateHead done=Signal::derive(move || is_kept(desk)) words="Keep the old configuration" /><Backup /></li>
                <li class="gate-item">
                    <GateHead done=Signal::derive(ticked) words="Look at every loss" />
                    <Losses losses />
                </li>
                <li class="gate-item">
                    <GateHead done=Signal::derive(move || hindrance(desk, MigrationState::Pending).is_none()) words="Nothing in the way" />
                    <p class="quiet">{move || hindrance(desk, MigrationState::Pending).unwrap_or_else(|| "Check and configuration are asked for again right before the update is sent.".to_owned())}</p>
                </li>
                <li class="gate-item">
                    <GateHead done=Signal::derive(named) words="Name the zone" />
                    <div class="field">
                        <label class="field-label" for="gate-name">{move || format!("Type {} to open the door", name())}</label>
                        <input id="gate-name" type="text" autocomplete="off" spellcheck="false" prop:value=move || desk.typed.get() on:input=move |event| desk.typed.set(event_target_value(&event)) />
                    </div>
                </li>
            </ol>
            <section class="part" aria-labelledby="gate-changes">
                <h2 id="gate-changes">"What it changes"</h2>
                <Folded against=Against::Saved />
                {move || desk.edited.read().is_some().then(|| view! { <Folded against=Against::Plan /> })}
            </section>
            <CodeView title="Request" note="Exactly this is sent, once." text=Signal::derive(|| shown(MigrationState::Pending)) />
            <div class="wrap-row">
                <button type="button" class="button danger" disabled=move || !ready() aria-disabled=move || busy().to_string() on:click=move |_| send(MigrationState::Pending)>"Migrate for good"</button>
                <span class="quiet">{move || if through() { "The zone is through the door already." } else if ready() { "" } else { "The button waits for all four." }}</span>
            </div>
            <Progress />
        </div>
    }
}

#[component]
fn GateHead(done: Signal<bool>, words: &'static str) -> impl IntoView {
    view! {
        <p class="gate-head">
            {move || if done.get() {
                view! { <span class="rail-mark"><Pictogram icon=Icon::Success /></span><span class="visually-hidden">"Done: "</span> }.into_any()
            } else {
                view! { <span class="rail-mark"></span><span class="visually-hidden">"To do: "</span> }.into_any()
            }}
            <strong>{words}</strong>
        </p>
    }
}

#[component]
fn Losses(losses: Vec<Finding>) -> impl IntoView {
    let desk = MigrationContext::get();
    let none = losses.is_empty();
    let rows = losses.into_iter().map(|finding| {
        let pointer = StoredValue::new(finding.setting);
        let checked = move || desk.ticked.read().contains(&pointer.get_value());
        let tick = move |event| {
            let on = event_target_checked(&event);
            desk.ticked.update(|ticked| {
                if on {
                    ticked.insert(pointer.get_value())
                } else {
                    ticked.remove(&pointer.get_value())
                };
            });
        };
        view! {
            <li>
                <label class="check loss">
                    <input type="checkbox" prop:checked=checked on:change=tick />
                    <span><strong>{finding.name}</strong> ": " <Inline text=finding.message /></span>
                </label>
            </li>
        }
    });
    view! {
        <ul class="losses">{rows.collect_view()}</ul>
        <p class="quiet" hidden=!none>"Nothing that anybody changed is lost."</p>
    }
}
