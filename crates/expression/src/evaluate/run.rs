//! One evaluation.

use super::notes::{Cause, Notes};
use crate::{
    Missing, Record, Value,
    record::{FieldIndex, Slot},
    schema::FIELDS,
    sets::List,
};

/// A record while an expression is evaluated on it.
#[derive(Clone, Copy)]
pub(super) struct Run<'r> {
    record: &'r Record,
}

/// What a record says of a field.
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

    /// The value of a field, when it is given: the fast way.
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

    /// Whether a field that has no value is unknown; takes it down then.
    #[inline(never)]
    pub(super) fn is_unknown<'p>(self, field: FieldIndex, notes: &mut impl Notes<'p>) -> bool {
        let given = matches!(self.record.slot(field), Slot::Absent);
        let unknown = !given && self.record.missing() == Missing::Unknown;
        if let Some(field) = FIELDS.get(usize::from(field)).filter(|_| unknown) {
            notes.note(Cause::Field(field));
        }
        unknown
    }

    /// A named list, which may have no items; `None` when it is unknown.
    pub(super) fn list(self, name: &str) -> Option<Option<&'r List>> {
        match self.record.named(name) {
            None if self.record.missing() == Missing::Unknown => None,
            list => Some(list),
        }
    }
}
