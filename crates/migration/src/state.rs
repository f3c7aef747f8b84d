//! Defines the transitions between migration states (`zone-security-service` §3).
//!
//! [`advance`] is the transition function. A migration never returns to an earlier state.

use zonewright_api::ValidationError;
use zonewright_api::waf_migration::MigrationState;
use zonewright_expression::schema::Tier;

/// A step of a migration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MigrationStep {
    /// The entry point is updated with `waf_migration=validation`.
    Validation,
    /// The entry point is updated with `waf_migration=pending`.
    Pending,
    /// The previous managed rules are turned off; the service performs this step itself, after a delay.
    Completion,
}

impl MigrationStep {
    /// All steps.
    pub const ALL: [MigrationStep; 3] = [MigrationStep::Validation, MigrationStep::Pending, MigrationStep::Completion];

    /// Parses a value of the query parameter `waf_migration`, which is a name or a number (§4.5).
    pub fn from_parameter(value: &str) -> Option<MigrationStep> {
        match value {
            "pending" | "1" => Some(MigrationStep::Pending),
            "validation" | "2" => Some(MigrationStep::Validation),
            _ => None,
        }
    }
}

/// Which managed rules may run in a migration state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunningRules {
    /// Whether the previous managed rules run if their switch is on.
    pub previous: bool,
    /// Whether ruleset-based rules run if an enabled rule of the entry point executes them.
    pub ruleset_based: bool,
}

/// Returns which managed rules may run in a migration state.
///
/// While a migration is pending, both run, so that the zone is protected at all times (assumption migration-pending).
/// The new ones run in every state if they are enabled. [`may_enable_rules`] decides whether an update may save enabled
/// rules.
pub fn running_rules(state: MigrationState) -> RunningRules {
    RunningRules { previous: state != MigrationState::Complete, ruleset_based: true }
}

/// Returns whether an update that is not a step of a migration may save enabled rules (assumption migration-unasked).
///
/// Before a migration, only zones on the Enterprise plan run new rules next to the previous ones. Zones on the Free
/// plan have no previous ones.
pub fn may_enable_rules(state: MigrationState, tier: Tier) -> bool {
    match tier {
        Tier::Pro | Tier::Business => state != MigrationState::Start,
        Tier::Free | Tier::Enterprise => true,
    }
}

/// Returns whether an update would leave a pending zone without managed rules (assumption migration-bare).
///
/// `next` is the state after the update. `executes` is whether the entry point executes a managed ruleset after the
/// update. `planned` is whether the entry point of the migration plan does. If the migration plan executes none, no
/// update has to.
pub fn leaves_zone_unprotected(next: MigrationState, executes: bool, planned: bool) -> bool {
    next == MigrationState::Pending && planned && !executes
}

