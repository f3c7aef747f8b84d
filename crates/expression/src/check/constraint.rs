//! Checks of arguments against the constraints of their parameters.

use super::{Checker, condition::excerpt, literal::string_text};
use crate::{
    ast::{Expr, ExprKind, Literal},
    code, number,
    schema::{Constraint, Function, Param},
};
use zonewright_diagnostic::Diagnostic;

/// The maximum number of `${n}` references in a replacement (documented).
const MAX_REPLACEMENT_REFERENCES: usize = 8;

impl Checker<'_> {
    /// Checks a literal argument against the constraint of its parameter.
    pub(super) fn check_constraint(
        &mut self,
        function: &Function,
        param: &Param,
        literal: &Literal,
        constraint: Constraint,
    ) {
        let text = string_text(literal);
        let expected = match constraint {
            Constraint::Range(low, high) => match number::parse_integer(&text) {
                Ok(value) if (low..=high).contains(&value) => None,
                _ => Some(format!("a number from {low} to {high}")),
            },
            Constraint::NonEmpty => text.is_empty().then(|| "a non-empty string".to_owned()),
            Constraint::Flags(flags) => {
                let are_known = text.chars().all(|letter| flags.iter().any(|(flag, _)| flag.starts_with(letter)));
                let are_unique = flags.iter().all(|(flag, _)| text.matches(flag).count() <= 1);
                let listed: Vec<String> = flags.iter().map(|(flag, _)| format!("`{flag}`")).collect();
                (!are_known || !are_unique).then(|| match listed.as_slice() {
                    [flag] => format!("empty or the flag {flag}"),
                    flags => format!("a combination of the flags {}, each at most once", flags.join(" and ")),
                })
            }
            Constraint::Wildcard => {
                self.check_wildcard(text.as_bytes(), literal.span);
                None
            }
            Constraint::Regex => {
                self.check_regex(&text, literal.span);
                None
            }
            Constraint::Replacement => {
                let exceeds_limit = text.replace("$$", "").matches("${").count() > MAX_REPLACEMENT_REFERENCES;
                exceeds_limit
                    .then(|| format!("a string with at most {MAX_REPLACEMENT_REFERENCES} references such as `${{1}}`"))
            }
            Constraint::GreaterThanFirst | Constraint::OneOfFields(_) => None,
        };
        if let Some(expected) = expected {
            self.report(Diagnostic::error(
                code::ARGUMENT_VALUE,
                literal.span,
                format!(
                    "the argument `{}` of `{}` must be {expected}, found `{}`",
                    param.name,
                    function.name,
                    excerpt(self.text(literal.span))
                ),
            ));
        }
    }

    /// Checks that an integer argument is greater than the first argument. Otherwise the range of `hash_in_range` would
    /// be empty, because it excludes its end.
    pub(super) fn check_greater_than_first(
        &mut self,
        function: &Function,
        param: &Param,
        first: Option<&Expr>,
        expr: &Expr,
    ) {
        let integer = |expr: &Expr| match &expr.kind {
            ExprKind::Literal(literal) => number::parse_integer(&string_text(literal)).ok(),
            _ => None,
        };
        let (Some(low), Some(high)) = (first.and_then(integer), integer(expr)) else { return };
        if high <= low {
            self.report(Diagnostic::error(
                code::ARGUMENT_VALUE,
                expr.span,
                format!(
                    "the argument `{}` of `{}` must be greater than {low}, found {high}",
                    param.name, function.name
                ),
            ));
        }
    }

    /// Checks that an argument is one of the fields that the function accepts.
    pub(super) fn check_allowed_field(&mut self, function: &Function, param: &Param, expr: &Expr, fields: &[&str]) {
        let is_allowed = match &expr.kind {
            ExprKind::Value(value) => value.call.is_none() && fields.contains(&value.name.text.as_str()),
            _ => false,
        };
        if !is_allowed {
            let names: Vec<String> = fields.iter().map(|name| format!("`{name}`")).collect();
            self.report(Diagnostic::error(
                code::ARGUMENT_VALUE,
                expr.span,
                format!("the argument `{}` of `{}` must be one of {}", param.name, function.name, names.join(", ")),
            ));
        }
    }
}
