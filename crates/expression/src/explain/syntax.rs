//! Queries on the syntax tree that decide the wording.

use super::display::is_bytes;
use crate::{
    ast::{Expr, ExprKind, IndexKind, LiteralKind, Name, Value},
    schema::{self, FunctionId, MissingArgument, Quantifier},
};

/// Returns the ID of the function with this name.
pub(super) fn function_id(name: &Name) -> Option<FunctionId> {
    schema::function(&name.text).map(|function| function.id)
}

/// Returns the quantifier if the name is `any` or `all`.
pub(super) fn quantifier(name: &Name) -> Option<Quantifier> {
    schema::function(&name.text)?.semantics.quantifier
}

/// Returns the value of a string literal.
pub(super) fn string_value(expr: Option<&Expr>) -> Option<&[u8]> {
    let ExprKind::Literal(literal) = &expr?.kind else { return None };
    match &literal.kind {
        LiteralKind::Quoted(bytes) => Some(bytes),
        LiteralKind::Raw(text) | LiteralKind::Regex(text) => Some(text.as_bytes()),
        _ => None,
    }
}

/// Returns whether the expression is the empty string.
pub(super) fn is_empty_string(expr: Option<&Expr>) -> bool {
    string_value(expr).is_some_and(<[u8]>::is_empty)
}

/// Returns whether the value is a byte literal that was parsed as a name, such as `ab.cd`.
pub(super) fn is_byte_value(value: &Value) -> bool {
    value.call.is_none() && value.indexes.is_empty() && is_bytes(&value.name.text)
}

/// Returns whether the value may be missing even if its field is present, such as a map entry.
pub(super) fn may_be_missing(expr: &Expr) -> bool {
    let ExprKind::Value(value) = &expr.kind else { return false };
    if value.indexes.iter().any(|index| matches!(index.kind, IndexKind::Element(_) | IndexKind::Key(_))) {
        return true;
    }
    let Some(call) = &value.call else { return false };
    let semantics = schema::function(&value.name.text).map(|function| function.semantics);
    match semantics.map(|semantics| semantics.missing_argument) {
        _ if semantics.is_some_and(|semantics| semantics.is_partial) => true,
        Some(MissingArgument::IsSkipped | MissingArgument::IsEmpty) => call.arguments.iter().all(may_be_missing),
        Some(MissingArgument::Propagates) | None => call.arguments.iter().any(may_be_missing),
    }
}
