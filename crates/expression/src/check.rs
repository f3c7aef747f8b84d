//! From syntax to a program: names, types, literals, phases and plans.
//!
//! One walk over the tree reports everything. A part that was reported has no type (`None`), and
//! nothing further is said about what depends on it: one cause, one diagnostic.

mod call;
mod compare;
mod condition;
mod constraint;
mod entry;
mod foreign;
mod list;
mod literal;
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
    lint::{findings, lint_parts},
    parse::{Syntax, parse_syntax},
    schema::Field,
};
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Problems, Safety, Span, similar};

/// Unknown names of one source that similar ones are looked up for.
const MAX_LOOKUPS: usize = 64;

/// The result of [`check()`].
#[derive(Clone, Debug)]
pub struct Checked {
    /// The program; `None` when there is an error.
    pub program: Option<Program>,
    /// The problems, in the order of the source: the first 1,000, errors before others, and how many more.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses and checks an expression.
pub fn check(source: &str, options: &Options) -> Checked {
    check_syntax(source, parse_syntax(source), options)
}

/// Checks what was parsed already.
pub(crate) fn check_syntax(source: &str, syntax: Syntax, options: &Options) -> Checked {
    let Syntax { ast, problems } = syntax;
    let mut checker = Checker::new(source, options, problems);
    checker.length();
    let ty = ast.as_ref().and_then(|ast| checker.top(ast));
    let mut problems = checker.diagnostics;
    let refused = problems.has_errors();
    if refused {
        distrust_readings(problems.listed_mut());
    }
    let found = ast.as_ref().filter(|_| refused && options.lint.is_some());
    let found = found.and_then(|ast| lint_parts(source, ast, problems.complete()?, options));
    let program = match (ast, ty) {
        (Some(ast), Some(ty)) if !refused => Some(Program::new(ast, options.kind, ty)),
        _ => None,
    };
    let whole = program.as_ref().filter(|_| options.lint.is_some());
    if let Some(found) = whole.map(|program| findings(source, program, options)).or(found) {
        problems.append(found);
    }
    Checked { program, diagnostics: problems.into_diagnostics(code::TOO_MANY_PROBLEMS) }
}

/// Makes fixes unsafe that follow one reading of a text which other errors put in doubt: `notice` may be
/// a misspelt name rather than `not ice`, two arguments without a comma may lack an operator, and `a=1&b=2` may be
/// text without quotes.
fn distrust_readings(diagnostics: &mut [Diagnostic]) {
    let in_doubt = diagnostics.iter().any(|one| one.is_error() && one.code != code::MISSING_COMMA);
    let has_unknown_name = diagnostics.iter().any(|one| matches!(one.code, code::UNKNOWN_FIELD | code::MISSING_QUOTES));
    let doubtful = |one: &&mut Diagnostic| match one.code {
        code::GLUED_OPERATOR => true,
        code::MISSING_COMMA => in_doubt,
        code::LONE_AMPERSAND | code::SINGLE_EQUALS => has_unknown_name,
        _ => false,
    };
    for fix in diagnostics.iter_mut().filter(doubtful).flat_map(|diagnostic| &mut diagnostic.fixes) {
        fix.safety = Safety::Unsafe;
    }
}

/// What is known of a value while it is checked.
#[derive(Clone, Copy, Debug)]
struct Typed {
    /// Its type; that of one element when `each` is set.
    ty: Type,
    /// Whether it stands for many values, by `[*]`.
    each: bool,
}

impl Typed {
    fn one(ty: Type) -> Self {
        Typed { ty, each: false }
    }

    /// The type as a whole: an array when it stands for many.
    fn whole(self) -> Type {
        if self.each { self.ty.array() } else { self.ty }
    }
}

struct Checker<'a> {
    source: &'a str,
    options: &'a Options,
    diagnostics: Problems,
    /// Errors that were found by checking so far.
    errors: usize,
    /// Names that similar ones may still be looked up for: nobody reads hundreds of suggestions.
    lookups: usize,
    /// The field that was looked up last: long chains ask for the same one again and again.
    last_field: Option<&'static Field>,
    /// Patterns that may be too large, with the verdict.
    large_patterns: Vec<(String, bool)>,
    /// Calls so far of functions that an expression may use once.
    limited_calls: Vec<(&'static str, Span)>,
}

impl<'a> Checker<'a> {
    fn new(source: &'a str, options: &'a Options, diagnostics: Problems) -> Self {
        Checker {
            source,
            options,
            diagnostics,
            errors: 0,
            lookups: MAX_LOOKUPS,
            last_field: None,
            large_patterns: Vec::new(),
            limited_calls: Vec::new(),
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.errors += usize::from(diagnostic.is_error());
        self.diagnostics.push(diagnostic);
    }

    /// Candidates that look like the name; none any more when many were looked up.
    fn similar<'n>(&mut self, name: &str, candidates: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
        if self.lookups == 0 {
            return Vec::new();
        }
        self.lookups -= 1;
        similar(name, candidates)
    }

