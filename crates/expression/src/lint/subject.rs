//! The tested value of a condition: its form and its letter case.

use crate::{
    resolved::{Argument, Operand, OperandSource},
    schema::{Field, ResultForm, ValueForm},
};

/// The conversion of letter case that a value underwent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Case {
    Unchanged,
    Lower,
    Upper,
}

/// Returns the form and letter case of the value; `None` if its form is unknown.
pub(super) fn form_of(operand: &Operand) -> Option<(ValueForm, Case)> {
    let (field, case) = field_of(operand)?;
    (field.form != ValueForm::Any).then_some((field.form, case))
}

/// Returns the field of an operand, through `lower` and `upper`.
pub(super) fn field_of(operand: &Operand) -> Option<(&'static Field, Case)> {
    if !operand.indexes.is_empty() {
        return None;
    }
    match &operand.source {
        OperandSource::Field(field) => Some((field, Case::Unchanged)),
        OperandSource::Call(call) => {
            let case = case_of(operand);
            let [Argument::Value(inner)] = call.arguments.as_slice() else { return None };
            (case != Case::Unchanged).then_some(())?;
            field_of(inner).map(|(field, _)| (field, case))
        }
        OperandSource::Invalid => None,
    }
}

/// Returns the letter case after the outermost call. A following `[*]` does not change it.
pub(super) fn case_of(operand: &Operand) -> Case {
    match &operand.source {
        OperandSource::Call(call) => match call.function.semantics.result_form {
            ResultForm::LowerCase => Case::Lower,
            ResultForm::UpperCase => Case::Upper,
            ResultForm::Any | ResultForm::NotNegative => Case::Unchanged,
        },
        OperandSource::Field(_) | OperandSource::Invalid => Case::Unchanged,
    }
}

/// Returns the range of a value or of each of its elements; `None` if it is unlimited.
pub(super) fn integer_range_of(operand: &Operand) -> Option<(i64, i64)> {
    match &operand.source {
        OperandSource::Field(field) => field.form.integers(),
        OperandSource::Call(call) => {
            (call.function.semantics.result_form == ResultForm::NotNegative).then_some((0, i64::MAX))
        }
        OperandSource::Invalid => None,
    }
}
