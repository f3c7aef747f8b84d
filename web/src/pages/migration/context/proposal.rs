//! The new configuration: the plan or the user's edit of it.

use super::super::analysis::{ConfigurationAnalysis, NewConfiguration, validate};
use super::source::SourceContext;
use crate::part::{Part, PartContext, PartState};
use leptos::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;
use zonewright_api::ruleset::Ruleset;

/// The configuration of the zone after the migration.
#[derive(Clone, Copy)]
pub(crate) struct ProposalContext {
    /// The new configuration, if the user edited it.
    pub(crate) edited: RwSignal<Option<String>>,
    /// The user's edit before the zone was read again.
    pub(crate) previous_edit: RwSignal<Option<String>>,
    /// The user's edits of the new configurations of zones that are not loaded, by zone key: those from before the page
    /// was reloaded, and those of zones that the user left. An edit is offered when its zone is read again.
    pub(crate) unloaded_edits: RwSignal<BTreeMap<String, String>>,
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
        let parts = PartContext::get();
        // A memo, because the states of other parts change too.
        let can_prove = Memo::new(move |_| parts.state(Part::Proofs) == PartState::Loaded);
        let validate = move || validate(&source.analysis.read(), &edited.read(), can_prove.get());
        // A run almost always has new input, so comparing two results would be wasted work.
        let new_configuration = Memo::new_with_compare(move |_| Arc::new(validate()), |_, _| true);
        let proposal = ProposalContext {
            edited,
            previous_edit: RwSignal::new(None),
            unloaded_edits: RwSignal::new(BTreeMap::new()),
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

    /// Returns the edit of a zone that was not loaded, and forgets it.
    pub(crate) fn take_unloaded_edit(self, zone_key: &str) -> Option<String> {
        let is_known = self.unloaded_edits.read_untracked().contains_key(zone_key);
        is_known.then(|| self.unloaded_edits.try_update(|edits| edits.remove(zone_key)).flatten()).flatten()
    }

    /// Retains the unsaved edit of the loaded zone, which is about to be unloaded.
    pub(crate) fn retain_unsaved_edit(self) {
        let Some(key) = self.source.zone_key.get_untracked() else { return };
        if let Some(text) = untrack(move || self.unsaved_edit()) {
            self.unloaded_edits.update(|edits| drop(edits.insert(key, text)));
        }
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
