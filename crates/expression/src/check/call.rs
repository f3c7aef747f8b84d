//! Checks of calls: the number, kind, type and value of arguments.

use super::{
    Checker, ValueType,
    foreign_syntax::unknown_function_error,
    name::{join_types, undocumented_hint},
};
use crate::{
    Type,
    ast::{Call, Expr, ExprKind, IndexKind, Literal, LiteralKind, Name},
    code, number,
    schema::{self, AcceptedType, ArgumentKind, Certainty, Constraint, Function, Param, ReturnType},
};
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span};

/// An argument with its type.
struct Argument<'e> {
    typed: ValueType,
    literal: Option<&'e Literal>,
}

impl Checker<'_> {
    /// Returns the type of a call. Arguments are checked even if the function is unknown.
    pub(super) fn check_call(&mut self, name: &Name, call: &Call) -> Option<Type> {
        let Some(function) = schema::function(&name.text) else {
            // `strings.lower` and `http.host.lower` both mean `lower`.
            let base_name = name.text.rsplit('.').next().unwrap_or_default();
            let candidates = self.find_similar_names(base_name, schema::FUNCTIONS.iter().map(|function| function.name));
            self.report(unknown_function_error(name, call, &candidates, self.source));
            for argument in &call.arguments {
                self.check_argument_without_param(argument);
            }
            return None;
        };
        self.check_function_phase(function, name.span);
        if let Some(needs) = function.needs {
            self.require_plan(needs, name.span, &format!("`{}`", function.name));
        }
        if function.certainty == Certainty::Unconfirmed {
            self.report(undocumented_hint(name.span, &format!("`{}`", function.name)));
        }
        let has_valid_count = self.check_argument_count(function, name, call);
        if function.once_per_expression {
            self.check_used_once(function.name, name.span.to(call.span));
        }
        self.check_arguments(function, call).filter(|_| has_valid_count)
    }

    fn check_argument_count(&mut self, function: &Function, name: &Name, call: &Call) -> bool {
        let min_arguments = function.params.iter().filter(|param| !param.optional).count();
        let is_variadic = function.params.last().is_some_and(|param| param.variadic);
        let max_arguments =
            if is_variadic { function.max_arguments.unwrap_or(usize::MAX) } else { function.params.len() };
        let actual_count = call.arguments.len();
        let has_invalid = call.arguments.iter().any(|argument| matches!(argument.kind, ExprKind::Invalid));
        if (min_arguments..=max_arguments).contains(&actual_count) || has_invalid {
            return true;
        }
        let noun = |count: usize| if count == 1 { "argument" } else { "arguments" };
        let expected = match (min_arguments, max_arguments) {
            (min_arguments, max_arguments) if min_arguments == max_arguments => {
                format!("{min_arguments} {}", noun(min_arguments))
            }
            (min_arguments, usize::MAX) => format!("at least {min_arguments} {}", noun(min_arguments)),
            (min_arguments, max_arguments) => format!("{min_arguments} to {max_arguments} arguments"),
        };
        self.report(
            Diagnostic::error(
                code::ARGUMENT_COUNT,
                name.span.to(call.span),
                format!("`{}` takes {expected}, found {actual_count}", function.name),
            )
            .with_help(format!("the signature is `{}`", format_signature(function))),
        );
        false
    }

    fn check_arguments(&mut self, function: &'static Function, call: &Call) -> Option<Type> {
        let mut first = None;
        let mut maps_each = false;
        let mut are_valid = true;
        for (index, expr) in call.arguments.iter().enumerate() {
            let param = function.params.get(index).or(function.params.last().filter(|param| param.variadic));
            let Some(param) = param else {
                self.check_argument_without_param(expr);
                continue;
            };
            let Some(argument) = self.check_argument(function, param, expr, index, first) else {
                are_valid = false;
                continue;
            };
            if param.constraint == Some(Constraint::GreaterThanFirst) {
                self.check_greater_than_first(function, param, call.arguments.first(), expr);
            }
            if index == 0 {
                first = Some(argument.typed.ty);
                maps_each = argument.typed.maps_each && function.maps_each;
            }
        }
        let returns = match function.returns {
            ReturnType::Type(ty) => ty,
            ReturnType::SameAsFirst => first?,
        };
        // A call with an invalid argument has no type, so that no further error is reported.
        are_valid.then_some(if maps_each { returns.array() } else { returns })
    }

    fn check_argument<'e>(
        &mut self,
        function: &Function,
        param: &'static Param,
        expr: &'e Expr,
        index: usize,
        first: Option<Type>,
    ) -> Option<Argument<'e>> {
        let argument = self.infer_argument_type(param, expr, first)?;
        if argument.typed.maps_each && !(index == 0 && function.maps_each) {
            self.report(self.misplaced_map_each_error(function, expr, index));
            return None;
        }
        let violated_requirement = match (param.kind, argument.literal) {
            (ArgumentKind::Literal, None) => Some("must be a literal"),
            (ArgumentKind::Computed, Some(_)) => Some("must be a field or a call, not a literal"),
            _ => None,
        };
        if let Some(requirement) = violated_requirement {
            self.report(Diagnostic::error(
                code::ARGUMENT_KIND,
                expr.span,
                format!("the argument `{}` of `{}` {requirement}", param.name, function.name),
            ));
            return None;
        }
        if !param.accepts.iter().any(|accept| accept.accepts(argument.typed.ty, first)) {
            self.report(argument_type_error(function, param, expr, &argument, first));
            return None;
        }
        if let (Some(literal), Some(constraint)) = (argument.literal, param.constraint) {
            self.check_constraint(function, param, literal, constraint);
        }
        if let Some(Constraint::OneOfFields(fields)) = param.constraint {
            self.check_allowed_field(function, param, expr, fields);
        }
        Some(argument)
    }

    /// Returns the type of an argument, and reports errors inside the argument. Whether the parameter accepts the type
    /// is checked afterwards.
    fn infer_argument_type<'e>(&mut self, param: &Param, expr: &'e Expr, first: Option<Type>) -> Option<Argument<'e>> {
        let computed = |typed| Some(Argument { typed, literal: None });
        match &expr.kind {
            ExprKind::Literal(literal) => {
                let ty = self.infer_literal_argument(param, literal, first)?;
                Some(Argument { typed: ValueType::scalar(ty), literal: Some(literal) })
            }
            ExprKind::Value(value) => computed(self.check_value(value, expr.span)?),
            ExprKind::Invalid | ExprKind::Set(_) | ExprKind::List(_) => None,
            ExprKind::Logical(logical) => {
                let ty = self.check_condition(expr)?;
                let is_accepted = param.accepts.iter().any(|accept| accept.accepts(ty, first));
                if let Some(operand) =
                    logical.operands.first().filter(|operand| is_accepted && !starts_condition(operand))
                {
                    self.report(compound_argument_error(expr.span, operand.span));
                }
                computed(ValueType::scalar(ty))
            }
            _ => computed(ValueType::scalar(self.check_condition(expr)?)),
        }
    }

    fn infer_literal_argument(&mut self, param: &Param, literal: &Literal, first: Option<Type>) -> Option<Type> {
        let word = match &literal.kind {
            LiteralKind::Quoted(_) | LiteralKind::Raw(_) | LiteralKind::Regex(_) => return Some(Type::STRING),
            LiteralKind::Invalid => return None,
            LiteralKind::Unquoted(word) => word,
        };
        let is_accepted = |ty: Type| param.accepts.iter().any(|accept| accept.accepts(ty, first));
        if let Some(diagnostic) = super::literal::ambiguous_argument_error(word, literal.span, is_accepted) {
            self.report(diagnostic);
            return None;
        }
        if is_accepted(Type::INTEGER)
            && word.starts_with(|c: char| c.is_ascii_digit() || c == '-')
            && !word.contains(['.', ':'])
        {
            self.check_literal(literal, Type::INTEGER, super::literal::LiteralContext::Single);
            return number::parse_integer(word).ok().map(|_| Type::INTEGER);
        }
        if word.parse::<std::net::IpAddr>().is_ok() {
            return Some(Type::IP);
        }
        if number::parse_integer(word).is_ok() {
            return Some(Type::INTEGER);
        }
        if number::parse_bytes(word).is_some() {
            return Some(Type::BYTES);
        }
        if is_accepted(Type::INTEGER) && !is_accepted(Type::STRING) {
            self.check_literal(literal, Type::INTEGER, super::literal::LiteralContext::Single);
        } else {
            let is_clear = self.is_whole_literal(literal.span) || self.text_after(literal.span).starts_with(',');
            self.check_bytes_literal(word, literal.span, is_clear);
        }
        None
    }

    /// Checks an argument that has no parameter because the function is unknown or takes fewer arguments. Errors inside
    /// the argument do not depend on the function.
    fn check_argument_without_param(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Value(value) => {
                self.check_value(value, expr.span);
            }
            ExprKind::Logical(_) | ExprKind::Not(_) | ExprKind::Group(_) | ExprKind::Comparison(_) => {
                self.check_condition(expr);
            }
            ExprKind::Literal(_) | ExprKind::Set(_) | ExprKind::List(_) | ExprKind::Invalid => {}
        }
    }

    fn misplaced_map_each_error(&self, function: &Function, expr: &Expr, index: usize) -> Diagnostic {
        let message = if index == 0 {
            format!("`{}` takes a whole array, without `[*]`", function.name)
        } else {
            format!("`[*]` is only allowed in the first argument of `{}`", function.name)
        };
        let diagnostic = Diagnostic::error(code::MISPLACED_MAP_EACH, expr.span, message);
        if function.semantics.quantifier.is_some() {
            return diagnostic.with_help(format!("compare the values: `{}(…[*] eq \"…\")`", function.name));
        }
        let map_each = match &expr.kind {
            ExprKind::Value(value) => value.indexes.last().filter(|index| index.kind == IndexKind::Each),
            _ => None,
        };
        match map_each {
            Some(map_each) if index == 0 => {
                diagnostic.with_fix(Fix::safe_edits("remove `[*]`", vec![Edit::delete(map_each.span)]))
            }
            _ => diagnostic,
        }
    }

    /// Records a call of a function that an expression may use only once. Reports a second call, and a call inside a
    /// call of another such function.
    fn check_used_once(&mut self, name: &'static str, span: Span) {
        let earlier = self
            .once_only_calls
            .iter()
            .find(|(earlier, call)| *earlier == name || (call.start < span.start && span.end <= call.end));
        if let Some((earlier, call)) = earlier.copied() {
            let message = if earlier == name {
                format!("`{name}` can be used only once in an expression")
            } else {
                format!("`{name}` cannot be nested in `{earlier}`")
            };
            self.report(
                Diagnostic::error(code::REPEATED_FUNCTION, span, message).with_related(call, "first used here"),
            );
            return;
        }
        self.once_only_calls.push((name, span));
    }
}

