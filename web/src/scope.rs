//! The options that an expression is checked with: kind, phase and plan.

use crate::storage::Item;
use zonewright_expression::schema::{Phase, Tier};
use zonewright_expression::{Kind, LintOptions, Options};

/// Kind, phase and plan. Without a phase or plan, its restrictions are not checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scope {
    /// The kind of the expression.
    pub(crate) kind: Kind,
    /// The phase of the rule.
    pub(crate) phase: Option<Phase>,
    /// The plan of the zone.
    pub(crate) tier: Option<Tier>,
}

impl Scope {
    /// Converts the scope to options of the engine.
    pub(crate) fn options(self) -> Options {
        let lint = Some(LintOptions::default());
        Options { kind: self.kind, phase: self.phase, plan: self.tier, lint, ..Options::default() }
    }

    /// Returns the scope of the last visit.
    pub(crate) fn restore() -> Scope {
        let text = Item::Scope.restore().unwrap_or_default();
        let mut parts = text.split(' ');
        let kind = parts.next().and_then(Kind::from_name).unwrap_or_default();
        let phase = parts.next().and_then(phase_from_name);
        let tier = parts.next().and_then(Tier::from_name);
        Scope { kind, phase, tier }
    }

    /// Returns the text to store for the next visit.
    pub(crate) fn to_stored(self) -> String {
        let kind = self.kind.name();
        let phase = self.phase.map_or("-", Phase::name);
        let tier = self.tier.map_or("-", Tier::name);
        format!("{kind} {phase} {tier}")
    }
}

/// Returns the phase with a name.
pub(crate) fn phase_from_name(name: &str) -> Option<Phase> {
    Phase::ALL.iter().copied().find(|phase| phase.name() == name)
}
