//! The context of one evaluation.

use super::notes::{Cause, Notes};
use crate::{
    Missing, Record, Value,
    record::{FieldIndex, Slot},
    schema::FIELDS,
    sets::List,
};

/// The record of the current evaluation.
#[derive(Clone, Copy)]
pub(super) struct Run<'r> {
    record: &'r Record,
}

/// The state of a field, after [`Missing`] was applied.
pub(super) enum Given<'r> {
    Unknown,
    Missing,
    Value(&'r Value),
}

impl<'r> Run<'r> {
    #[inline(always)]
    pub(super) fn new(record: &'r Record) -> Self {
        Run { record }
    }

    /// Returns the value of a field, if the record provides it. This is the fast path.
    #[inline(always)]
    pub(super) fn value(self, field: FieldIndex) -> Option<&'r Value> {
        match self.record.slot(field) {
            Slot::Given(value) => Some(value),
            Slot::Absent | Slot::NotGiven => None,
        }
    }

    pub(super) fn field<'p>(self, field: FieldIndex, notes: &mut impl Notes<'p>) -> Given<'r> {
        match self.value(field) {
            Some(value) => Given::Value(value),
            None if self.is_unknown(field, notes) => Given::Unknown,
            None => Given::Missing,
        }
    }

    /// Returns whether a field without a value is unknown, and adds the cause if it is.
    #[inline(never)]
    pub(super) fn is_unknown<'p>(self, field: FieldIndex, notes: &mut impl Notes<'p>) -> bool {
        let given = matches!(self.record.slot(field), Slot::Absent);
        let unknown = !given && self.record.missing() == Missing::Unknown;
        if let Some(field) = FIELDS.get(usize::from(field)).filter(|_| unknown) {
            notes.note(Cause::Field(field));
        }
        unknown
    }

    /// Returns a named list: `None` if it is unknown, `Some(None)` if it is empty.
    pub(super) fn list(self, name: &str) -> Option<Option<&'r List>> {
        match self.record.named(name) {
            None if self.record.missing() == Missing::Unknown => None,
            list => Some(list),
        }
    }
}
