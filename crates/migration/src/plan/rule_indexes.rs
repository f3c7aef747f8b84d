//! Computes the indexes of the rules that execute a managed ruleset. Page rules may require more than one such rule
//! (assumption page-rules-settled).

use crate::page_rules::PlannedStep;

/// Ascending indexes of rules in the new entry point.
#[derive(Clone, Default)]
pub(crate) struct RuleIndexes(Vec<usize>);

/// The maximum number of rules that a finding points to.
const MAX_POINTERS: usize = 16;

impl RuleIndexes {
    /// Returns the index of the first execute rule of each step that executes. The first step begins at
    /// `first_index`, and each step that executes has `ruleset_count` rules.
    pub(super) fn from_steps(steps: &[PlannedStep], first_index: usize, ruleset_count: usize) -> Self {
        let mut next = first_index;
        let mut indexes = Vec::new();
        for step in steps {
            match step {
                PlannedStep::Skip(_) => next += 1,
                PlannedStep::Execute(_) => {
                    indexes.push(next);
                    next += ruleset_count;
                }
            }
        }
        RuleIndexes(indexes)
    }

    /// Returns the indexes, each increased by `offset`.
    pub(super) fn shift_by(&self, offset: usize) -> Self {
        RuleIndexes(self.0.iter().map(|index| index + offset).collect())
    }

    /// Returns pointers to the rules, or to a member of each.
    pub(super) fn pointers(&self, suffix: &str) -> Vec<String> {
        self.0.iter().take(MAX_POINTERS).map(|index| format!("/rules/{index}{suffix}")).collect()
    }

    /// Returns a pointer to the first rule, if there is one.
    pub(super) fn first(&self) -> Option<String> {
        self.0.first().map(|index| format!("/rules/{index}"))
    }

    /// Describes how to add a draft to these rules.
    pub(super) fn addition_help(&self) -> &'static str {
        match self.0.as_slice() {
            [] => "add the suggested override to a rule that executes the ruleset",
            [_] => "add the suggested override to the new configuration",
            _ => {
                "add the suggested override to this rule of the new configuration and to the other rules that execute the ruleset"
            }
        }
    }
}
