//! The value that a condition is about: its form, and what was done to the case of its letters.

use crate::{
    resolved::{Argument, Operand, Source},
    schema::{Field, ResultForm, ValueForm},
};

/// What was done to the letters of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Case {
    Kept,
    Lower,
    Upper,
}

/// The form of a field's value, and how its letters were changed; `None` when the form is not known.
pub(super) fn form_of(operand: &Operand) -> Option<(ValueForm, Case)> {
    let (field, case) = field_of(operand)?;
    (field.form != ValueForm::Any).then_some((field.form, case))
}

/// The field that an operand is, through `lower` and `upper`.
fn field_of(operand: &Operand) -> Option<(&'static Field, Case)> {
    if !operand.indexes.is_empty() {
        return None;
    }
    match &operand.source {
        Source::Field(field) => Some((field, Case::Kept)),
        Source::Call(call) => {
            let case = case_of(operand);
            let [Argument::Value(inside)] = call.arguments.as_slice() else { return None };
            (case != Case::Kept).then_some(())?;
            field_of(inside).map(|(field, _)| (field, case))
        }
        Source::Invalid => None,
    }
}

/// What the outermost call does to letters; `[*]` behind it changes nothing.
pub(super) fn case_of(operand: &Operand) -> Case {
    match &operand.source {
        Source::Call(call) => match call.function.semantics.result_form {
            ResultForm::LowerCase => Case::Lower,
            ResultForm::UpperCase => Case::Upper,
            ResultForm::Any | ResultForm::NotNegative => Case::Kept,
        },
        Source::Field(_) | Source::Invalid => Case::Kept,
    }
}

/// The integers that a value, or each of its elements, can be; `None` when it can be any.
pub(super) fn integers_of(operand: &Operand) -> Option<(i64, i64)> {
    match &operand.source {
        Source::Field(field) => field.form.integers(),
        Source::Call(call) => (call.function.semantics.result_form == ResultForm::NotNegative).then_some((0, i64::MAX)),
        Source::Invalid => None,
    }
}