    fn text(&self, span: Span) -> &'a str {
        span.text(self.source)
    }

    fn length(&mut self) {
        let text = self.source.trim();
        // Bytes first: most texts are ASCII and far below the limit.
        if text.len() <= self.options.max_length || self.source.len() > crate::parse::MAX_SOURCE {
            return;
        }
        let length = text.chars().count();
        if let Some((offset, _)) = text.char_indices().nth(self.options.max_length) {
            let start = self.source.len() - self.source.trim_start().len() + offset;
            let most = self.options.max_length;
            self.report(
                Diagnostic::error(
                    code::EXPRESSION_TOO_LONG,
                    Span::new(start, self.source.trim_end().len()),
                    format!("the expression has {length} characters, and at most {most} are allowed"),
                )
                .with_label("too long from here")
                .with_help("move long sets into a named list, or split the expression into several rules"),
            );
        }
    }

    /// The whole expression; its type when nothing is wrong with it.
    fn top(&mut self, ast: &Expr) -> Option<Type> {
        match self.options.kind {
            Kind::Expression | Kind::Counting => self.top_condition(ast),
            Kind::Value => self.top_value(ast),
        }
    }

    fn top_condition(&mut self, ast: &Expr) -> Option<Type> {
        // `true` is no literal, but a whole expression may be it (assumption true).
        if is_name(ast, "true") {
            return Some(Type::BOOLEAN);
        }
        if let ExprKind::Value(Value { name, call: None, .. }) = &ast.kind
            && name.text.eq_ignore_ascii_case("true")
        {
            self.report(
                Diagnostic::error(
                    code::BOOLEAN_LITERAL,
                    ast.span,
                    format!("`{}` is written in lower case: `true`", name.text),
                )
                .with_fix(Fix::safe("use `true`", vec![Edit::replace(ast.span, "true")])),
            );
            return None;
        }
        let ty = self.condition(ast)?;
        if ty.is_scalar() {
            return Some(ty);
        }
        self.report(
            Diagnostic::error(code::UNREDUCED_ARRAY, ast.span, "this compares many values and gives many answers")
                .with_label(format!("this is {ty}"))
                .with_help("put `any(…)` around it when one match is enough, or `all(…)` when every value must match")
                .with_fix(wrap("any", ast.span))
                .with_fix(wrap("all", ast.span)),
        );
        None
    }

    fn top_value(&mut self, ast: &Expr) -> Option<Type> {
        let ExprKind::Value(value) = &ast.kind else {
            if !matches!(ast.kind, ExprKind::Invalid) {
                self.report(
                    Diagnostic::error(code::NOT_A_VALUE, ast.span, "expected one field or one function call")
                        .with_help(
                            "a value expression has no operators and no bare literals; join texts by `concat(…)`",
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
                .with_help("a value expression is one field or one function call"),
            );
            return None;
        }
        let typed = self.value(value, ast.span)?;
        if typed.each {
            self.report(
                Diagnostic::error(code::NOT_A_VALUE, ast.span, "`[*]` gives many values, and one is needed")
                    .with_help("pick one by its index, such as `[0]`, or join them by `join(…)`"),
            );
            return None;
        }
        Some(typed.ty)
    }
}

fn wrap(function: &str, span: Span) -> Fix {
    let edits = vec![Edit::insert(span.start, format!("{function}(")), Edit::insert(span.end, ")")];
    Fix::unsafe_(format!("put `{function}(…)` around it"), edits)
}

/// Whether the expression is just this word.
fn is_name(expr: &Expr, word: &str) -> bool {
    matches!(&expr.kind, ExprKind::Value(Value { name, call: None, indexes }) if indexes.is_empty() && name.text == word)
}

/// Whether a field may be used under these options.
pub(crate) fn is_available(field: &crate::schema::Field, options: &Options) -> bool {
    options.phase.is_none_or(|phase| name::seen_in(field, phase, options.kind))
}

/// The type of a value, as far as it can be told without complaint.
pub(crate) fn type_of(value: &Value) -> Option<Type> {
    let options = Options::default();
    let mut checker = Checker::new("", &options, Problems::default());
    checker.value(value, value.name.span).map(|typed| typed.ty)
}

pub(crate) use call::signature;
pub(crate) use list::list_fits;
pub(crate) use name::is_in_plan;
