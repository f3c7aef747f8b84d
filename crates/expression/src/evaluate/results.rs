//! The result types of evaluation.
//!
//! A condition evaluates to [`Ternary`], a value to [`Lookup`], and a condition on many values to [`ElementResults`].

use crate::Value;
use std::{
    borrow::Cow,
    ops::{ControlFlow, Not},
};

/// A truth value of Kleene's three-valued logic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ternary {
    /// False.
    False,
    /// True.
    True,
    /// True or false, depending on values that are not known.
    Unknown,
}

impl From<bool> for Ternary {
    #[inline(always)]
    fn from(truth: bool) -> Self {
        if truth { Ternary::True } else { Ternary::False }
    }
}

impl Not for Ternary {
    type Output = Ternary;

    #[inline]
    fn not(self) -> Ternary {
        match self {
            Ternary::False => Ternary::True,
            Ternary::True => Ternary::False,
            Ternary::Unknown => Ternary::Unknown,
        }
    }
}

impl Ternary {
    /// Returns the conjunction.
    pub fn and(self, other: Ternary) -> Ternary {
        match (self, other) {
            (Ternary::False, _) | (_, Ternary::False) => Ternary::False,
            (Ternary::True, Ternary::True) => Ternary::True,
            _ => Ternary::Unknown,
        }
    }

    /// Returns the disjunction.
    pub fn or(self, other: Ternary) -> Ternary {
        !(!self).and(!other)
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
