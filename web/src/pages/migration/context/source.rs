//! The configuration to migrate, and its analysis.

use super::super::analysis::ConfigurationAnalysis;
use super::super::zone_configuration::{Configuration, ConfigurationState};
use crate::engine::{Answer, Worker, follow};
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
    /// The result of reading the text.
    pub(crate) state: Memo<Arc<ConfigurationState>>,
    /// The analysis of the text, or of an earlier one while the engine works.
    pub(crate) answer: Signal<Answer<ConfigurationAnalysis>>,
    /// The analysis of exactly the current text.
    current: Memo<Option<Arc<ConfigurationAnalysis>>>,
    /// The service that the zone is read from.
    pub(crate) service: ServiceContext,
}

/// The progress of the analysis of the current text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AnalysisProgress {
    /// There is no valid configuration.
    Missing,
    /// The engine works.
    Pending,
    /// The engine failed, for this reason.
    Failed(String),
    /// The analysis is complete.
    Done,
}

impl SourceContext {
    /// Provides a context without a configuration.
    pub(crate) fn provide(service: ServiceContext) -> Self {
        let text = RwSignal::new(String::new());
        // A run almost always has new input, so comparing two results would be wasted work.
        let state = Memo::new_with_compare(move |_| Arc::new(ConfigurationState::read(&text.read())), |_, _| true);
        let configuration = move || match &**state.read() {
            ConfigurationState::Valid(configuration) => Some(Arc::clone(configuration)),
            ConfigurationState::Empty | ConfigurationState::Invalid(_) => None,
        };
        let answer = follow(Worker::Tools, configuration, ConfigurationAnalysis::analyze);
        // The engine's verbs are pure, so a result for the same text remains if a repeated call fails.
        let find_current = move |before: Option<&Option<Arc<ConfigurationAnalysis>>>| {
            let configuration = configuration()?;
            let answer = answer.read();
            let mut candidates = answer.ready().into_iter().chain(before.and_then(Option::as_ref));
            candidates.find(|analysis| analysis.configuration.text == configuration.text).cloned()
        };
        let current = Memo::new_with_compare(find_current, |_, _| true);
        let (zone, zone_key) = (RwSignal::new(None), RwSignal::new(None));
        let source = SourceContext { text, zone, zone_key, state, answer, current, service };
        provide_context(source);
        source
    }

    /// Returns the context of the app.
    pub(crate) fn get() -> Self {
        expect_context()
    }

    /// Returns a value of the configuration; `None` while there is no valid configuration.
    pub(crate) fn with_configuration<T>(self, read: impl FnOnce(&Configuration) -> T) -> Option<T> {
        match &**self.state.read() {
            ConfigurationState::Valid(configuration) => Some(read(configuration)),
            ConfigurationState::Empty | ConfigurationState::Invalid(_) => None,
        }
    }

    /// Returns a value of the analysis; `None` until the engine has analyzed exactly the current configuration.
    pub(crate) fn with_analysis<T>(self, read: impl FnOnce(&Arc<ConfigurationAnalysis>) -> T) -> Option<T> {
        self.current.read().as_ref().map(read)
    }

    /// Returns the progress of the analysis.
    pub(crate) fn progress(self) -> AnalysisProgress {
        if self.with_configuration(|_| ()).is_none() {
            return AnalysisProgress::Missing;
        }
        if self.current.read().is_some() {
            return AnalysisProgress::Done;
        }
        match &*self.answer.read() {
            Answer::Failed(reason) => AnalysisProgress::Failed(reason.clone()),
            Answer::Pending | Answer::Ready(_) => AnalysisProgress::Pending,
        }
    }

    /// Returns whether the zone has the validation step. While its plan is unknown, it is assumed to.
    pub(crate) fn has_validation_step(self) -> bool {
        self.with_configuration(|configuration| configuration.config.tier == Tier::Enterprise)
            .or_else(|| self.service.zone_plan().map(|tier| tier == Tier::Enterprise))
            .unwrap_or(true)
    }

    /// Returns whether the configuration was read from the selected zone.
    pub(crate) fn is_of_zone(self) -> bool {
        let zone = self.zone.read();
        zone.as_ref().is_some_and(|zone| *zone == self.service.connection.read().zone)
    }
}
