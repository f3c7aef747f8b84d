//! The requests of the simulation.

use super::super::fixtures;
use crate::storage::{Item, Workspace};
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
    /// Provides a context with the requests of the last visit, or with the sample requests. Stores every edit.
    pub(crate) fn provide() -> Self {
        let edited = Item::SimulatedRequests.restore().filter(|text| !text.is_empty());
        let simulation = SimulationContext {
            requests: RwSignal::new(edited.unwrap_or_else(|| fixtures::SAMPLE_REQUESTS.to_owned())),
            zone_name: StoredValue::new(fixtures::SAMPLE_ZONE.to_owned()),
        };
        Workspace::get().persist(Item::SimulatedRequests, move || {
            let requests = simulation.requests.get();
            if simulation.is_sample(&requests) { String::new() } else { requests }
        });
        provide_context(simulation);
        simulation
    }

    /// Returns the context of the app.
    pub(crate) fn get() -> Self {
        expect_context()
    }

    /// Replaces the zone in the requests, unless the user edited them.
    pub(crate) fn rename_zone(self, name: String) {
        if self.is_sample(&self.requests.read_untracked()) {
            self.zone_name.set_value(name.clone());
            self.requests.set(fixtures::SAMPLE_REQUESTS.replace(fixtures::SAMPLE_ZONE, &name));
        }
    }

    /// Returns whether the requests are the sample requests for some zone.
    fn is_sample(self, requests: &str) -> bool {
        requests.replace(self.zone_name.get_value().as_str(), fixtures::SAMPLE_ZONE) == fixtures::SAMPLE_REQUESTS
    }
}
