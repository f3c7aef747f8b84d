//! Old and new rules side by side: the step before the door, for zones on the Enterprise plan.

use super::configuration::First;
use super::desk::{MigrationDesk, Sending, Stage};
use super::send::{Progress, send, shown};
use crate::components::code_view::CodeView;
use crate::session::Session;
use leptos::prelude::*;
use zonewright_api::waf_migration::MigrationState;

/// The step.
#[component]
pub(super) fn Validation() -> impl IntoView {
    let desk = MigrationDesk::get();
    let known = Memo::new(move |_| desk.with(|_| ()).is_some());
    let content = move || {
        if known.get() { view! { <Send /> }.into_any() } else { view! { <First /> }.into_any() }
    };
    view! {
        <section class="part pad" aria-labelledby="validation-title">
            <h2 id="validation-title">"Validation"</h2>
            <p class="prose">"Old and new managed rules run side by side. Nothing is switched off, the new configuration can be adjusted as often as needed, and the analytics of the provider show what the new rules find. Only Enterprise zones have this step; it can be left out, and nobody should."</p>
            {move || (desk.state() == MigrationState::Validation).then(|| view! {
                <p><strong>"The zone is in validation now."</strong> " Sending again adjusts the new configuration."</p>
            })}
            {move || (desk.state() > MigrationState::Validation).then(|| view! {
                <p><strong>"The zone is through the door: there is no way back to the validation."</strong></p>
            })}
        </section>
        {content}
    }
}

#[component]
fn Send() -> impl IntoView {
    let session = Session::get();
    let desk = session.migration;
    let missing = move || hindrance(session);
    let busy = move || matches!(desk.sending.get(), Sending::Checking | Sending::Sent);
    let over = move || desk.state() > MigrationState::Validation;
    view! {
        <section class="part pad" aria-label="Send to validation">
            <CodeView title="Request" note="Sent once, after check and configuration were asked for again." text=Signal::derive(|| shown(MigrationState::Validation)) />
            <p class="quiet" hidden=move || missing().is_none()>{move || missing().unwrap_or_default()}</p>
            <div class="wrap-row">
                <button type="button" class="button primary" disabled=move || missing().is_some() || busy() || over() on:click=move |_| send(MigrationState::Validation)>"Start validation"</button>
                <button type="button" class="button" on:click=move |_| desk.stage.set(Stage::Finish)>"Go on to the last step"</button>
            </div>
            <Progress target=MigrationState::Validation />
        </section>
    }
}

/// Why nothing can be sent yet.
pub(super) fn hindrance(session: Session) -> Option<String> {
    let desk = session.migration;
    if let Some(missing) = session.connection.read().missing() {
        return Some(missing.to_owned());
    }
    if !desk.is_of_zone() {
        return Some("The configuration was not read from the chosen zone: read it in the first step.".to_owned());
    }
    if desk.with(|one| !one.blocked.is_empty() || !one.support.is_empty()).unwrap_or(true) {
        return Some("The zone cannot migrate: the check says why.".to_owned());
    }
    let judged = desk.judged.read();
    if judged.body.is_none() || !judged.problems.is_empty() {
        return Some("The new configuration has problems: mend them in the review.".to_owned());
    }
    None
}
