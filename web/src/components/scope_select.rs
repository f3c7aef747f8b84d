//! The selectors of the header: zone, phase and plan.

use crate::route::Route;
use crate::scope::phase_from_name;
use crate::state::expression::ExpressionContext;
use crate::state::service::ServiceContext;
use leptos::prelude::*;
use zonewright_expression::schema::{Phase, Tier};

/// Selects zone, phase and plan. The zone selector appears once zones have been listed.
#[component]
pub(crate) fn ScopeSelect(
    /// The current page.
    route: ReadSignal<Route>,
) -> impl IntoView {
    // Log push has neither phases nor plans; a migration has its own phases and the plan of its zone.
    let is_irrelevant = move || matches!(route.get(), Route::LogFilters | Route::Jobs | Route::Migration);
    let service = ServiceContext::get();
    let expression = ExpressionContext::get();
    let scope = expression.scope;
    let selected_phase = move || scope.get().phase.map_or("", Phase::name);
    let selected_tier = move || scope.get().tier.map_or("", Tier::name);
    let phases = Phase::ALL.iter().map(|phase| {
        view! { <option value=phase.name() selected=move || selected_phase() == phase.name()>{phase.title()}</option> }
    });
    let tiers = Tier::ALL.into_iter().map(|tier| {
        view! { <option value=tier.name() selected=move || selected_tier() == tier.name()>{tier.display_name()}</option> }
    });
    let zones = move || {
        let zones = service.zones.get();
        let selected_zone = service.connection.read().zone.clone();
        (!zones.is_empty()).then(|| {
            let options = zones.into_iter().map(|zone| {
                let selected = zone.id == selected_zone;
                view! { <option value=zone.id selected=selected>{zone.name}</option> }
            });
            view! {
                <label class="selector zone">
                    <span>"Zone"</span>
                    <select aria-label="Zone" title="Zone" on:change=move |event| service.select_zone(&event_target_value(&event), scope)>
                        {options.collect_view()}
                    </select>
                </label>
            }
        })
    };
    view! {
        {zones}
        <label class="selector" hidden=is_irrelevant>
            <span>"Phase"</span>
            <select
                aria-label="Phase"
                title="Phase"
                prop:value=selected_phase
                on:change=move |event| scope.update(|scope| scope.phase = phase_from_name(&event_target_value(&event)))
            >
                <option value="" selected=move || selected_phase().is_empty()>"Any phase"</option>
                {phases.collect_view()}
            </select>
        </label>
        <label class="selector" hidden=is_irrelevant>
            <span>"Plan"</span>
            <select
                aria-label="Plan"
                title="Plan"
                prop:value=selected_tier
                on:change=move |event| scope.update(|scope| scope.tier = Tier::from_name(&event_target_value(&event)))
            >
                <option value="" selected=move || selected_tier().is_empty()>"Any plan"</option>
                {tiers.collect_view()}
            </select>
        </label>
    }
}
