//! The page of the migration from the previous managed rules to ruleset-based ones.
//!
//! The page shows the outcome of every setting without changing the zone. Only the deletion of a blocker and an update
//! change it. The update of the step Finish is irreversible and requires several confirmations.
//!
//! Start with [`MigrationContext`], the state of all steps. [`submit`] captures a [`confirmed_update`], runs the
//! [`preflight`] checks, and then sends the update.

mod check;
mod configuration;
mod confirmed_update;
mod context;
mod ruleset_diff;

mod analysis;
mod analysis_gate;
mod blocking_reason;
mod custom_rules;
mod evaluation_order;
mod files;
mod findings;
mod finish;
mod fixtures;
mod json_location;
mod mapping;
mod new_configuration;
mod owasp;
mod plan;
mod preflight;
mod report;
mod review;
mod ruleset_editor;
mod simulate;
mod simulation_result;
mod source;
mod status;
mod stepper;
mod submit;
mod validation;
mod zone_configuration;

use crate::api::Client;
use crate::components::part_view::PartView;
use crate::fetch::{FetchState, fetch_on_change};
use crate::part::{Part, PartResult};
use crate::state::service::ConnectionStatus;
use context::{MigrationContext, MigrationStep};
use leptos::prelude::*;
use wasm_split_helpers::wasm_split;
use zonewright_api::waf_migration::MigrationState;

/// The page, which is a part of the app.
#[wasm_split(migration, fallible)]
pub(crate) fn migration_page() -> PartResult<AnyView> {
    Ok(view! { <MigrationPage /> }.into_any())
}

/// The page.
#[component]
fn MigrationPage() -> impl IntoView {
    let context = MigrationContext::get();
    restore_step(context);
    view! {
        <h1 class="visually-hidden">"Migration"</h1>
        <div class="stack migration">
            <stepper::Stepper />
            <submit::OtherZoneNotice />
            <div class="scroll stage" role="region" tabindex="0" aria-label=move || format!("Step: {}", context.steps.current.get().title())>
                {move || match context.steps.current.get() {
                    MigrationStep::Check => view! { <check::CheckStep /> }.into_any(),
                    MigrationStep::Configuration => view! { <configuration::ConfigurationStep /> }.into_any(),
                    MigrationStep::Review => view! { <PartView title=MigrationStep::Review.title() part=Part::MigrationReview create=review::review_step /> }.into_any(),
                    MigrationStep::Validation => view! { <PartView title=MigrationStep::Validation.title() part=Part::MigrationReview create=validation::validation_step /> }.into_any(),
                    MigrationStep::Finish => view! { <PartView title=MigrationStep::Finish.title() part=Part::MigrationReview create=finish::finish_step /> }.into_any(),
                    MigrationStep::Status => view! { <status::StatusStep /> }.into_any(),
                }}
            </div>
        </div>
    }
}

/// Reads the migration state from the service. If the page shows the first step, it then shows the step that the zone
/// has reached.
fn restore_step(context: MigrationContext) {
    let fetched = fetch_on_change(move |signal| {
        let connection = context.source.service.connection.get();
        if connection.missing_setting().is_some() {
            return None;
        }
        let client = Client::new(connection, &signal);
        Some(async move { client.migration_status().await })
    });
    Effect::new(move || match fetched.get() {
        FetchState::Done(status) => {
            context.source.service.status.set(ConnectionStatus::Connected);
            let state = status.migration_state;
            context.snapshot.status.set(Some(status));
            if context.steps.current.get_untracked() == MigrationStep::Check {
                match state {
                    MigrationState::Start => {}
                    MigrationState::Validation => context.steps.show(MigrationStep::Validation),
                    MigrationState::Pending | MigrationState::Complete => context.steps.show(MigrationStep::Status),
                }
            }
        }
        FetchState::Idle | FetchState::Loading | FetchState::Failed(_) => {}
    });
}
