//! The state of the request after the rules so far.

use crate::report::Ending;
use std::collections::BTreeMap;
use zonewright_expression::schema::Phase;
use zonewright_expression::{Record, Ternary};

/// The state of the request between two rules.
pub(crate) struct RequestState {
    /// The request as the rules so far changed it.
    pub(crate) record: Record,
    /// Whether no rule has ended the request.
    pub(crate) is_running: Ternary,
    pub(crate) endings: Vec<Ending>,
    /// Whether the rest of a phase is skipped.
    pub(crate) skipped_phases: BTreeMap<Phase, Ternary>,
    /// Whether execute rules of a ruleset are skipped, by the ID of the ruleset.
    pub(crate) skipped_rulesets: BTreeMap<String, Ternary>,
}

impl RequestState {
    pub(crate) fn new(record: Record) -> Self {
        RequestState {
            record,
            is_running: Ternary::True,
            endings: Vec::new(),
            skipped_phases: BTreeMap::new(),
            skipped_rulesets: BTreeMap::new(),
        }
    }

    /// Returns whether an earlier rule skips a phase.
    pub(crate) fn skips_phase(&self, phase: Phase) -> Ternary {
        self.skipped_phases.get(&phase).copied().unwrap_or(Ternary::False)
    }

    /// Ends the request with a rule. `acts_if_running` is whether the rule acts if no earlier rule ended the request: so
    /// the request surely ends at a rule that surely acts, even if it is unknown whether it ended before.
    pub(crate) fn end(&mut self, ending: Ending, acts_if_running: Ternary) {
        if ending.certainty != Ternary::False {
            self.is_running = self.is_running.and(!acts_if_running);
            self.endings.push(ending);
        }
    }

    pub(crate) fn skip_phase(&mut self, phase: Phase, certainty: Ternary) {
        let skipped = self.skipped_phases.entry(phase).or_insert(Ternary::False);
        *skipped = skipped.or(certainty);
    }

    pub(crate) fn skip_ruleset(&mut self, id: &str, certainty: Ternary) {
        let skipped = self.skipped_rulesets.entry(id.to_owned()).or_insert(Ternary::False);
        *skipped = skipped.or(certainty);
    }

    pub(crate) fn skips_ruleset(&self, id: &str) -> Ternary {
        self.skipped_rulesets.get(id).copied().unwrap_or(Ternary::False)
    }
}