/// Returns whether an argument that starts with this operand is parsed as a whole condition rather than as one
/// comparison (observed in the open-source engine).
fn starts_condition(operand: &Expr) -> bool {
    match &operand.kind {
        ExprKind::Group(_) | ExprKind::Not(_) => true,
        ExprKind::Value(value) => value.call.is_some() && is_quantifier(&value.name),
        _ => false,
    }
}

fn is_quantifier(name: &Name) -> bool {
    schema::function(&name.text).is_some_and(|function| function.semantics.quantifier.is_some())
}

fn compound_argument_error(span: Span, first: Span) -> Diagnostic {
    let edits = vec![Edit::insert(span.start, "("), Edit::insert(span.end, ")")];
    Diagnostic::error(code::COMPOUND_ARGUMENT, span, "several conditions in one argument need parentheses around them")
        .with_related(first, "the argument ends after this comparison")
        .with_fix(Fix::safe_edits("add parentheses", edits))
}

fn argument_type_error(
    function: &Function,
    param: &Param,
    expr: &Expr,
    argument: &Argument<'_>,
    first: Option<Type>,
) -> Diagnostic {
    let expected: Vec<String> = param
        .accepts
        .iter()
        .map(|accept| match accept {
            AcceptedType::Type(ty) => join_types(&[*ty]),
            AcceptedType::Anything => "any value".to_owned(),
            AcceptedType::AnyArray => "an array".to_owned(),
            AcceptedType::AnyMap => "a map".to_owned(),
            AcceptedType::CollectionOfScalars => "an array or map of scalars".to_owned(),
            AcceptedType::SameAsFirst => {
                first.map_or_else(|| "the first argument's type".to_owned(), |ty| ty.to_string())
            }
            AcceptedType::ElementOfFirst => {
                first.map_or_else(|| "an element's type".to_owned(), |ty| ty.element().to_string())
            }
        })
        .collect();
    let actual_type = argument.typed.ty;
    let diagnostic = Diagnostic::error(
        code::ARGUMENT_TYPE,
        expr.span,
        format!(
            "the argument `{}` of `{}` must be {}, found {actual_type}",
            param.name,
            function.name,
            expected.join(" or ")
        ),
    );
    if function.semantics.quantifier.is_some() {
        return diagnostic.with_help(format!(
            "pass a comparison of many values, such as `{}(http.request.headers.names[*] eq \"…\")`",
            function.name
        ));
    }
    diagnostic
}

/// Formats the signature of a function for users: `split(input, separator, limit)`.
pub(crate) fn format_signature(function: &Function) -> String {
    let params: Vec<String> = function
        .params
        .iter()
        .map(|param| {
            let ellipsis = if param.variadic { "…" } else { "" };
            let question_mark = if param.optional { "?" } else { "" };
            format!("{}{question_mark}{ellipsis}", param.name)
        })
        .collect();
    format!("{}({})", function.name, params.join(", "))
}
