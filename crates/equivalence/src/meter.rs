//! The steps that are left, and why an answer was not found.

use batsat::{Callbacks, ClauseKind, Lit};
use std::cell::Cell;
use std::rc::Rc;

/// Why something is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// The steps are used up.
    Budget,
    /// A pattern is too large to be looked into, or too many patterns meet in one value.
    Patterns,
    /// These depend on each other in a way that is not known.
    Depend(String, String),
    /// A request that should show the difference does not.
    NotShown,
}

impl Reason {
    /// The reason in plain words.
    pub(crate) fn words(&self) -> String {
        match self {
            Reason::Budget => "it takes more steps than allowed".to_owned(),
            Reason::Patterns => "the patterns that one value is held against are too many or too large".to_owned(),
            Reason::Depend(one, other) => format!("it depends on how `{one}` and `{other}` depend on each other"),
            Reason::NotShown => {
                "it depends on calls or comparisons of two values, of which too little is known".to_owned()
            }
        }
    }
}

/// Counts steps down.
#[derive(Clone, Debug)]
pub(crate) struct Meter(Rc<Cell<u64>>);

impl Meter {
    pub(crate) fn new(steps: u64) -> Meter {
        Meter(Rc::new(Cell::new(steps)))
    }

    /// Begins again with so many steps.
    pub(crate) fn refill(&self, steps: u64) {
        self.0.set(steps);
    }

    /// Takes steps off.
    ///
    /// # Errors
    /// When none are left.
    pub(crate) fn spend(&self, steps: usize) -> Result<(), Reason> {
        self.0.set(self.0.get().saturating_sub(steps as u64));
        if self.0.get() == 0 { Err(Reason::Budget) } else { Ok(()) }
    }
}

impl Callbacks for Meter {
    fn on_new_clause(&mut self, clause: &[Lit], _: ClauseKind) {
        // What a conflict costs besides its clause is propagation, about so much.
        let _ = self.spend(100 + clause.len());
    }

    fn stop(&self) -> bool {
        self.0.get() == 0
    }
}
