//! The migration from the previous managed rules: seen line by line before anything is sent, and driven
//! through its steps. What cannot be undone comes last and is asked for more than once.

mod changes;
mod check;
mod configuration;
mod confirmed_update;
mod context;

mod edit;
mod files;
mod findings;
mod firewall;
mod gate;
mod mapping;
mod order;
mod place;
mod preflight;
mod rail;
mod reading;
mod rehearse;
mod report;
mod review;
mod samples;
mod send;
mod source;
mod status;
mod strictness;
mod validation;

pub(crate) use context::MigrationContext;

use crate::api::Client;
use crate::load::{Load, load};
use crate::state::service::ConnectionStatus;
use context::Stage;
use leptos::prelude::*;
use zonewright_api::waf_migration::MigrationState;

/// The page.
#[component]
pub(crate) fn MigrationPage() -> impl IntoView {
    let desk = MigrationContext::get();
    resume(desk);
    view! {
        <h1 class="visually-hidden">"Migration"</h1>
        <div class="stack migration">
            <rail::Rail />
            <send::Elsewhere />
            <div class="scroll stage" role="region" tabindex="0" aria-label=move || format!("Step: {}", rail::title(desk.stage.get()))>
                {move || match desk.stage.get() {
                    Stage::Check => view! { <check::Check /> }.into_any(),
                    Stage::Configuration => view! { <configuration::Configuration /> }.into_any(),
                    Stage::Review => view! { <review::Review /> }.into_any(),
                    Stage::Validation => view! { <validation::Validation /> }.into_any(),
                    Stage::Finish => view! { <gate::Gate /> }.into_any(),
                    Stage::Status => view! { <status::Status /> }.into_any(),
                }}
            </div>
        </div>
    }
}

/// Asks the service how far the zone is, so that a visit goes on where the last one ended.
fn resume(desk: MigrationContext) {
    let asked = load(move |signal| {
        let connection = desk.service.connection.get();
        if connection.missing_setting().is_some() {
            return None;
        }
        let client = Client::new(connection, &signal);
        Some(async move { client.migration_status().await })
    });
    Effect::new(move || match asked.get() {
        Load::Done(status) => {
            desk.service.status.set(ConnectionStatus::Connected);
            let state = status.migration_state;
            desk.status.set(Some(status));
            if desk.stage.get_untracked() == Stage::Check {
                match state {
                    MigrationState::Start => {}
                    MigrationState::Validation => desk.stage.set(Stage::Validation),
                    MigrationState::Pending | MigrationState::Complete => desk.stage.set(Stage::Status),
                }
            }
        }
        Load::Idle | Load::Loading | Load::Failed(_) => {}
    });
}
