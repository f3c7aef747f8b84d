//! Reports functions and methods in the syntax of other languages, and suggests equivalents.

use super::{condition::excerpt, map_entry};
use crate::{
    Container, Scalar, Type,
    ast::{Call, ExprKind, Name},
    code, parse,
    schema::{self, ArgumentKind},
};
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span};

/// Returns the diagnostic of a call of an unknown function. The `candidates` are functions with similar names.
pub(super) fn unknown_function_error(name: &Name, call: &Call, candidates: &[&str], source: &str) -> Diagnostic {
    let text = name.text.as_str();
    if schema::field(text).is_some() {
        return called_field_error(name, call);
    }
    if let Some(method) = Method::parse(text) {
        return method.unknown_method_error(name, call, candidates, source);
    }
    if let Some(map_entry) = map_entry::rewrite_getter_call(text, call) {
        let title = format!("use `{}`", excerpt(&map_entry));
        return Diagnostic::error(code::UNKNOWN_FUNCTION, name.span, format!("unknown function `{}`", excerpt(text)))
            .with_fix(Fix::unsafe_edits(title, vec![Edit::replace(name.span.to(call.span), map_entry)]));
    }
    let mut diagnostic =
        Diagnostic::error(code::UNKNOWN_FUNCTION, name.span, format!("unknown function `{}`", excerpt(text)));
    match text.to_ascii_lowercase().as_str() {
        "regex_match" | "regexp_match" | "rematch" | "re_match" => {
            return diagnostic.with_help("use the operator `matches`: `http.host matches \"^www\"`");
        }
        "exists" | "isset" | "has" | "defined" => {
            return diagnostic.with_help("use `has_key(…, \"…\")` for a map, and `len(…) ge 0` for any other value");
        }
        foreign => {
            if let Some(known) = find_function_by_foreign_name(foreign) {
                return diagnostic
                    .with_fix(Fix::unsafe_edits(format!("use `{known}`"), vec![Edit::replace(name.span, known)]));
            }
        }
    }
    for candidate in candidates {
        diagnostic = diagnostic
            .with_fix(Fix::unsafe_edits(format!("use `{candidate}`"), vec![Edit::replace(name.span, *candidate)]));
    }
    diagnostic
}

fn called_field_error(name: &Name, call: &Call) -> Diagnostic {
    let diagnostic =
        Diagnostic::error(code::CALLED_FIELD, name.span, format!("`{}` is a field and cannot be called", name.text));
    if name.span.end == call.span.start {
        return diagnostic;
    }
    let insert_fix = |word: &str| {
        Fix::unsafe_edits(format!("insert `{word}`"), vec![Edit::insert(name.span.end, format!(" {word}"))])
    };
    diagnostic
        .with_help("combine two conditions with `and` or `or`")
        .with_fix(insert_fix("and"))
        .with_fix(insert_fix("or"))
}

/// Returns the function for which another language uses this name.
fn find_function_by_foreign_name(foreign: &str) -> Option<&'static str> {
    let found = schema::FUNCTIONS.iter().find(|function| function.foreign_names.contains(&foreign));
    found.map(|function| function.name)
}

/// A method or property of a value in the syntax of other languages: `http.host.lower()`.
pub(super) struct Method<'n> {
    /// A field, a map entry in the syntax of another language, a call or an indexed value.
    receiver: &'n str,
    name: &'n str,
}

impl<'n> Method<'n> {
    /// Splits a name at its last dot. Returns `None` if the text before the dot is not a value.
    fn parse(text: &'n str) -> Option<Self> {
        let (receiver, name) = text.rsplit_once('.')?;
        let is_value = schema::field(receiver).is_some()
            || receiver.ends_with([')', ']'])
            || map_entry::rewrite_entry(receiver).is_some();
        (is_value && !name.is_empty()).then_some(Method { receiver, name })
    }

    fn unknown_method_error(&self, name: &Name, call: &Call, candidates: &[&str], source: &str) -> Diagnostic {
        let mut diagnostic = Diagnostic::error(
            code::UNKNOWN_FUNCTION,
            name.span,
            format!("`{}` has no method `{}`", excerpt(self.receiver), excerpt(self.name)),
        )
        .with_help("values have no methods; call a function instead, such as `lower(http.host)`");
        let arguments = arguments_source(call, source);
        let receiver = self.rewrite_receiver();
        let rewritten = self.rewrite(&receiver, &arguments, call.arguments.len());
        let texts = match rewritten {
            Some(text) => vec![text],
            None => candidates.iter().filter_map(|known| self.rewrite_as_call(known, &receiver, &arguments)).collect(),
        };
        for text in texts {
            let title = format!("use `{}`", excerpt(&text));
            diagnostic =
                diagnostic.with_fix(Fix::unsafe_edits(title, vec![Edit::replace(name.span.to(call.span), text)]));
        }
        diagnostic
    }

