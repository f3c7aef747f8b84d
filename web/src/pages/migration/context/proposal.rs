//! The new configuration: the plan or the user's edit of it.

use super::super::analysis::{ConfigurationAnalysis, NewConfiguration, validate, would_lose_managed_rules};
use super::source::SourceContext;
use crate::engine::{Answer, Worker, follow};
use leptos::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;
use zonewright_api::ruleset::{EntryPoint, Ruleset};

/// Whether the zone would have no managed rules with a new configuration.
#[derive(Debug)]
pub(crate) struct ManagedRulesProof {
    /// The text of the new configuration.
    text: String,
    /// The entry point of the plan.
    planned: EntryPoint,
    lacks_managed_rules: bool,
}

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
    /// The proof about the edit or the plan, if it is valid.
    pub(crate) proof: Signal<Answer<ManagedRulesProof>>,
    /// The entry point that an update saved, if it is newer than the configuration.
    pub(crate) saved: RwSignal<Option<Ruleset>>,
    /// The configuration that the plan is derived from.
    source: SourceContext,
}

impl ProposalContext {
    /// Provides a context that follows the configuration.
    pub(crate) fn provide(source: SourceContext) -> Self {
        let edited = RwSignal::new(None::<String>);
        let validate = move || validate(&source.analysis.read(), &edited.read());
        // A run almost always has new input, so comparing two results would be wasted work.
        let new_configuration = Memo::new_with_compare(move |_| Arc::new(validate()), |_, _| true);
        let valid_configuration = move || {
            let configuration = new_configuration.get();
            let new = configuration.entry_point.clone().filter(|_| configuration.problems.is_empty())?;
            let planned = source.with_analysis(|analysis| analysis.plan.entry_point.clone())?;
            Some((configuration.text.clone(), new, planned))
        };
        let proof = follow(Worker::Tools, valid_configuration, async |channel, (text, new, planned)| {
            let lacks_managed_rules = would_lose_managed_rules(channel, &new, &planned).await?;
            Ok(ManagedRulesProof { text, planned, lacks_managed_rules })
        });
        let proposal = ProposalContext {
            proof,
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

    /// Returns whether the zone would have no managed rules with the current new configuration; `None` until the engine has
    /// proved it for exactly this configuration and the current plan. Unless it is false, the previous rules cannot be
    /// switched off.
    pub(crate) fn lacks_managed_rules(self) -> Option<bool> {
        let configuration = self.new_configuration.read();
        let proof = self.proof.read();
        let proof = proof.ready().filter(|proof| proof.text == configuration.text)?;
        let is_of_plan = self.source.with_analysis(|analysis| analysis.plan.entry_point == proof.planned)?;
        (is_of_plan && configuration.problems.is_empty()).then_some(proof.lacks_managed_rules)
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
