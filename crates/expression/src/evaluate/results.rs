//! The result types of evaluation.
//!
//! A condition evaluates to [`Ternary`], a value to [`Lookup`], and a condition on many values to [`ElementResults`].

use crate::Value;
use std::{borrow::Cow, ops::ControlFlow};

/// A truth value of Kleene's three-valued logic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ternary {
    False,
    True,
    Unknown,
}

impl From<bool> for Ternary {
    #[inline(always)]
    fn from(truth: bool) -> Self {
        if truth { Ternary::True } else { Ternary::False }
    }
}

impl Ternary {
    pub(super) fn not(self) -> Ternary {
        match self {
            Ternary::False => Ternary::True,
            Ternary::True => Ternary::False,
            Ternary::Unknown => Ternary::Unknown,
        }
    }
}

/// The result of evaluating a value.
pub(super) enum Lookup<'r> {
    Unknown,
    Missing,
    Known(Cow<'r, Value>),
}

/// The result of an iteration over many values: whether the values could be visited.
#[derive(PartialEq, Eq)]
pub(super) enum Walk {
    Unknown,
    Missing,
    Done,
}

/// The callback that receives each of many values.
pub(super) type Visit<'v> = dyn FnMut(&Value) -> ControlFlow<()> + 'v;

impl<'r> Lookup<'r> {
    pub(super) fn known(value: Value) -> Self {
        Lookup::Known(Cow::Owned(value))
    }
}

/// The results of a condition on many values.
pub(super) enum ElementResults {
    /// Even the number of values is unknown.
    Unknown,
    /// The array of values is missing.
    Missing,
    /// One truth value for each value.
    Known(Vec<Ternary>),
}
