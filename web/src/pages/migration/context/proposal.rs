//! The new configuration: the plan or the user's edit of it.

use super::super::new_configuration::{ManagedRulesProof, NewConfiguration};
use super::super::zone_configuration::Configuration;
use super::source::SourceContext;
use crate::engine::{Answer, Worker, follow};
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
    /// The text of the edit or of the plan; `None` until there is one.
    pub(crate) text: Memo<Option<String>>,
    /// The validated text, or an earlier one while the engine works.
    pub(crate) answer: Signal<Answer<NewConfiguration>>,
    /// The validated text, if it is exactly the current one.
    current: Memo<Option<Arc<NewConfiguration>>>,
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
        let text = Memo::new(move |_| {
            source.with_configuration(|_| ())?;
            edited.get().or_else(|| {
                source.with_analysis(|analysis| serde_json::to_string_pretty(&analysis.plan.entry_point).ok()).flatten()
            })
        });
        let tier = move || source.with_configuration(|configuration| configuration.config.tier);
        let answer = follow(
            Worker::Editor,
            move || text.get().zip(tier()),
            async |channel, (text, tier)| NewConfiguration::validate(channel, text, tier).await,
        );
        // The engine's verbs are pure, so a result for the same text remains if a repeated call fails.
        let find_current = move |before: Option<&Option<Arc<NewConfiguration>>>| {
            let (text, tier, answer) = (text.read(), tier(), answer.read());
            let mut candidates = answer.ready().into_iter().chain(before.and_then(Option::as_ref));
            candidates.find(|new| Some(&new.text) == text.as_ref() && Some(new.tier) == tier).cloned()
        };
        // A run almost always has new input, so comparing two results would be wasted work.
        let current = Memo::new_with_compare(find_current, |_, _| true);
        let valid_configuration = move || {
            let new = current.get().filter(|new| new.is_valid())?;
            let planned = source.with_analysis(|analysis| analysis.plan.entry_point.clone())?;
            Some((new.text.clone(), new.entry_point.clone()?, planned))
        };
        let proof = follow(Worker::Tools, valid_configuration, async |channel, (text, new, planned)| {
            ManagedRulesProof::prove(channel, text, &new, planned).await
        });
        let proposal = ProposalContext {
            edited,
            previous_edit: RwSignal::new(None),
            unloaded_edits: RwSignal::new(BTreeMap::new()),
            text,
            answer,
            current,
            proof,
            saved: RwSignal::new(None),
            source,
        };
        provide_context(proposal);
        proposal
    }

    /// Returns the new configuration; `None` until the engine has validated exactly the current text for the current
    /// plan of the zone. Without it, nothing is sent.
    pub(crate) fn validated(self) -> Option<Arc<NewConfiguration>> {
        self.current.get()
    }

    /// Returns whether the zone would have no managed rules with the current new configuration; `None` until the engine has
    /// proved it for exactly this configuration and the current plan. Unless it is false, the previous rules cannot be
    /// switched off.
    pub(crate) fn drops_managed_rules(self) -> Option<bool> {
        let new = self.validated().filter(|new| new.is_valid())?;
        let proof = self.proof.read();
        let proof = proof.ready().filter(|proof| proof.text == new.text)?;
        let is_of_plan = self.source.with_analysis(|analysis| analysis.plan.entry_point == proof.planned)?;
        is_of_plan.then_some(proof.drops_managed_rules)
    }

    /// Returns the context of the app.
    pub(crate) fn get() -> Self {
        expect_context()
    }

    /// Makes the saved entry point the new configuration.
    pub(crate) fn edit_saved(self) {
        self.edited.set(untrack(move || self.source.with_configuration(Configuration::saved_text)).flatten());
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
        let saved = self.source.with_configuration(Configuration::saved_text).flatten();
        self.edited.get().filter(|text| Some(text) != saved.as_ref()).or_else(|| self.previous_edit.get())
    }

    /// Returns to the plan.
    pub(crate) fn clear(self) {
        self.edited.set(None);
        self.previous_edit.set(None);
        self.saved.set(None);
    }
}
