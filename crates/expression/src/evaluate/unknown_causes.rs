//! Collects the causes of unknown results.
//!
//! [`CauseSink`] abstracts over collecting ([`CauseLog`]) and not collecting ([`NoCauses`]).

use crate::schema::Field;
use std::collections::BTreeSet;

/// The cause of an unknown result.
#[derive(Clone, Copy, Debug)]
pub(super) enum UnknownCause<'p> {
    /// The record does not provide the field.
    Field(&'static Field),
    /// The record does not provide the list.
    List(&'p str),
    /// The function needs something that a record does not contain.
    Function(&'static str),
    /// The pattern cannot be compiled here.
    Pattern,
}

/// A collector of causes, so that evaluation is written once for both implementations.
///
/// An evaluator that reaches a known result despite unknown parts discards the causes that were added since its mark.
pub(super) trait CauseSink<'p> {
    /// Whether causes are collected.
    const TAKEN: bool;
    /// Returns a mark: the number of causes so far.
    fn mark(&self) -> usize;
    /// Discards the causes after a mark.
    fn forget(&mut self, mark: usize);
    /// Adds a cause.
    fn note(&mut self, cause: UnknownCause<'p>);
}

/// A collector that discards every cause. This is the fast path.
pub(super) struct NoCauses;

impl<'p> CauseSink<'p> for NoCauses {
    const TAKEN: bool = false;

    #[inline(always)]
    fn mark(&self) -> usize {
        0
    }

    #[inline(always)]
    fn forget(&mut self, _: usize) {}

    #[inline(always)]
    fn note(&mut self, _: UnknownCause<'p>) {}
}

/// A collector that retains every cause.
#[derive(Default)]
pub(super) struct CauseLog<'p>(Vec<UnknownCause<'p>>);

impl<'p> CauseSink<'p> for CauseLog<'p> {
    const TAKEN: bool = true;

    fn mark(&self) -> usize {
        self.0.len()
    }

    fn forget(&mut self, mark: usize) {
        self.0.truncate(mark);
    }

    fn note(&mut self, cause: UnknownCause<'p>) {
        self.0.push(cause);
    }
}

impl CauseLog<'_> {
    /// Returns the names of the causes, sorted and without duplicates.
    pub(super) fn names(&self) -> Vec<String> {
        let names: BTreeSet<String> = self
            .0
            .iter()
            .map(|cause| match cause {
                UnknownCause::Field(field) => field.name.to_owned(),
                UnknownCause::List(name) => format!("${name}"),
                UnknownCause::Function(name) => (*name).to_owned(),
                UnknownCause::Pattern => "matches".to_owned(),
            })
            .collect();
        names.into_iter().collect()
    }
}
