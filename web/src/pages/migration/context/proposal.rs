//! The new configuration: the plan or the user's edit of it.

use super::super::analysis::{ConfigurationAnalysis, NewConfiguration, validate};
use super::source::SourceContext;
use leptos::prelude::*;
use std::sync::Arc;
use zonewright_api::ruleset::Ruleset;

/// The configuration of the zone after the migration.
#[derive(Clone, Copy)]
pub(crate) struct ProposalContext {
    /// The new configuration, if the user edited it.
    pub(crate) edited: RwSignal<Option<String>>,
    /// The user's edit before the zone was read again.
    pub(crate) previous_edit: RwSignal<Option<String>>,
    /// The ID of a zone, and the user's edit of its new configuration before the page was reloaded. The edit is offered
    /// when the zone is read again.
    pub(crate) unloaded_edit: RwSignal<Option<(String, String)>>,
    /// The edit or the plan, with its errors.
    pub(crate) new_configuration: Memo<Arc<NewConfiguration>>,
    /// The entry point that an update saved, if it is newer than the configuration.
    pub(crate) saved: RwSignal<Option<Ruleset>>,
    /// The configuration that the plan is derived from.
    source: SourceContext,
}

impl ProposalContext {
    /// Provides a context that follows the configuration.
    pub(crate) fn provide(source: SourceContext) -> Self {
        let edited = RwSignal::new(None::<String>);
        // A run almost always has new input, so comparing two results would be wasted work.
        let new_configuration =
            Memo::new_with_compare(move |_| Arc::new(validate(&source.analysis.read(), &edited.read())), |_, _| true);
        let proposal = ProposalContext {
            edited,
            previous_edit: RwSignal::new(None),
            unloaded_edit: RwSignal::new(None),
            new_configuration,
            saved: RwSignal::new(None),
            source,
        };
        provide_context(proposal);
        proposal
    }

    /// Returns the context of the app.
    pub(crate) fn get() -> Self {
        expect_context()
    }

    /// Makes the saved entry point the new configuration.
    pub(crate) fn edit_saved(self) {
        self.edited.set(untrack(move || self.source.with_analysis(ConfigurationAnalysis::saved_text)).flatten());
    }

    /// Returns the edit of a zone from before the page was reloaded, and forgets it.
    pub(crate) fn take_unloaded_edit(self, zone: &str) -> Option<String> {
        let is_of_zone = self.unloaded_edit.read_untracked().as_ref().is_some_and(|(id, _)| id == zone);
        is_of_zone.then(|| self.unloaded_edit.try_update(Option::take).flatten()).flatten().map(|(_, text)| text)
    }

    /// Returns the latest edit that differs from the saved entry point, also if it is only offered.
    pub(crate) fn unsaved_edit(self) -> Option<String> {
        let saved = self.source.with_analysis(ConfigurationAnalysis::saved_text).flatten();
        self.edited.get().filter(|text| Some(text) != saved.as_ref()).or_else(|| self.previous_edit.get())
    }

    /// Returns to the plan.
    pub(crate) fn clear(self) {
        self.edited.set(None);
        self.previous_edit.set(None);
        self.saved.set(None);
    }
}
