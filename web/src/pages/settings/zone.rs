//! Which zone the rules belong to.

use crate::components::field::Field;
use crate::state::expression::ExpressionContext;
use crate::state::service::ServiceContext;
use leptos::prelude::*;

/// A choice among the zones the service has shown, or a typed identifier.
#[component]
pub(crate) fn ZoneField() -> impl IntoView {
    let service = ServiceContext::get();
    let scope = ExpressionContext::get().scope;
    let chosen = move || service.connection.read().zone.clone();
    let error = Signal::derive(move || {
        let zone = chosen();
        let fits = zone.is_empty() || zonewright_firewall::is_identifier(&zone);
        if fits {
            String::new()
        } else {
            "A zone identifier has 32 digits and letters from a to f, all lower case.".to_owned()
        }
    });
    let control = move || {
        let zones = service.zones.get();
        if zones.is_empty() {
            view! {
                <input
                    id="zone"
                    class="mono"
                    type="text"
                    autocomplete="off"
                    spellcheck="false"
                    aria-describedby="zone-help zone-error"
                    prop:value=chosen
                    on:input=move |event| service.select_zone(event_target_value(&event).trim(), scope)
                />
            }
            .into_any()
        } else {
            let options = zones.into_iter().map(|zone| {
                let text = format!("{} ({})", zone.name, zone.plan.name);
                let id = zone.id.clone();
                view! { <option value=zone.id selected=move || chosen() == id>{text}</option> }
            });
            view! {
                <select id="zone" aria-describedby="zone-help zone-error" on:change=move |event| service.select_zone(&event_target_value(&event), scope)>
                    {options.collect_view()}
                </select>
            }
            .into_any()
        }
    };
    view! {
        <Field id="zone" label="Zone" help="One of those that the test of the connection finds, or typed: the zone's identifier." error>
            {control}
        </Field>
    }
}
