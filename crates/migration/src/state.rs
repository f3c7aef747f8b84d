//! How a migration goes on (`zone-security-service` §3).

use zonewright_api::Refusal;
use zonewright_api::waf_migration::MigrationState;
use zonewright_expression::schema::Tier;

/// What moves a migration on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The entry point is updated with `waf_migration=validation`.
    Validation,
    /// The entry point is updated with `waf_migration=pending`.
    Pending,
    /// The previous managed rules have been switched off; the service does this by itself.
    Completion,
}

impl Step {
    /// All of them.
    pub const ALL: [Step; 3] = [Step::Validation, Step::Pending, Step::Completion];

    /// The step that a value of the query parameter `waf_migration` asks for (§4.5 has the names and
    /// the numbers).
    pub fn from_parameter(value: &str) -> Option<Step> {
        match value {
            "pending" | "1" => Some(Step::Pending),
            "validation" | "2" => Some(Step::Validation),
            _ => None,
        }
    }
}

/// Which managed rules run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Running {
    /// The previous ones.
    pub old: bool,
    /// The ruleset-based ones, as the new configuration says.
    pub new: bool,
}

/// Which managed rules a state lets run. While the state is pending both do: the old ones are only
/// being switched off, so that a zone is never without (assumption migration-pending).
pub fn running(state: MigrationState) -> Running {
    match state {
        MigrationState::Start => Running { old: true, new: false },
        MigrationState::Validation | MigrationState::Pending => Running { old: true, new: true },
        MigrationState::Complete => Running { old: false, new: true },
    }
}

/// The state after a step, or why the step is refused. Nothing leads back.
///
/// In validation, another validation adjusts the configuration. When the migration is pending or
/// complete, a pending update is an ordinary one that changes the configuration and not the state
/// (assumption migration-repeat).
pub fn advance(state: MigrationState, step: Step, tier: Tier) -> Result<MigrationState, Refusal> {
    use MigrationState::{Complete, Pending, Start, Validation};
    let refused = |message: String| Err(Refusal::value("", message));
    if tier == Tier::Free {
        return refused("a zone on the Free plan has no previous managed rules to migrate".to_owned());
    }
    match (state, step) {
        (Start | Validation, Step::Validation) if tier < Tier::Enterprise => refused(format!(
            "validation needs the Enterprise plan, the zone has the {tier} plan: use waf_migration=pending"
        )),
        (Start | Validation, Step::Validation) => Ok(Validation),
        (Start | Validation | Pending, Step::Pending) => Ok(Pending),
        (Complete, Step::Pending | Step::Completion) => Ok(Complete),
        (Pending, Step::Completion) => Ok(Complete),
        (Start | Validation, Step::Completion) => {
            refused("the migration is completed only after an update with waf_migration=pending".to_owned())
        }
        (Pending | Complete, Step::Validation) => {
            refused("the migration cannot go back: the previous managed rules are switched off".to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// The states in the only order they can come in.
    fn rank(state: MigrationState) -> usize {
        MigrationState::ALL.iter().position(|one| *one == state).unwrap()
    }

    fn walk(state: MigrationState, tier: Tier, depth: usize, seen: &mut BTreeSet<MigrationState>) -> usize {
        seen.insert(state);
        if depth == 0 {
            return 1;
        }
        let mut traces = 0;
        for step in Step::ALL {
            // A refused step leaves the state as it is.
            let next = advance(state, step, tier).unwrap_or(state);
            let running = running(next);
            assert!(running.old || running.new, "{tier}: {state:?} {step:?}: neither runs");
            assert!(rank(next) >= rank(state), "{tier}: {state:?} {step:?}: back to {next:?}");
            assert!(next != MigrationState::Validation || tier == Tier::Enterprise, "{tier}: validation");
            assert!(next != MigrationState::Complete || rank(state) >= rank(MigrationState::Pending), "a leap");
            traces += walk(next, tier, depth - 1, seen);
        }
        traces
    }

    #[test]
    fn every_trace_leads_forward_and_leaves_no_zone_without_rules() {
        for tier in Tier::ALL {
            let mut seen = BTreeSet::new();
            assert_eq!(walk(MigrationState::Start, tier, 9, &mut seen), 3_usize.pow(9));
            let reached = match tier {
                Tier::Free => 1,
                Tier::Pro | Tier::Business => 3,
                Tier::Enterprise => 4,
            };
            assert_eq!(seen.len(), reached, "{tier}: {seen:?}");
        }
    }

    #[test]
    fn names_and_numbers_ask_for_the_same_step() {
        let cases = [("pending", Some(Step::Pending)), ("1", Some(Step::Pending)), ("2", Some(Step::Validation))];
        for (value, step) in cases {
            assert_eq!(Step::from_parameter(value), step, "{value}");
        }
        assert_eq!(Step::from_parameter("validation"), Some(Step::Validation));
        assert!(["", "0", "3", "01", "Pending", "complete"].iter().all(|value| Step::from_parameter(value).is_none()));
    }
}
