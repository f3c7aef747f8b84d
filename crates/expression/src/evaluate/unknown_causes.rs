//! Collects the causes of unknown results.
//!
//! Evaluation is generic over [`CauseSink`]: [`CauseLog`] collects the causes, and [`NoCauses`] discards them.

use crate::schema::Field;
use std::collections::BTreeSet;

/// The cause of an unknown result.
#[derive(Clone, Copy, Debug)]
pub(super) enum UnknownCause<'p> {
    /// The record does not provide the field.
    Field(&'static Field),
    /// The record does not provide the list.
    List(&'p str),
    /// The function needs data that no record contains.
    Function(&'static str),
    /// The regex compiler rejects the pattern, or the pattern of a replacement is not a literal.
    Pattern,
}

/// A collector of causes.
///
/// Before an evaluator evaluates operands, it takes a mark. If its result is known although an operand is unknown, it
/// truncates the causes to the mark.
pub(super) trait CauseSink<'p> {
    /// Whether the sink collects causes.
    const COLLECTS: bool;
    /// Returns the number of causes so far, as a mark for [`CauseSink::truncate`].
    fn mark(&self) -> usize;
    /// Discards the causes after a mark.
    fn truncate(&mut self, mark: usize);
    /// Adds a cause.
    fn push(&mut self, cause: UnknownCause<'p>);
}

/// A collector that discards every cause. This is the fast path.
pub(super) struct NoCauses;

impl<'p> CauseSink<'p> for NoCauses {
    const COLLECTS: bool = false;

    #[inline(always)]
    fn mark(&self) -> usize {
        0
    }

    #[inline(always)]
    fn truncate(&mut self, _: usize) {}

    #[inline(always)]
    fn push(&mut self, _: UnknownCause<'p>) {}
}

/// A collector that retains every cause.
#[derive(Default)]
pub(super) struct CauseLog<'p>(Vec<UnknownCause<'p>>);

impl<'p> CauseSink<'p> for CauseLog<'p> {
    const COLLECTS: bool = true;

    fn mark(&self) -> usize {
        self.0.len()
    }

    fn truncate(&mut self, mark: usize) {
        self.0.truncate(mark);
    }

    fn push(&mut self, cause: UnknownCause<'p>) {
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
