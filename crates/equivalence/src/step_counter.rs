//! Counts the remaining steps, and lists the reasons for an undecided question.
//!
//! Start with [`StepCounter`]. All solvers of a question share one counter.

use batsat::{Callbacks, ClauseKind, Lit};
use std::cell::Cell;
use std::rc::Rc;

/// The reason why a question is undecided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum UndecidedReason {
    /// The steps are used up.
    BudgetExhausted,
    /// A pattern is too large, or too many patterns apply to one value.
    PatternsTooComplex,
    /// These fields depend on each other in a way that has no model.
    DependentFields(String, String),
    /// Evaluation did not confirm the request that the solver found.
    Unconfirmed,
}

impl UndecidedReason {
    /// Returns the reason as text for the user.
    pub(crate) fn message(&self) -> String {
        match self {
            UndecidedReason::BudgetExhausted => "the proof reached the step limit".to_owned(),
            UndecidedReason::PatternsTooComplex => {
                "one value is compared with too many patterns, or with patterns that are too large".to_owned()
            }
            UndecidedReason::DependentFields(one, other) => {
                format!("it depends on how `{one}` and `{other}` are related")
            }
            UndecidedReason::Unconfirmed => {
                "it depends on function calls, or on comparisons of two values, that the proof does not model"
                    .to_owned()
            }
        }
    }
}

/// A step counter that counts down. Clones share the counter.
#[derive(Clone, Debug)]
pub(crate) struct StepCounter(Rc<Cell<u64>>);

impl StepCounter {
    pub(crate) fn new(steps: u64) -> StepCounter {
        StepCounter(Rc::new(Cell::new(steps)))
    }

    /// Resets the counter.
    pub(crate) fn reset(&self, steps: u64) {
        self.0.set(steps);
    }

    /// Subtracts steps.
    ///
    /// # Errors
    ///
    /// Returns [`UndecidedReason::BudgetExhausted`] if no steps remain.
    pub(crate) fn consume(&self, steps: usize) -> Result<(), UndecidedReason> {
        self.0.set(self.0.get().saturating_sub(steps as u64));
        if self.0.get() == 0 { Err(UndecidedReason::BudgetExhausted) } else { Ok(()) }
    }
}

impl Callbacks for StepCounter {
    fn on_new_clause(&mut self, clause: &[Lit], _: ClauseKind) {
        // Besides the new clause, a conflict costs propagation, which this constant estimates.
        let _ = self.consume(100 + clause.len());
    }

    fn stop(&self) -> bool {
        self.0.get() == 0
    }
}
