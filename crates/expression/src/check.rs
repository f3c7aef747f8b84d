//! Semantic analysis: resolves names, checks types and literals, and applies phase and plan.
//!
//! Start with [`check()`] and `Checker`. A single pass over the syntax tree reports everything.
//!
//! Invariant: one cause, one diagnostic. A node with an error has no type (`None`), and nodes that depend on it report
//! nothing.

mod call;
mod compare;
mod condition;
mod constraint;
mod foreign_syntax;
mod list;
mod literal;
mod map_entry;
mod name;
mod regex;
mod set;
#[cfg(test)]
mod tests;

pub use list::is_list_name;

use crate::{
    Kind, Options, Program, Type,
    ast::{Expr, ExprKind, Value},
    code,
    lint::{collect_lints, lint_valid_subtrees},
    parse::{Syntax, parse_syntax},
    schema::Field,
};
use zonewright_diagnostic::{Applicability, Diagnostic, Edit, Fix, Problems, Span, find_similar, group_digits};

/// The maximum number of searches for similar names of fields, functions and lists per source.
const MAX_SUGGESTION_LOOKUPS: usize = 64;

/// The result of [`check()`].
#[derive(Clone, Debug)]
pub struct CheckOutput {
    /// The program; `None` if there is an error.
    pub program: Option<Program>,
    /// The diagnostics, in source order. At most 1,000 are listed, errors first; an additional diagnostic counts
    /// the others.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses and checks an expression.
pub fn check(source: &str, options: &Options) -> CheckOutput {
    check_syntax(source, parse_syntax(source), options)
}

/// Checks a source that is already parsed.
pub(crate) fn check_syntax(source: &str, syntax: Syntax, options: &Options) -> CheckOutput {
    let Syntax { ast, problems } = syntax;
    let mut checker = Checker::new(source, options, problems);
    checker.check_length();
    let ty = ast.as_ref().and_then(|ast| checker.check_root(ast));
    let mut problems = checker.diagnostics;
    let has_errors = problems.has_errors();
    if has_errors {
        downgrade_ambiguous_fixes(problems.listed_mut());
    }
    let subtree_lints = ast.as_ref().filter(|_| has_errors && options.lint.is_some());
    let subtree_lints =
        subtree_lints.and_then(|ast| lint_valid_subtrees(source, ast, problems.sorted_if_complete()?, options));
    let program = match (ast, ty) {
        (Some(ast), Some(ty)) if !has_errors => Some(Program::new(ast, options.kind, ty)),
        _ => None,
    };
    let linted_program = program.as_ref().filter(|_| options.lint.is_some());
    let lints = linted_program.map(|program| collect_lints(source, program, options)).or(subtree_lints);
    if let Some(lints) = lints {
        problems.append(lints);
    }
    CheckOutput { program, diagnostics: problems.into_diagnostics(code::TOO_MANY_DIAGNOSTICS) }
}

/// Makes a fix unsafe if it relies on one reading of the text and another error makes that reading doubtful. For
/// example, `notice` may be a misspelled name rather than `not ice`. Two arguments without a comma may lack an operator
/// instead. `a=1&b=2` may be a string without quotes.
fn downgrade_ambiguous_fixes(diagnostics: &mut [Diagnostic]) {
    let has_other_error =
        diagnostics.iter().any(|diagnostic| diagnostic.is_error() && diagnostic.code != code::MISSING_COMMA);
    let has_unknown_name =
        diagnostics.iter().any(|diagnostic| matches!(diagnostic.code, code::UNKNOWN_FIELD | code::MISSING_QUOTES));
    let is_ambiguous = |diagnostic: &&mut Diagnostic| match diagnostic.code {
        code::UNSPACED_OPERATOR => true,
        code::MISSING_COMMA => has_other_error,
        code::SINGLE_AMPERSAND | code::SINGLE_EQUALS => has_unknown_name,
        _ => false,
    };
    for fix in diagnostics.iter_mut().filter(is_ambiguous).flat_map(|diagnostic| &mut diagnostic.fixes) {
        fix.applicability = Applicability::Unsafe;
    }
}

/// The type of a value during checking.
#[derive(Clone, Copy, Debug)]
struct ValueType {
    /// The type of the value, or of one element if `maps_each` is set.
    ty: Type,
    /// Whether the value represents many values because of `[*]`.
    maps_each: bool,
}

impl ValueType {
    fn scalar(ty: Type) -> Self {
        ValueType { ty, maps_each: false }
    }

    /// Returns the type of the whole value: an array if `maps_each` is set.
    fn full_type(self) -> Type {
        if self.maps_each { self.ty.array() } else { self.ty }
    }
}

struct Checker<'a> {
    source: &'a str,
    options: &'a Options,
    diagnostics: Problems,
    /// The number of errors that checking has reported so far.
    error_count: usize,
    /// The remaining number of searches for similar names. Each search is slow, and hundreds of suggestions would not
    /// help.
    suggestion_lookups_left: usize,
    /// The last field that was looked up. Long chains often repeat the same field.
    last_field: Option<&'static Field>,
    /// The patterns that were compiled to measure their size, each with whether it is too large.
    regex_size_cache: Vec<(String, bool)>,
    /// The name and span of each accepted call so far of a function that an expression may use only once.
    once_only_calls: Vec<(&'static str, Span)>,
}

impl<'a> Checker<'a> {
    fn new(source: &'a str, options: &'a Options, diagnostics: Problems) -> Self {
        Checker {
            source,
            options,
            diagnostics,
            error_count: 0,
            suggestion_lookups_left: MAX_SUGGESTION_LOOKUPS,
            last_field: None,
            regex_size_cache: Vec::new(),
            once_only_calls: Vec::new(),
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.error_count += usize::from(diagnostic.is_error());
        self.diagnostics.push(diagnostic);
    }

    /// Returns the candidates that resemble the name, or none once no searches are left. Each call counts as a search.
    fn find_similar_names<'n>(&mut self, name: &str, candidates: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
        if self.suggestion_lookups_left == 0 {
            return Vec::new();
        }
        self.suggestion_lookups_left -= 1;
        find_similar(name, candidates)
    }

