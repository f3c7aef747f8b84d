//! The requests of the simulation.

use super::super::fixtures;
use leptos::prelude::*;

/// The input of the simulation.
#[derive(Clone, Copy)]
pub(crate) struct SimulationContext {
    /// The sample requests as text.
    pub(crate) requests: RwSignal<String>,
    /// The name of the zone in the requests, until the user edits them.
    zone_name: StoredValue<String>,
}

impl SimulationContext {
    /// Provides a context with the sample requests.
    pub(crate) fn provide() -> Self {
        let simulation = SimulationContext {
            requests: RwSignal::new(fixtures::SAMPLE_REQUESTS.to_owned()),
            zone_name: StoredValue::new(fixtures::SAMPLE_ZONE.to_owned()),
        };
        provide_context(simulation);
        simulation
    }

    /// Returns the context of the app.
    pub(crate) fn get() -> Self {
        expect_context()
    }

    /// Replaces the zone in the requests, unless the user edited them.
    pub(crate) fn rename_zone(self, name: String) {
        self.requests.update(|requests| {
            if requests.replace(self.zone_name.get_value().as_str(), fixtures::SAMPLE_ZONE) == fixtures::SAMPLE_REQUESTS
            {
                *requests = fixtures::SAMPLE_REQUESTS.replace(fixtures::SAMPLE_ZONE, &name);
                self.zone_name.set_value(name);
            }
        });
    }
}
