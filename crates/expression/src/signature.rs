//! Signature help: the call around a cursor. Start with [`signature`].

use crate::{
    check,
    cursor::{self, OpenCall, OpenDelimiterKind},
    schema::{AcceptedType, ArgumentKind, Constraint, Function, Param, ReturnType},
};
use zonewright_diagnostic::Span;

/// The signature of the call that contains the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureHelp {
    /// The name and the parameters, as in `substring(field, start, end?)`.
    pub label: String,
    /// The type of the result.
    pub returns: String,
    /// A short description of the function.
    pub doc: &'static str,
    /// The parameters, in order.
    pub parameters: Vec<Parameter>,
    /// The index of the parameter for the argument at the cursor; `None` if there are too many arguments.
    pub active: Option<usize>,
    /// The span of the function name in the source.
    pub span: Span,
}

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The span of the parameter in `label`, in bytes.
    pub span: Span,
    /// The name of the parameter.
    pub name: &'static str,
    /// The types that the parameter accepts: `String or Array`.
    pub detail: String,
    /// Further constraints on the argument.
    pub note: String,
}

/// Returns the signature of the innermost call around the byte `offset`, or `None` if its function is unknown. The
/// source may be incomplete.
pub fn signature(source: &str, offset: usize) -> Option<SignatureHelp> {
    let offset = cursor::floor_char_boundary(source, offset);
    let cursor = cursor::scan_until(source, |token| token.span.end > offset);
    let call = cursor.open_delimiters.iter().rev().find_map(|delimiter| match delimiter.kind {
        OpenDelimiterKind::Call(call) => Some(call),
        _ => None,
    })?;
    call.function.map(|function| build_help(function, &call))
}

fn build_help(function: &Function, call: &OpenCall) -> SignatureHelp {
    let label = check::format_signature(function);
    let mut offset = function.name.len() + 1;
    let mut parameters = Vec::new();
    for param in function.params {
        let length = param.name.len() + usize::from(param.optional);
        let dots = if param.variadic { "…".len() } else { 0 };
        parameters.push(Parameter {
            span: Span::new(offset, offset + length + dots),
            name: param.name,
            detail: format_accepted_types(param),
            note: format_constraints(param),
        });
        offset += length + dots + ", ".len();
    }
    let last = parameters.len().checked_sub(1);
    let active = call.param().and(last).map(|last| call.argument.min(last));
    SignatureHelp {
        label,
        returns: format_return_type(function),
        doc: function.doc(),
        parameters,
        active,
        span: call.name,
    }
}

/// Describes the type of a call.
pub(crate) fn format_return_type(function: &Function) -> String {
    match function.returns {
        ReturnType::Type(ty) => ty.to_string(),
        ReturnType::SameAsFirst => "type of the first argument".to_owned(),
    }
}

/// Describes the types that a parameter accepts.
pub(crate) fn format_accepted_types(param: &Param) -> String {
    let names: Vec<String> = param
        .accepts
        .iter()
        .map(|accept| match accept {
            AcceptedType::Type(ty) => ty.to_string(),
            AcceptedType::Anything => "any type".to_owned(),
            AcceptedType::AnyArray => "Array".to_owned(),
            AcceptedType::AnyMap => "Map".to_owned(),
            AcceptedType::CollectionOfScalars => "Array or Map of scalars".to_owned(),
            AcceptedType::SameAsFirst => "type of the first argument".to_owned(),
            AcceptedType::ElementOfFirst => "type of an element".to_owned(),
        })
        .collect();
    names.join(" or ")
}

/// Describes the constraints of a parameter and how often its argument may occur.
pub(crate) fn format_constraints(param: &Param) -> String {
    let kind = match param.kind {
        ArgumentKind::Literal => "literal",
        ArgumentKind::Computed => "field or call",
        ArgumentKind::Either => "",
    };
    let constraint = match param.constraint {
        None => String::new(),
        Some(Constraint::Range(low, high)) => format!("{low} to {high}"),
        Some(Constraint::NonEmpty) => "not empty".to_owned(),
        Some(Constraint::Flags(flags)) => {
            format!("flags {}", join_alternatives(flags.iter().map(|(flag, _)| (*flag).to_owned())))
        }
        Some(Constraint::Wildcard) => "wildcard pattern".to_owned(),
        Some(Constraint::Regex) => "regular expression".to_owned(),
        Some(Constraint::Replacement) => "at most eight references to matches, such as `${1}`".to_owned(),
        Some(Constraint::GreaterThanFirst) => "greater than the first argument".to_owned(),
        Some(Constraint::OneOfFields(names)) => join_alternatives(names.iter().map(|name| (*name).to_owned())),
    };
    let count = match (param.optional, param.variadic) {
        (true, _) => "optional",
        (_, true) => "one or more",
        _ => "",
    };
    let parts: Vec<&str> = [kind, &constraint, count].into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("; ")
}

fn join_alternatives(names: impl Iterator<Item = String>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" or ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::FUNCTIONS;

    #[test]
    fn active_parameter_follows_the_cursor() {
        let cases = [
            ("starts_with(|", Some("starts_with source")),
            ("starts_with(http.host|", Some("starts_with source")),
            ("starts_with(http.host, |", Some("starts_with substring")),
            ("starts_with(http.host, \"a,b(|\")", Some("starts_with substring")),
            ("starts_with(http.host, \"a\"|)", Some("starts_with substring")),
            ("starts_with(http.host, \"a\", |", Some("starts_with ")),
            ("starts_with(http.host, \"a\")|", None),
            ("star|ts_with(http.host, \"a\")", None),
            ("starts_with|(http.host, \"a\")", None),
            ("starts_with(lower(|http.host), \"a\")", Some("lower value")),
            ("starts_with(lower(http.host)|, \"a\")", Some("starts_with source")),
            ("ssl and any((http.request.headers.names[*] eq \"|", Some("any values")),
            ("concat(\"a\", \"b\", \"c\", |", Some("concat rest")),
            ("any(http.request.headers[\"|\"][*] eq \"a\")", Some("any values")),
            ("foo(|", None),
            ("lower (|", Some("lower value")),
            ("(|", None),
            ("ip.src in {|", None),
            ("", None),
        ];
        for (marked, expected) in cases {
            let offset = marked.find('|').unwrap_or(0);
            let source = marked.replacen('|', "", 1);
            let found = signature(&source, offset).map(|help| {
                let name = help.span.text(&source).to_owned();
                format!("{name} {}", help.active.map_or("", |active| help.parameters[active].name))
            });
            assert_eq!(found.as_deref(), expected, "{marked}");
        }
    }

    #[test]
    fn parameter_offsets_match_the_label() {
        for function in FUNCTIONS {
            let source = format!("{}(", function.name);
            let help = signature(&source, source.len()).unwrap();
            for (displayed, param) in help.parameters.iter().zip(function.params) {
                assert!(displayed.span.text(&help.label).starts_with(param.name), "{}", help.label);
                assert!(!displayed.detail.is_empty(), "{}", help.label);
            }
            let end = help.parameters.last().map(|last| last.span.end);
            assert_eq!(end, Some(help.label.len() - 1), "{}", help.label);
        }
    }
}
