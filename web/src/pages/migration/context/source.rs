//! The configuration to migrate, and its analysis.

use super::super::analysis::{ConfigurationAnalysis, ConfigurationState, analyze};
use crate::state::service::ServiceContext;
use leptos::prelude::*;
use std::sync::Arc;
use zonewright_expression::schema::Tier;

/// The configuration of the zone before the migration.
#[derive(Clone, Copy)]
pub(crate) struct SourceContext {
    /// The configuration as JSON.
    pub(crate) text: RwSignal<String>,
    /// The ID of the zone that the configuration was read from; `None` for a pasted one.
    pub(crate) zone: RwSignal<Option<String>>,
    /// The key of that zone, which also identifies the service.
    pub(crate) zone_key: RwSignal<Option<String>>,
    /// The analysis of the text.
    pub(crate) analysis: Memo<Arc<ConfigurationState>>,
    /// The service that the zone is read from.
    pub(crate) service: ServiceContext,
}

impl SourceContext {
    /// Provides a context without a configuration.
    pub(crate) fn provide(service: ServiceContext) -> Self {
        let text = RwSignal::new(String::new());
        // A run almost always has new input, so comparing two results would be wasted work.
        let analysis = Memo::new_with_compare(move |_| Arc::new(analyze(&text.read())), |_, _| true);
        let source =
            SourceContext { text, zone: RwSignal::new(None), zone_key: RwSignal::new(None), analysis, service };
        provide_context(source);
        source
    }

    /// Returns the context of the app.
    pub(crate) fn get() -> Self {
        expect_context()
    }

    /// Returns a value of the configuration; `None` while there is no valid configuration.
    pub(crate) fn with_analysis<T>(self, read: impl FnOnce(&ConfigurationAnalysis) -> T) -> Option<T> {
        match &**self.analysis.read() {
            ConfigurationState::Valid(analysis) => Some(read(analysis)),
            _ => None,
        }
    }

    /// Returns whether the zone has the validation step. While its plan is unknown, it is assumed to.
    pub(crate) fn has_validation_step(self) -> bool {
        self.with_analysis(|analysis| analysis.config.tier == Tier::Enterprise)
            .or_else(|| self.service.zone_plan().map(|tier| tier == Tier::Enterprise))
            .unwrap_or(true)
    }

    /// Returns whether the configuration was read from the selected zone.
    pub(crate) fn is_of_zone(self) -> bool {
        let zone = self.zone.read();
        zone.as_ref().is_some_and(|zone| *zone == self.service.connection.read().zone)
    }
}
