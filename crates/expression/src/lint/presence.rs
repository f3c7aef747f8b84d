//! Decides whether a value may be missing.

use crate::{
    resolved::{Argument, Call, Operand, OperandSource},
    schema::{MissingArgument, Presence},
};

/// Returns whether the value is never missing, so that a safe fix may rely on it.
pub(super) fn is_never_missing(operand: &Operand) -> bool {
    matches!(operand.source, OperandSource::Field(field) if operand.indexes.is_empty() && field.presence == Presence::Always)
}

/// Returns whether every plausible request has the value. That is enough to report that a condition is always true, but
/// not for a fix.
pub(super) fn is_usually_present(operand: &Operand) -> bool {
    presence(operand) >= Presence::Undocumented
}

/// Returns whether the value is expected in every request, so that a test for its presence is probably a mistake.
pub(super) fn is_certainly_present(operand: &Operand) -> bool {
    presence(operand) >= Presence::Expected
}

fn presence(operand: &Operand) -> Presence {
    match &operand.source {
        _ if !operand.indexes.is_empty() => Presence::Optional,
        OperandSource::Field(field) => field.presence,
        OperandSource::Call(call) => presence_of_result(call),
        OperandSource::Invalid => Presence::Optional,
    }
}

fn presence_of_result(call: &Call) -> Presence {
    let semantics = call.function.semantics;
    if semantics.is_partial || call.each {
        return Presence::Optional;
    }
    let arguments = call.arguments.iter().map(|argument| match argument {
        Argument::Value(value) => presence(value),
        Argument::Literal(..) => Presence::Always,
        Argument::Condition(_) => Presence::Optional,
    });
    let presence = match semantics.missing_argument {
        MissingArgument::Propagates => arguments.min(),
        MissingArgument::IsSkipped | MissingArgument::IsEmpty => arguments.max(),
    };
    presence.unwrap_or(Presence::Optional)
}