    fn text(&self, span: Span) -> &'a str {
        span.text(self.source)
    }

    fn check_length(&mut self) {
        let text = self.source.trim();
        // The length in bytes is tested first, because most sources are ASCII and far below the limit.
        if text.len() <= self.options.max_length || self.source.len() > crate::parse::MAX_SOURCE_BYTES {
            return;
        }
        let length = text.chars().count();
        if let Some((offset, _)) = text.char_indices().nth(self.options.max_length) {
            let start = self.source.len() - self.source.trim_start().len() + offset;
            let (length, max_length) = (group_digits(length), group_digits(self.options.max_length));
            self.report(
                Diagnostic::error(
                    code::EXPRESSION_TOO_LONG,
                    Span::new(start, self.source.trim_end().len()),
                    format!("the expression has {length} characters; the limit is {max_length}"),
                )
                .with_label("over the limit from here")
                .with_help("move long sets to a named list, or split the expression into several rules"),
            );
        }
    }

    /// Checks the whole expression. Returns its type, or `None` if it has an error.
    fn check_root(&mut self, ast: &Expr) -> Option<Type> {
        match self.options.kind {
            Kind::Expression | Kind::Counting => self.check_root_condition(ast),
            Kind::Value => self.check_root_value(ast),
        }
    }

    fn check_root_condition(&mut self, ast: &Expr) -> Option<Type> {
        // `true` is not a literal, but it is valid as a whole expression (assumption true).
        if is_bare_name(ast, "true") {
            return Some(Type::BOOLEAN);
        }
        if let ExprKind::Value(Value { name, call: None, .. }) = &ast.kind
            && name.text.eq_ignore_ascii_case("true")
        {
            self.report(
                Diagnostic::error(
                    code::BOOLEAN_LITERAL,
                    ast.span,
                    format!("`{}` must be lowercase: `true`", name.text),
                )
                .with_fix(Fix::safe_edits("use `true`", vec![Edit::replace(ast.span, "true")])),
            );
            return None;
        }
        let ty = self.check_condition(ast)?;
        if ty.is_scalar() {
            return Some(ty);
        }
        self.report(
            Diagnostic::error(
                code::UNREDUCED_ARRAY,
                ast.span,
                "this comparison has a result for each element, but a single result is required",
            )
            .with_label(format!("this is {ty}"))
            .with_help("use `any(…)` if one match is enough, or `all(…)` if every value must match")
            .with_fix(wrap_in_call_fix("any", ast.span))
            .with_fix(wrap_in_call_fix("all", ast.span)),
        );
        None
    }

    fn check_root_value(&mut self, ast: &Expr) -> Option<Type> {
        let ExprKind::Value(value) = &ast.kind else {
            if !matches!(ast.kind, ExprKind::Invalid) {
                self.report(
                    Diagnostic::error(code::NOT_A_VALUE, ast.span, "expected a single field or function call")
                        .with_help(
                            "a value expression has no operators and no bare literals; combine strings with `concat(…)`",
                        ),
                );
            }
            return None;
        };
        if value.call.is_none() && condition::is_boolean(&value.name.text) {
            self.report(
                Diagnostic::error(
                    code::NOT_A_VALUE,
                    ast.span,
                    format!("`{}` is a condition, not a value", value.name.text),
                )
                .with_help("a value expression is a single field or function call"),
            );
            return None;
        }
        let typed = self.check_value(value, ast.span)?;
        if typed.maps_each {
            self.report(
                Diagnostic::error(
                    code::NOT_A_VALUE,
                    ast.span,
                    "`[*]` returns many values, but a single value is required",
                )
                .with_help("select one by its index, such as `[0]`, or combine them with `join(…)`"),
            );
            return None;
        }
        Some(typed.ty)
    }
}

fn wrap_in_call_fix(function: &str, span: Span) -> Fix {
    let edits = vec![Edit::insert(span.start, format!("{function}(")), Edit::insert(span.end, ")")];
    Fix::unsafe_edits(format!("wrap it in `{function}(…)`"), edits)
}

/// Returns whether the expression consists only of this word.
fn is_bare_name(expr: &Expr, word: &str) -> bool {
    matches!(&expr.kind, ExprKind::Value(Value { name, call: None, indexes }) if indexes.is_empty() && name.text == word)
}

/// Returns whether expressions with these options can read a field; without a phase, they can read every field.
pub(crate) fn is_available(field: &crate::schema::Field, options: &Options) -> bool {
    options.phase.is_none_or(|phase| name::is_available_in(field, phase, options.kind))
}

/// Returns the type of a value, or `None` if it has an error.
pub(crate) fn infer_type(value: &Value) -> Option<Type> {
    let options = Options::default();
    let mut checker = Checker::new("", &options, Problems::default());
    checker.check_value(value, value.name.span).map(|typed| typed.ty)
}

pub(crate) use call::format_signature;
pub(crate) use list::is_list_compatible;
pub(crate) use name::is_in_plan;
