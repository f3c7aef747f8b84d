//! What an expression is checked against: kind, phase and tier.

use crate::storage;
use zonewright_expression::schema::{Phase, Tier};
use zonewright_expression::{Kind, Lint, Options};

/// Kind, phase and tier; without phase or tier nothing is refused for its sake.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scope {
    /// Condition, value or counting condition.
    pub(crate) kind: Kind,
    /// Where the rule will run.
    pub(crate) phase: Option<Phase>,
    /// Plan of the zone.
    pub(crate) tier: Option<Tier>,
}

impl Scope {
    /// The engine's options.
    pub(crate) fn options(self) -> Options {
        let lint = Some(Lint::default());
        Options { kind: self.kind, phase: self.phase, plan: self.tier, lint, ..Options::default() }
    }

    /// The one of the last visit.
    pub(crate) fn remembered() -> Scope {
        let text = storage::get(storage::SCOPE_KEY).unwrap_or_default();
        let mut words = text.split(' ');
        let kind = words.next().and_then(Kind::from_name).unwrap_or_default();
        let phase = words.next().and_then(phase_named);
        let tier = words.next().and_then(Tier::from_name);
        Scope { kind, phase, tier }
    }

    /// Keeps it for the next visit.
    pub(crate) fn remember(self) {
        let kind = self.kind.name();
        let phase = self.phase.map_or("-", Phase::name);
        let tier = self.tier.map_or("-", Tier::name);
        storage::set(storage::SCOPE_KEY, &format!("{kind} {phase} {tier}"));
    }
}

/// The phase of this name.
pub(crate) fn phase_named(name: &str) -> Option<Phase> {
    Phase::ALL.iter().copied().find(|phase| phase.name() == name)
}
