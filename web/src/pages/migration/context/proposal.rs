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

    /// Returns to the plan.
    pub(crate) fn clear(self) {
        self.edited.set(None);
        self.previous_edit.set(None);
        self.saved.set(None);
    }
}