    /// Returns the equivalent of the method in the Rules language, or `None` if there is no equivalent.
    fn rewrite(&self, receiver: &str, arguments: &str, count: usize) -> Option<String> {
        let lower = self.name.to_ascii_lowercase();
        let ty = self.receiver_type();
        let container = ty.and_then(Type::container);
        let is_text = ty.is_none_or(Type::is_text);
        match lower.as_str() {
            "contains" | "includes" | "has" | "contains_key" | "containskey" | "haskey" if count == 1 => {
                match container {
                    Some(Container::Map) => Some(format!("has_key({receiver}, {arguments})")),
                    Some(Container::Array) => Some(format!("any({receiver}[*] eq {arguments})")),
                    None => is_text.then(|| format!("{receiver} contains {arguments}")),
                }
            }
            "matches" | "match" | "regex_match" if count == 1 => {
                is_text.then(|| format!("{receiver} matches {arguments}"))
            }
            "equals" | "equal" | "eq" if count == 1 => {
                let is_comparable = ty.is_none_or(|ty| ty.is_scalar() && ty.scalar != Scalar::Boolean);
                is_comparable.then(|| format!("{receiver} eq {arguments}"))
            }
            _ => self.rewrite_as_call(
                find_function_by_foreign_name(&lower).or_else(|| find_function_ignoring_underscores(&lower))?,
                receiver,
                arguments,
            ),
        }
    }

    /// Returns a call of the function with the receiver as its first argument, if the types fit.
    fn rewrite_as_call(&self, function: &str, receiver: &str, arguments: &str) -> Option<String> {
        let first = schema::function(function)?.params.first()?;
        let fits = |ty| first.accepts.iter().any(|accept| accept.accepts(ty, None));
        let is_fitting = first.kind != ArgumentKind::Literal && self.receiver_type().is_none_or(fits);
        let comma = if arguments.is_empty() { "" } else { ", " };
        is_fitting.then(|| format!("{function}({receiver}{comma}{arguments})"))
    }

    fn receiver_type(&self) -> Option<Type> {
        schema::field(self.receiver).map(|field| field.ty)
    }

    /// Returns the receiver in the syntax of the Rules language. The receiver may be a method call itself.
    fn rewrite_receiver(&self) -> String {
        if let Some(entry) = map_entry::rewrite_entry(self.receiver) {
            return entry;
        }
        // The parser bounds the length of a receiver, and therefore the depth of this recursion.
        let ExprKind::Value(value) = parse(self.receiver).ast.map_or(ExprKind::Invalid, |ast| ast.kind) else {
            return self.receiver.to_owned();
        };
        let call = value.call.as_ref().filter(|_| value.indexes.is_empty());
        let rewritten = call.zip(Method::parse(&value.name.text)).and_then(|(call, method)| {
            method.rewrite(&method.rewrite_receiver(), &arguments_source(call, self.receiver), call.arguments.len())
        });
        rewritten.unwrap_or_else(|| self.receiver.to_owned())
    }
}

/// Returns the call that replaces a property such as `http.host.length`.
pub(super) fn rewrite_property(name: &str) -> Option<String> {
    let method = Method::parse(name)?;
    let lower = method.name.to_ascii_lowercase();
    let function = find_function_by_foreign_name(&lower).or_else(|| find_function_ignoring_underscores(&lower))?;
    let is_unary = schema::function(function)?.params.iter().skip(1).all(|param| param.optional);
    is_unary.then(|| method.rewrite_as_call(function, &method.rewrite_receiver(), ""))?
}

/// Returns the function whose name is equal, ignoring underscores: `urldecode`.
fn find_function_ignoring_underscores(lower: &str) -> Option<&'static str> {
    let is_same = |name: &str| name.bytes().filter(|byte| *byte != b'_').eq(lower.bytes().filter(|byte| *byte != b'_'));
    schema::FUNCTIONS.iter().map(|function| function.name).find(|name| is_same(name))
}

/// Returns the text between the parentheses of a call.
fn arguments_source(call: &Call, source: &str) -> String {
    Span::new(call.span.start + 1, call.span.end.saturating_sub(1)).text(source).trim().to_owned()
}
