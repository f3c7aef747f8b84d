//! Where in the new entry point a managed ruleset is executed: by one rule, or by several where page rules need it
//! (assumption page-rules-settled).

use crate::page_rules::Step;

/// Places of rules, in their order.
#[derive(Clone, Default)]
pub(crate) struct RuleIndexes(Vec<usize>);

/// A finding points to no more rules than this.
const MAX_POINTERS: usize = 16;

impl RuleIndexes {
    /// Those of the first rule of each step that executes, when the first step begins at `first` and as many rules as
    /// `rulesets` execute.
    pub(super) fn of_steps(steps: &[Step], first: usize, rulesets: usize) -> Self {
        let mut next = first;
        let mut places = Vec::new();
        for step in steps {
            match step {
                Step::Skip(_) => next += 1,
                Step::Execute(_) => {
                    places.push(next);
                    next += rulesets;
                }
            }
        }
        RuleIndexes(places)
    }

    /// Those of the rules so much behind.
    pub(super) fn behind(&self, by: usize) -> Self {
        RuleIndexes(self.0.iter().map(|place| place + by).collect())
    }

    /// Pointers to the rules, or to what is in them.
    pub(super) fn pointers(&self, inside: &str) -> Vec<String> {
        self.0.iter().take(MAX_POINTERS).map(|place| format!("/rules/{place}{inside}")).collect()
    }

    /// Pointer to the first rule, when there is one.
    pub(super) fn first(&self) -> Option<String> {
        self.0.first().map(|place| format!("/rules/{place}"))
    }

    /// How a draft is to be added.
    pub(super) fn said(&self) -> &'static str {
        match self.0.as_slice() {
            [] => "the draft can be added to a rule that executes the ruleset",
            [_] => "the draft can be added to the new configuration",
            _ => {
                "the draft can be added to this rule of the new configuration and to the others that execute the ruleset"
            }
        }
    }
}
