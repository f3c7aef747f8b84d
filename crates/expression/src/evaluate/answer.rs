//! What parts of an expression give for a record.

use crate::Value;
use std::{borrow::Cow, ops::ControlFlow};

/// Kleene's three truth values.
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

/// The result of looking a value up.
pub(super) enum Lookup<'r> {
    Unknown,
    Missing,
    Known(Cow<'r, Value>),
}

/// The result of a walk over many values.
#[derive(PartialEq, Eq)]
pub(super) enum Walk {
    Unknown,
    Missing,
    Done,
}

/// What is called for each of many values.
pub(super) type Visit<'v> = dyn FnMut(&Value) -> ControlFlow<()> + 'v;

impl<'r> Lookup<'r> {
    pub(super) fn known(value: Value) -> Self {
        Lookup::Known(Cow::Owned(value))
    }
}

/// An answer for each value.
pub(super) enum Answers {
    /// Not even their number is known.
    Unknown,
    /// The array that holds them is missing.
    Missing,
    Known(Vec<Ternary>),
}
