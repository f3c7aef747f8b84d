//! The selection of the zone for the other pages.

use crate::components::form::{SelectField, SelectOption, TextField};
use crate::state::expression::ExpressionContext;
use crate::state::service::ServiceContext;
use leptos::prelude::*;
use zonewright_api::zone::Zone;

/// A choice of the listed zones, or a text field for a zone ID.
#[component]
pub(super) fn ZoneField() -> impl IntoView {
    let service = ServiceContext::get();
    let scope = ExpressionContext::get().scope;
    let value = Signal::derive(move || service.connection.read().zone.clone());
    let error = Signal::derive(move || {
        let zone = value.get();
        if zone.is_empty() || zonewright_firewall::is_identifier(&zone) {
            String::new()
        } else {
            "A zone ID has 32 characters: digits and lowercase letters from a to f.".to_owned()
        }
    });
    let on_change = move |id: String| service.select_zone(id.trim(), scope);
    move || {
        let zones = service.zones.get();
        if zones.is_empty() {
            return view! { <TextField id="zone" class="mono" label="Zone" help="Test the connection to list your zones, or enter a zone ID." error value on_change /> }
                .into_any();
        }
        let option = |zone: Zone| (zone.id, format!("{} ({})", zone.name, zone.plan.name));
        let options: Vec<SelectOption> = zones.into_iter().map(option).collect();
        view! { <SelectField id="zone" label="Zone" help="The other pages use this zone." error options value on_change /> }.into_any()
    }
}
