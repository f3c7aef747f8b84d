//! The state of the request after the rules so far.

use crate::report::TerminatingRule;
use std::collections::BTreeMap;
use zonewright_expression::schema::Phase;
use zonewright_expression::{Record, Ternary};

/// The state of the request between two rules.
pub(crate) struct RequestState {
    /// The request at the start of the phase. Conditions and value expressions read it, because a change takes effect
    /// only in later phases (assumption zone-trace).
    pub(crate) record: Record,
    /// The request with all changes so far.
    pub(crate) changed_record: Record,
    has_changes: bool,
    /// Whether no rule has ended the request.
    pub(crate) is_running: Ternary,
    pub(crate) terminating_rules: Vec<TerminatingRule>,
    /// The values on which it depends whether a later rule is reached.
    pub(crate) reach_depends_on: Vec<String>,
    /// The values on which unknown fields depend, by a component that a rule may have changed.
    unknown_components: BTreeMap<Component, Vec<String>>,
    skipped_phases: BTreeMap<Phase, Ternary>,
    /// By the ID of the ruleset.
    skipped_rulesets: BTreeMap<String, Ternary>,
    /// By the IDs of the ruleset and the rule.
    skipped_rules: BTreeMap<(String, String), Ternary>,
}

/// A component of the request that rules can change.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Component {
    Uri,
    Headers,
}

impl Component {
    /// Returns the component from which a field is derived, except the fields of the original request.
    fn of_field(field: &str) -> Option<Component> {
        const HEADER_FIELDS: [&str; 4] = ["http.user_agent", "http.referer", "http.cookie", "http.x_forwarded_for"];
        if field.starts_with("http.request.uri") || field == "http.request.full_uri" {
            Some(Component::Uri)
        } else if HEADER_FIELDS.contains(&field)
            || ["http.request.headers", "http.request.cookies", "http.request.accepted_languages"]
                .iter()
                .any(|start| field.starts_with(start))
        {
            Some(Component::Headers)
        } else {
            None
        }
    }
}

impl RequestState {
    pub(crate) fn new(record: Record) -> Self {
        RequestState {
            changed_record: record.clone(),
            record,
            has_changes: false,
            is_running: Ternary::True,
            terminating_rules: Vec::new(),
            reach_depends_on: Vec::new(),
            unknown_components: BTreeMap::new(),
            skipped_phases: BTreeMap::new(),
            skipped_rulesets: BTreeMap::new(),
            skipped_rules: BTreeMap::new(),
        }
    }

    /// Makes the changes of the earlier phases visible.
    pub(crate) fn start_phase(&mut self) {
        if std::mem::take(&mut self.has_changes) {
            self.record = self.changed_record.clone();
        }
    }

    /// Changes the request for later phases.
    pub(crate) fn change(&mut self, change: impl FnOnce(&mut Record)) {
        change(&mut self.changed_record);
        self.has_changes = true;
    }

    /// Records why a component is unknown from the next phase on.
    pub(crate) fn mark_unknown(&mut self, component: Component, depends_on: &[String]) {
        let known = self.unknown_components.entry(component).or_default();
        extend_unique(known, depends_on);
    }

    /// Replaces fields that a rule made unknown by the values on which they depend.
    pub(crate) fn trace_back(&self, depends_on: Vec<String>) -> Vec<String> {
        let mut all = Vec::new();
        for name in depends_on {
            match Component::of_field(&name).and_then(|component| self.unknown_components.get(&component)) {
                Some(causes) if !causes.is_empty() => extend_unique(&mut all, causes),
                _ => extend_unique(&mut all, &[name]),
            }
        }
        all
    }

    /// Ends the request with a rule. `fires_if_running` is whether the rule fires unless an earlier rule ended the request.
    /// If it is true, the request has ended afterwards in either case.
    pub(crate) fn end(&mut self, rule: TerminatingRule, fires_if_running: Ternary) {
        if rule.terminates == Ternary::False {
            return;
        }
        self.is_running = self.is_running.and(!fires_if_running);
        if self.is_running == Ternary::Unknown {
            extend_unique(&mut self.reach_depends_on, &rule.depends_on);
        }
        self.terminating_rules.push(rule);
    }

    /// Starts the phases of the response. Some of their rules also run for a request that has ended.
    pub(crate) fn start_response(&mut self) {
        if self.is_running == Ternary::False {
            self.is_running = Ternary::Unknown;
            extend_unique(
                &mut self.reach_depends_on,
                &["whether the phase runs for a request that has ended".to_owned()],
            );
        }
    }

    pub(crate) fn skip_phase(&mut self, phase: Phase, is_skipped: Ternary) {
        let skipped = self.skipped_phases.entry(phase).or_insert(Ternary::False);
        *skipped = skipped.or(is_skipped);
    }

    pub(crate) fn skips_phase(&self, phase: Phase) -> Ternary {
        self.skipped_phases.get(&phase).copied().unwrap_or(Ternary::False)
    }

    pub(crate) fn skip_ruleset(&mut self, id: &str, is_skipped: Ternary) {
        let skipped = self.skipped_rulesets.entry(id.to_owned()).or_insert(Ternary::False);
        *skipped = skipped.or(is_skipped);
    }

    pub(crate) fn skips_ruleset(&self, id: &str) -> Ternary {
        self.skipped_rulesets.get(id).copied().unwrap_or(Ternary::False)
    }

    pub(crate) fn skip_rule(&mut self, ruleset: &str, rule: &str, is_skipped: Ternary) {
        let key = (ruleset.to_owned(), rule.to_owned());
        let skipped = self.skipped_rules.entry(key).or_insert(Ternary::False);
        *skipped = skipped.or(is_skipped);
    }

    pub(crate) fn skips_rule(&self, ruleset: &str, rule: &str) -> Ternary {
        let key = (ruleset.to_owned(), rule.to_owned());
        self.skipped_rules.get(&key).copied().unwrap_or(Ternary::False)
    }
}

/// Appends the items that the list does not have yet.
pub(crate) fn extend_unique(list: &mut Vec<String>, items: &[String]) {
    for item in items {
        if !list.contains(item) {
            list.push(item.clone());
        }
    }
}
