//! What becomes of every setting, seen from several sides.

use super::configuration::First;
use super::context::{MigrationContext, Stage};
use super::{edit, findings, firewall, mapping, order, rehearse, report, strictness};
use crate::components::tabs::Tabs;
use leptos::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Mapping,
    Settings,
    New,
    Order,
    Strictness,
    Firewall,
    Rehearse,
    Report,
}

const SIDES: [(Side, &str); 8] = [
    (Side::Mapping, "Before and after"),
    (Side::Settings, "Every setting"),
    (Side::New, "New configuration"),
    (Side::Order, "Order"),
    (Side::Strictness, "Strictness"),
    (Side::Firewall, "Firewall rules"),
    (Side::Rehearse, "Rehearse"),
    (Side::Report, "Report"),
];

/// The step.
#[component]
pub(super) fn Review() -> impl IntoView {
    let desk = MigrationContext::get();
    let side = RwSignal::new(Side::Mapping);
    let name = move || SIDES.iter().find(|(one, _)| *one == side.get()).map_or("", |(_, name)| name);
    let known = Memo::new(move |_| desk.with(|_| ()).is_some());
    let content = move || {
        let next = if desk.validates() { Stage::Validation } else { Stage::Finish };
        view! {
            <Tabs id="migration-review" label="Sides of the review" choices=SIDES.to_vec() value=side />
            <div class="review-panel" role="tabpanel" id="migration-review-panel" tabindex="0" aria-label=name>
                {move || match side.get() {
                    Side::Mapping => view! { <mapping::Mapping /> }.into_any(),
                    Side::Settings => view! { <findings::Findings /> }.into_any(),
                    Side::New => view! { <edit::Edit /> }.into_any(),
                    Side::Order => view! { <order::Order /> }.into_any(),
                    Side::Strictness => view! { <strictness::Strictness /> }.into_any(),
                    Side::Firewall => view! { <firewall::Firewall /> }.into_any(),
                    Side::Rehearse => view! { <rehearse::Rehearse /> }.into_any(),
                    Side::Report => view! { <report::Report /> }.into_any(),
                }}
            </div>
            <div class="wrap-row pad no-print">
                <button type="button" class="button primary" on:click=move |_| desk.stage.set(next)>
                    {if next == Stage::Validation { "Go on to the validation" } else { "Go on to the last step" }}
                </button>
            </div>
        }
    };
    move || if known.get() { content().into_any() } else { view! { <First /> }.into_any() }
}
