//! What is taken down about unknown values.

use crate::schema::Field;
use std::collections::BTreeSet;

/// Why something is unknown.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cause<'p> {
    /// The record does not give the field.
    Field(&'static Field),
    /// The record does not give the list.
    List(&'p str),
    /// The function needs what is not in a record.
    Function(&'static str),
    /// The pattern cannot be compiled here.
    Pattern,
}

/// Takes causes down, or does not: evaluation is written once for both. Whoever comes to a known
/// answer in spite of unknown parts forgets what was noted since it began.
pub(super) trait Notes<'p> {
    /// Whether anything is taken down.
    const TAKEN: bool;
    /// How much is noted so far.
    fn mark(&self) -> usize;
    /// Forgets what was noted since a mark.
    fn forget(&mut self, mark: usize);
    /// Takes a cause down.
    fn note(&mut self, cause: Cause<'p>);
}

/// Nothing is noted: the fast way.
pub(super) struct Ignored;

impl<'p> Notes<'p> for Ignored {
    const TAKEN: bool = false;

    #[inline(always)]
    fn mark(&self) -> usize {
        0
    }

    #[inline(always)]
    fn forget(&mut self, _: usize) {}

    #[inline(always)]
    fn note(&mut self, _: Cause<'p>) {}
}

/// Everything is noted.
#[derive(Default)]
pub(super) struct Causes<'p>(Vec<Cause<'p>>);

impl<'p> Notes<'p> for Causes<'p> {
    const TAKEN: bool = true;

    fn mark(&self) -> usize {
        self.0.len()
    }

    fn forget(&mut self, mark: usize) {
        self.0.truncate(mark);
    }

    fn note(&mut self, cause: Cause<'p>) {
        self.0.push(cause);
    }
}

impl Causes<'_> {
    /// Their names, sorted, each once.
    pub(super) fn names(&self) -> Vec<String> {
        let names: BTreeSet<String> = self
            .0
            .iter()
            .map(|cause| match cause {
                Cause::Field(field) => field.name.to_owned(),
                Cause::List(name) => format!("${name}"),
                Cause::Function(name) => (*name).to_owned(),
                Cause::Pattern => "matches".to_owned(),
            })
            .collect();
        names.into_iter().collect()
    }
}
