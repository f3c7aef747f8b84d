//! The context of one evaluation.

use super::unknown_causes::{CauseSink, UnknownCause};
use crate::{
    MissingPolicy, Record, Value,
    record::{FieldIndex, Slot},
    schema::FIELDS,
    sets::NamedList,
};

/// The record of the current evaluation.
#[derive(Clone, Copy)]
pub(super) struct EvalContext<'r> {
    record: &'r Record,
}

/// The state of a field, after [`MissingPolicy`] was applied.
pub(super) enum FieldValue<'r> {
    Unknown,
    Missing,
    Value(&'r Value),
}

impl<'r> EvalContext<'r> {
    #[inline(always)]
    pub(super) fn new(record: &'r Record) -> Self {
        EvalContext { record }
    }

    /// Returns the value of a field, if the record provides it. This is the fast path.
    #[inline(always)]
    pub(super) fn value(self, field: FieldIndex) -> Option<&'r Value> {
        match self.record.slot(field) {
            Slot::Set(value) => Some(value),
            Slot::Missing | Slot::Unset => None,
        }
    }

    pub(super) fn field<'p>(self, field: FieldIndex, causes: &mut impl CauseSink<'p>) -> FieldValue<'r> {
        match self.value(field) {
            Some(value) => FieldValue::Value(value),
            None if self.is_unknown(field, causes) => FieldValue::Unknown,
            None => FieldValue::Missing,
        }
    }

    /// Returns whether a field without a value is unknown, and adds the cause if it is.
    #[inline(never)]
    pub(super) fn is_unknown<'p>(self, field: FieldIndex, causes: &mut impl CauseSink<'p>) -> bool {
        let is_missing = matches!(self.record.slot(field), Slot::Missing);
        let is_unknown = !is_missing && self.record.missing_policy() == MissingPolicy::Unknown;
        if let Some(field) = FIELDS.get(usize::from(field)).filter(|_| is_unknown) {
            causes.push(UnknownCause::Field(field));
        }
        is_unknown
    }

    /// Returns a named list: `None` if it is unknown, `Some(None)` if it is empty.
    pub(super) fn list(self, name: &str) -> Option<Option<&'r NamedList>> {
        match self.record.named_list(name) {
            None if self.record.missing_policy() == MissingPolicy::Unknown => None,
            list => Some(list),
        }
    }
}
