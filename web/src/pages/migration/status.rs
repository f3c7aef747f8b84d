//! The last step: the migration state, and the managed rules that run.

use super::context::{MigrationContext, SnapshotContext, SourceContext};
use super::submit::load_status;
use crate::api::ApiError;
use crate::commands::{self, Command, handler};
use crate::components::api_error::ApiErrorNotice;
use crate::components::icon::{Icon, IconView};
use crate::components::local_time::LocalTime;
use crate::timer::ComponentTimer;
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::time::Duration;
use zonewright_api::waf_migration::{MigrationState, MigrationStatus, WafStatus};

/// Delay until the status of a pending migration is read again.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// The step.
#[component]
pub(super) fn StatusStep() -> impl IntoView {
    let context = MigrationContext::get();
    let problem = RwSignal::new(None::<ApiError>);
    let completed_loads = RwSignal::new(0_u32);
    let load = move || {
        spawn_local(async move {
            let error = load_status(context).await;
            if problem.try_set(error).is_none() {
                completed_loads.update(|completed_loads| *completed_loads = completed_loads.wrapping_add(1));
            }
        });
    };
    let missing = move || context.source.service.connection.read().missing_setting();
    commands::register_page_commands(move |command| match command {
        Command::Refresh if missing().is_none() => handler(load),
        _ => None,
    });
    if untrack(missing).is_none() {
        load();
    }
    poll_while_pending(context.snapshot, completed_loads, load);
    let content = move || match (missing(), context.snapshot.status.get()) {
        (Some(missing), _) => view! { <p class="quiet">{missing}</p> }.into_any(),
        (None, None) => view! { <p class="quiet late">"Loading the status…"</p> }.into_any(),
        (None, Some(status)) => view! { <StatusDetails status /> }.into_any(),
    };
    view! {
        <section class="part pad" aria-labelledby="status-title">
            <div class="wrap-row">
                <h2 id="status-title">"Status"</h2>
                <button type="button" class="button small push" disabled=move || missing().is_some() on:click=move |_| load()>"Refresh"</button>
            </div>
            {content}
            {move || problem.get().map(|problem| view! { <ApiErrorNotice title="The status could not be loaded" error=problem /> })}
        </section>
    }
}

/// Reads the status again while the migration is pending.
fn poll_while_pending(snapshot: SnapshotContext, completed_loads: RwSignal<u32>, load: impl Fn() + Copy + 'static) {
    let timer = ComponentTimer::new();
    Effect::new(move || {
        completed_loads.track();
        if snapshot.state() == MigrationState::Pending {
            timer.start(POLL_INTERVAL, load);
        } else {
            timer.cancel();
        }
    });
}

#[component]
fn StatusDetails(status: MigrationStatus) -> impl IntoView {
    let message = match status.migration_state {
        MigrationState::Start => "Not started: the previous managed rules run as before.",
        MigrationState::Validation => {
            "The old and new managed rules run side by side. You can still change the new configuration."
        }
        MigrationState::Pending => {
            "The new managed rules run, and the previous ones are being turned off. This can take up to an hour; you can close the page."
        }
        MigrationState::Complete => {
            "The migration is complete. The previous API no longer responds; managed rules now run as rulesets."
        }
    };
    let has_validation_step = untrack(|| SourceContext::get().has_validation_step());
    let is_on_path = move |state: &&MigrationState| {
        has_validation_step
            || **state != MigrationState::Validation
            || status.migration_state == MigrationState::Validation
    };
    let path = MigrationState::ALL.iter().filter(is_on_path).map(|state| {
        let is_current = *state == status.migration_state;
        let class = if is_current { "state-step current" } else { "state-step" };
        view! {
            {(*state == MigrationState::Pending).then(|| view! { <li class="state-irreversible"><span aria-hidden="true">"▏→"</span><span class="visually-hidden">"irreversible from here"</span></li> })}
            <li class=class aria-current=is_current.then_some("step")>{state.name()}</li>
        }
    });
    let created = status.created.clone();
    view! {
        <ol class="state-path" aria-label="Migration states">{path.collect_view()}</ol>
        <p class="prose" role="status">{message}</p>
        <table class="fact-table" aria-label="Active managed rules">
            <tbody>
                <tr><th scope="row">"Previous managed rules"</th><td><WafStatusLabel status=status.old_waf_status /></td></tr>
                <tr><th scope="row">"Ruleset-based managed rules"</th><td><WafStatusLabel status=status.new_waf_status /></td></tr>
                {(!created.is_empty()).then(|| view! { <tr><th scope="row">"Started"</th><td><LocalTime time=created clock=true /></td></tr> })}
            </tbody>
        </table>
    }
}

#[component]
fn WafStatusLabel(status: WafStatus) -> impl IntoView {
    let (icon, class, message) = match status {
        WafStatus::Enabled => (Icon::Success, "good", "enabled"),
        WafStatus::Disabled => (Icon::Close, "quiet outcome", "disabled"),
    };
    view! { <span class=class><IconView icon />{message}</span> }
}
