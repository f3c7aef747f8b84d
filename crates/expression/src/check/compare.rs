//! Checks of comparisons: the valid operands of each operator.

use super::{
    Checker, ValueType,
    condition::{excerpt, is_boolean},
    list::is_list_name,
    literal::{LiteralContext, missing_quotes_error, string_text, value_type_error},
    name::undocumented_hint,
};
use crate::{
    Scalar, Type,
    ast::{Comparison, ComparisonOperator as Op, ExprKind, Literal, LiteralKind, Value},
    code, edit, number,
    schema::{self, PlanRequirement, Presence, Tier},
};
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span};

impl Checker<'_> {
    /// Returns the type of a comparison: Boolean, or an array of Booleans if its left side has `[*]`.
    pub(super) fn check_comparison(&mut self, comparison: &Comparison, span: Span) -> Option<Type> {
        let previous_error_count = self.error_count;
        match self.check_left_operand(comparison, span) {
            // The parser already reported the missing operator.
            Some(_) if comparison.operator_span.start == comparison.operator_span.end => None,
            Some(left) => {
                self.check_operator_and_right(comparison, left, span);
                let is_valid = self.error_count == previous_error_count;
                is_valid.then_some(if left.maps_each { Type::BOOLEAN.array() } else { Type::BOOLEAN })
            }
            None => {
                self.check_right_without_left(comparison);
                None
            }
        }
    }

    fn check_left_operand(&mut self, comparison: &Comparison, span: Span) -> Option<ValueType> {
        match &comparison.left.kind {
            ExprKind::Value(value) => {
                self.check_value_in_comparison(value, comparison.left.span, Some((comparison, span)))
            }
            ExprKind::Literal(literal) if !matches!(literal.kind, LiteralKind::Invalid) => {
                self.report(self.literal_on_left_error(comparison, span));
                None
            }
            ExprKind::Group(_) | ExprKind::Logical(_) | ExprKind::Not(_) | ExprKind::Comparison(_) => {
                self.check_condition(&comparison.left);
                self.report(
                    Diagnostic::error(code::OPERATOR_TYPE, comparison.operator_span, "a condition cannot be compared")
                        .with_help("combine conditions with `and`, `or` or `xor`"),
                );
                None
            }
            _ => None,
        }
    }

    fn literal_on_left_error(&self, comparison: &Comparison, span: Span) -> Diagnostic {
        let diagnostic = Diagnostic::error(
            code::LITERAL_ON_LEFT,
            comparison.left.span,
            "the left side of a comparison must be a field or a call, not a literal",
        );
        let mirrored = match comparison.operator {
            Op::Equal | Op::NotEqual | Op::BitwiseAnd => self.text(comparison.operator_span),
            Op::Less => "gt",
            Op::LessOrEqual => "ge",
            Op::Greater => "lt",
            Op::GreaterOrEqual => "le",
            _ => return diagnostic,
        };
        if !matches!(comparison.right.kind, ExprKind::Value(_)) {
            return diagnostic;
        }
        let swapped = format!("{} {mirrored} {}", self.text(comparison.right.span), self.text(comparison.left.span));
        diagnostic.with_fix(Fix::safe_edits("swap the sides", vec![Edit::replace(span, swapped)]))
    }

    /// Checks those parts of a right side that do not depend on the left side, which has an error.
    fn check_right_without_left(&mut self, comparison: &Comparison) {
        match (&comparison.right.kind, comparison.operator) {
            (ExprKind::Literal(literal), Op::Matches) => self.check_pattern(literal),
            (ExprKind::Value(value), _) if value.call.is_some() || schema::field(&value.name.text).is_some() => {
                self.check_value(value, comparison.right.span);
            }
            _ => {}
        }
    }

    fn check_operator_and_right(&mut self, comparison: &Comparison, left: ValueType, span: Span) {
        if left.ty.is_compatible_with(Type::BOOLEAN) {
            self.report(self.boolean_comparison_error(comparison, span));
            return;
        }
        if !left.ty.is_scalar() {
            self.report(self.container_comparison_error(comparison, left, span));
            return;
        }
        if !supports_operator(comparison.operator, left.ty.scalar) {
            let operator = self.text(comparison.operator_span);
            self.report(
                Diagnostic::error(
                    code::OPERATOR_TYPE,
                    comparison.operator_span,
                    format!("`{operator}` cannot be used with {}", left.ty),
                )
                .with_related(comparison.left.span, format!("this is {}", left.ty))
                .with_help(format!("{} supports {}", left.ty, operator_names(left.ty.scalar))),
            );
            return;
        }
        if comparison.operator == Op::Matches {
            self.require_plan(PlanRequirement::Tier(Tier::Business), comparison.operator_span, "a regular expression");
        }
        if !is_documented(comparison.operator, left.ty.scalar) {
            let operator = self.text(comparison.operator_span);
            self.report(undocumented_hint(comparison.operator_span, &format!("`{operator}` on {}", left.ty)));
        }
        match &comparison.right.kind {
            ExprKind::Set(items) if comparison.operator == Op::In => {
                self.check_set(items, left.ty);
            }
            ExprKind::List(list) if comparison.operator == Op::In => {
                self.check_list(&list.name, comparison.right.span, left.ty)
            }
            ExprKind::Set(_) | ExprKind::List(_) => self.report(self.set_after_comparison_error(comparison)),
            ExprKind::Literal(literal) => self.check_right_literal(comparison, literal, left.ty),
            ExprKind::Value(value) => self.check_right_value(comparison, value, left),
            _ => {}
        }
    }

    fn boolean_comparison_error(&self, comparison: &Comparison, span: Span) -> Diagnostic {
        let left = self.text(comparison.left.span);
        let diagnostic = Diagnostic::error(
            code::BOOLEAN_COMPARISON,
            comparison.operator_span.to(comparison.right.span),
            format!("`{}` is already true or false and takes no operator", excerpt(left)),
        );
        let right = match self.text(comparison.right.span).trim_matches(['"', '\'']) {
            "true" | "1" => true,
            "false" | "0" => false,
            _ => return diagnostic.with_help("use it on its own, or put `not` before it"),
        };
        let tests_for_true = match comparison.operator {
            Op::Equal => right,
            Op::NotEqual => !right,
            _ => return diagnostic.with_help("use it on its own, or put `not` before it"),
        };
        let tail = edit::delete(self.source, Span::new(comparison.left.span.end, comparison.right.span.end));
        if tests_for_true {
            return diagnostic.with_fix(Fix::safe_edits("use the field on its own", vec![tail]));
        }
        diagnostic.with_fix(Fix::safe_edits("add `not` before it", vec![Edit::insert(span.start, "not "), tail]))
    }

    fn container_comparison_error(&self, comparison: &Comparison, left: ValueType, span: Span) -> Diagnostic {
        let operator = self.text(comparison.operator_span);
        let value = self.text(comparison.left.span);
        let index = match left.ty.container() {
            Some(crate::Container::Map) => "[\"…\"]",
            _ => "[0]",
        };
        let fixes = if left.maps_each { Vec::new() } else { self.array_fixes(comparison, left.ty, span) };
        Diagnostic::error(
            code::OPERATOR_TYPE,
            comparison.operator_span,
            format!("`{operator}` cannot be used with {}", left.ty),
        )
        .with_related(comparison.left.span, format!("this is {}", left.ty))
        .with_help(format!(
            "select one value with `{value}{index}`, or test every value with `any({value}[*] {operator} …)`"
        ))
        .with_fixes(fixes)
    }

    fn set_after_comparison_error(&self, comparison: &Comparison) -> Diagnostic {
        let operator = self.text(comparison.operator_span);
        let diagnostic = Diagnostic::error(
            code::SET_AFTER_COMPARISON,
            comparison.operator_span,
            format!("`{operator}` takes a single value; a set or list needs `in`"),
        );
        match comparison.operator {
            Op::Equal => {
                let edits = vec![Edit::replace(comparison.operator_span, "in")];
                // `$HOST` is a variable of another language, not a list.
                let is_set = match &comparison.right.kind {
                    ExprKind::List(list) => is_list_name(&list.name),
                    _ => true,
                };
                diagnostic.with_fix(match is_set {
                    true => Fix::safe_edits("use `in`", edits),
                    false => Fix::unsafe_edits("use `in`", edits),
                })
            }
            Op::NotEqual => diagnostic.with_fix(not_in_fix(comparison, "use `not … in`", Vec::new())),
            _ => diagnostic,
        }
    }

    fn check_right_literal(&mut self, comparison: &Comparison, literal: &Literal, left: Type) {
        match comparison.operator {
            Op::In => self.report_in_without_set(comparison.operator_span, literal, left),
            Op::Matches => self.check_pattern(literal),
            Op::Wildcard | Op::StrictWildcard => match &literal.kind {
                LiteralKind::Quoted(bytes) => self.check_wildcard(bytes, literal.span),
                LiteralKind::Raw(text) => self.check_wildcard(text.as_bytes(), literal.span),
                LiteralKind::Unquoted(word) => {
                    self.report(missing_quotes_error(literal.span, word, self.is_whole_literal(literal.span)))
                }
                _ => {}
            },
            Op::Equal | Op::NotEqual => {
                let problem_count = self.diagnostics.listed().len();
                self.check_literal(literal, left, LiteralContext::Single);
                let network = self
                    .diagnostics
                    .listed_mut()
                    .get_mut(problem_count)
                    .filter(|found| found.code == code::NETWORK_AFTER_COMPARISON);
                if let Some(diagnostic) = network {
                    diagnostic.fixes.push(network_fix(comparison, literal));
                }
            }
            _ => self.check_literal(literal, left, LiteralContext::Single),
        }
    }

    fn check_pattern(&mut self, literal: &Literal) {
        match &literal.kind {
            LiteralKind::Regex(pattern) | LiteralKind::Raw(pattern) => self.check_regex(pattern, literal.span),
            LiteralKind::Quoted(_) => self.check_regex(&string_text(literal), literal.span),
            LiteralKind::Unquoted(word) => {
                let is_clear = self.is_whole_literal(literal.span) && !word.contains('*');
                self.report(missing_quotes_error(literal.span, word, is_clear))
            }
            LiteralKind::Invalid => {}
        }
    }

    /// Checks a field or call on the right side (accepted by the product since 2026-10), or a bare word that is
    /// probably a literal.
    fn check_right_value(&mut self, comparison: &Comparison, value: &Value, left: ValueType) {
        let span = comparison.right.span;
        let is_bare_word = value.call.is_none() && value.indexes.is_empty();
        let is_field = schema::field(&value.name.text).is_some();
        if is_bare_word && !is_field {
            if left.ty.is_text()
                && number::parse_bytes(&value.name.text).is_some()
                && !matches!(comparison.operator, Op::Matches | Op::Wildcard | Op::StrictWildcard)
            {
                return;
            }
            if is_boolean(&value.name.text) || !self.looks_like_field(&value.name.text) {
                self.report_missing_quotes(comparison, &value.name.text, left.ty);
                return;
            }
        }
        if comparison.operator == Op::In {
            self.report(
                Diagnostic::error(
                    code::IN_WITHOUT_SET,
                    span,
                    format!(
                        "expected a set `{{…}}` or a list `$name` after `in`, found `{}`",
                        excerpt(self.text(span))
                    ),
                )
                .with_help("to compare with another field, use `eq`"),
            );
            return;
        }
        let Some(right) = self.check_value(value, span) else { return };
        let accepts_values = matches!(
            comparison.operator,
            Op::Equal | Op::NotEqual | Op::Less | Op::LessOrEqual | Op::Greater | Op::GreaterOrEqual
        );
        if !accepts_values {
            let operator = self.text(comparison.operator_span);
            self.report(
                Diagnostic::error(code::VALUE_TYPE, span, format!("the right side of `{operator}` must be a literal"))
                    .with_help("only `eq`, `ne`, `lt`, `le`, `gt`, and `ge` can compare with another field"),
            );
        } else if right.maps_each {
            self.report(
                Diagnostic::error(
                    code::MISPLACED_MAP_EACH,
                    span,
                    "`[*]` is not allowed on the right side of an operator",
                )
                .with_help("swap the sides, so that the value with `[*]` is on the left"),
            );
        } else if !right.ty.is_compatible_with(left.ty) {
            self.report(
                Diagnostic::error(code::VALUE_TYPE, span, format!("{} cannot be compared with {}", left.ty, right.ty))
                    .with_label(format!("this is {}", right.ty))
                    .with_related(comparison.left.span, format!("this is {}", left.ty)),
            );
        }
    }

    fn looks_like_field(&mut self, name: &str) -> bool {
        name.contains('.') && !self.find_similar_names(name, schema::FIELDS.iter().map(|field| field.name)).is_empty()
    }

    /// Reports a bare word on the right side that is not a field.
    fn report_missing_quotes(&mut self, comparison: &Comparison, word: &str, left: Type) {
        let span = comparison.right.span;
        let literal = Literal { kind: LiteralKind::Unquoted(word.into()), span };
        if comparison.operator == Op::In {
            self.report_in_without_set(comparison.operator_span, &literal, left);
        } else if left.is_text() {
            let takes_stars = matches!(comparison.operator, Op::Wildcard | Op::StrictWildcard);
            // A misspelled field is not a string: `http.host eq httphost`.
            let is_clear = self.is_whole_literal(span)
                && (takes_stars || !word.contains('*'))
                && self.find_similar_names(word, schema::FIELDS.iter().map(|field| field.name)).is_empty();
            self.report(missing_quotes_error(span, word, is_clear));
        } else if left.is_compatible_with(Type::INTEGER) && !is_boolean(word) {
            self.check_literal(&literal, left, LiteralContext::Single);
        } else {
            self.report(value_type_error(span, word, left));
        }
    }
}

