//! Which zone the rules belong to.

use crate::components::field::Field;
use crate::session::Session;
use leptos::prelude::*;

/// A choice among the zones the service has shown, or a typed identifier.
#[component]
pub(crate) fn ZoneField() -> impl IntoView {
    let session = Session::get();
    let chosen = move || session.connection.read().zone.clone();
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
        let zones = session.zones.get();
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
                    on:input=move |event| session.choose_zone(event_target_value(&event).trim())
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
                <select id="zone" aria-describedby="zone-help zone-error" on:change=move |event| session.choose_zone(&event_target_value(&event))>
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