/// Returns the state after a step.
///
/// In the state `validation`, another validation update adjusts the configuration. If the migration is pending or
/// complete, another pending update changes the configuration and not the state (assumption migration-repeat).
///
/// # Errors
///
/// The plan of the zone or the migration state does not allow the step.
pub fn advance(state: MigrationState, step: MigrationStep, tier: Tier) -> Result<MigrationState, ValidationError> {
    use MigrationState::{Complete, Pending, Start, Validation};
    let reject = |message: String| Err(ValidationError::invalid_value("", message));
    if tier == Tier::Free {
        return reject("a zone on the Free plan has no previous managed rules to migrate".to_owned());
    }
    match (state, step) {
        (Start | Validation, MigrationStep::Validation) if tier < Tier::Enterprise => reject(format!(
            "validation requires the Enterprise plan, but the zone has the {tier} plan; use waf_migration=pending"
        )),
        (Start | Validation, MigrationStep::Validation) => Ok(Validation),
        (Start | Validation | Pending, MigrationStep::Pending) => Ok(Pending),
        (Complete, MigrationStep::Pending | MigrationStep::Completion) => Ok(Complete),
        (Pending, MigrationStep::Completion) => Ok(Complete),
        (Start | Validation, MigrationStep::Completion) => {
            reject("the migration cannot be completed yet; first send an update with waf_migration=pending".to_owned())
        }
        (Pending | Complete, MigrationStep::Validation) => {
            reject("the migration is already pending or complete and cannot return to validation".to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Returns the rank of a state in the only possible order.
    fn rank(state: MigrationState) -> usize {
        MigrationState::ALL.iter().position(|other| *other == state).unwrap()
    }

    /// The state of a zone that the transitions depend on.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    struct Zone {
        state: MigrationState,
        /// Whether its entry point executes a managed ruleset.
        executes: bool,
        /// Whether its previous settings let managed rules run, so that its migration plan executes a managed ruleset.
        planned: bool,
    }

    #[derive(Clone, Copy, Debug)]
    enum Event {
        /// An update of the entry point, with or without a step, that executes a managed ruleset or not.
        Update(Option<MigrationStep>, bool),
        /// A change of the previous settings. It determines whether the migration plan executes a managed ruleset.
        Settings(bool),
        /// The automatic completion by the service.
        Completion,
    }

    /// Returns the zone after an event, as the service applies it. A rejected event does not change the zone.
    fn apply_event(zone: Zone, event: Event, tier: Tier) -> Zone {
        let (step, executes) = match event {
            Event::Completion => {
                return advance(zone.state, MigrationStep::Completion, tier)
                    .map_or(zone, |state| Zone { state, ..zone });
            }
            Event::Settings(planned) if leaves_zone_unprotected(zone.state, zone.executes, planned) => return zone,
            Event::Settings(planned) => return Zone { planned, ..zone },
            Event::Update(step, executes) => (step, executes),
        };
        let next = match step {
            Some(step) => advance(zone.state, step, tier).ok(),
            None => Some(zone.state).filter(|state| !executes || may_enable_rules(*state, tier)),
        };
        match next {
            Some(state) if !leaves_zone_unprotected(state, executes, zone.planned) => Zone { state, executes, ..zone },
            _ => zone,
        }
    }

    /// Checks the invariants after each event of every sequence of `depth` events, and returns the number of sequences.
    fn check_sequences(zone: Zone, tier: Tier, depth: usize, reached: &mut BTreeSet<Zone>) -> usize {
        reached.insert(zone);
        if depth == 0 {
            return 1;
        }
        let steps = [None, Some(MigrationStep::Validation), Some(MigrationStep::Pending)];
        let updates = steps.into_iter().flat_map(|step| [true, false].map(|executes| Event::Update(step, executes)));
        let mut sequences = 0;
        for event in updates.chain([Event::Completion, Event::Settings(true), Event::Settings(false)]) {
            let next = apply_event(zone, event, tier);
            let case = || format!("{tier}: {zone:?} {event:?} {next:?}");
            let previous_run = |zone: Zone| running_rules(zone.state).previous && zone.planned;
            let runs = |zone: Zone| previous_run(zone) || (running_rules(zone.state).ruleset_based && zone.executes);
            // Only the owner may switch off the last managed rules that run.
            let by_owner = match event {
                Event::Update(_, executes) => !executes && !previous_run(zone),
                Event::Settings(planned) => !planned,
                Event::Completion => false,
            };
            assert!(runs(next) || by_owner || !runs(zone), "no managed rules run: {}", case());
            assert!(next.state != MigrationState::Pending || next.executes || !next.planned, "{}", case());
            assert!(rank(next.state) >= rank(zone.state), "earlier state: {}", case());
            assert!(next.state != MigrationState::Validation || tier == Tier::Enterprise, "{}", case());
            let skips_pending =
                next.state == MigrationState::Complete && rank(zone.state) < rank(MigrationState::Pending);
            assert!(!skips_pending, "{}", case());
            // Before a migration, only Enterprise zones run both kinds of rules. Free zones have no previous rules.
            let executes_before_migration = next.state == MigrationState::Start && next.executes;
            assert!(!executes_before_migration || matches!(tier, Tier::Free | Tier::Enterprise), "{}", case());
            sequences += check_sequences(next, tier, depth - 1, reached);
        }
        sequences
    }

    #[test]
    fn transitions_never_leave_a_zone_unprotected() {
        for tier in Tier::ALL {
            let mut reached = BTreeSet::new();
            let start = Zone { state: MigrationState::Start, executes: false, planned: true };
            assert_eq!(check_sequences(start, tier, 6, &mut reached), 9_usize.pow(6));
            let is_complete = |zone: &&Zone| zone.state == MigrationState::Complete;
            let (reached_count, complete_count) = match tier {
                Tier::Free => (4, 0),
                // 2 in start, which never executes; 3 in pending, which executes if planned; and 4 in complete.
                Tier::Pro | Tier::Business => (9, 4),
                Tier::Enterprise => (15, 4),
            };
            assert_eq!(reached.len(), reached_count, "{tier}: {reached:?}");
            assert_eq!(reached.iter().filter(is_complete).count(), complete_count, "{tier}: {reached:?}");
        }
    }

    #[test]
    fn pending_zone_without_execute_rules_is_unprotected() {
        use MigrationState::{Complete, Pending, Start, Validation};
        let cases = [(Pending, false, true, true), (Pending, true, true, false), (Pending, false, false, false)];
        for (next, executes, planned, expected) in cases {
            assert_eq!(leaves_zone_unprotected(next, executes, planned), expected, "{next:?} {executes} {planned}");
        }
        assert!([Start, Validation, Complete].iter().all(|next| !leaves_zone_unprotected(*next, false, true)));
    }

    #[test]
    fn step_names_and_numbers_are_equivalent() {
        let cases = [
            ("pending", Some(MigrationStep::Pending)),
            ("1", Some(MigrationStep::Pending)),
            ("2", Some(MigrationStep::Validation)),
        ];
        for (value, step) in cases {
            assert_eq!(MigrationStep::from_parameter(value), step, "{value}");
        }
        assert_eq!(MigrationStep::from_parameter("validation"), Some(MigrationStep::Validation));
        assert!(
            ["", "0", "3", "01", "Pending", "complete"]
                .iter()
                .all(|value| MigrationStep::from_parameter(value).is_none())
        );
    }
}