/// Returns whether the operator applies to values of this type (observed in the open-source engine).
fn supports_operator(operator: Op, scalar: Scalar) -> bool {
    match operator {
        Op::Equal | Op::NotEqual | Op::Less | Op::LessOrEqual | Op::Greater | Op::GreaterOrEqual | Op::In => {
            scalar != Scalar::Boolean
        }
        Op::Contains | Op::Matches | Op::Wildcard | Op::StrictWildcard => {
            matches!(scalar, Scalar::String | Scalar::Bytes)
        }
        Op::BitwiseAnd => scalar == Scalar::Integer,
    }
}

/// Returns whether the operator is documented for values of this type. `&` and the order of IP addresses are not
/// documented, but the open-source engine has both (assumption authority).
fn is_documented(operator: Op, scalar: Scalar) -> bool {
    let is_ordering = matches!(operator, Op::Less | Op::LessOrEqual | Op::Greater | Op::GreaterOrEqual);
    operator != Op::BitwiseAnd && !(is_ordering && scalar == Scalar::Ip)
}

fn operator_names(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::String | Scalar::Bytes => "eq, ne, lt, le, gt, ge, contains, matches, wildcard, strict wildcard and in",
        Scalar::Integer => "eq, ne, lt, le, gt, ge, in and &",
        Scalar::Ip => "eq, ne, lt, le, gt, ge, and in",
        Scalar::Boolean => "no operator",
    }
}

/// Returns a fix that replaces `ne` by `not … in`. For a missing value, `ne` is false and `not … in` is true. The fix
/// is therefore safe only for a field that is never missing.
fn not_in_fix(comparison: &Comparison, title: &str, other_edits: Vec<Edit>) -> Fix {
    let mut edits =
        vec![Edit::insert(comparison.left.span.start, "not "), Edit::replace(comparison.operator_span, "in")];
    edits.extend(other_edits);
    let is_present = match &comparison.left.kind {
        ExprKind::Value(Value { name, call: None, indexes }) if indexes.is_empty() => {
            schema::field(&name.text).is_some_and(|field| field.presence == Presence::Always)
        }
        _ => false,
    };
    match is_present {
        true => Fix::safe_edits(title, edits),
        false => Fix::unsafe_edits(title, edits),
    }
}

fn network_fix(comparison: &Comparison, literal: &Literal) -> Fix {
    let set = Edit::replace(literal.span, format!("{{{}}}", string_text(literal)));
    if comparison.operator == Op::Equal {
        return Fix::safe_edits("use `in {…}`", vec![Edit::replace(comparison.operator_span, "in"), set]);
    }
    not_in_fix(comparison, "use `not … in {…}`", vec![set])
}
