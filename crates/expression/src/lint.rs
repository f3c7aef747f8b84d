//! Lints: warnings and hints about valid expressions that are probably wrong or needlessly complex.
//!
//! [`lint()`] reads the resolved tree of a program in a single pass; [`Linter`] owns the state. Each family of lints
//! has a file. Invariant: a lint is never a false statement, so nothing is reported where the documentation is unclear.
//! Work is linear in the expression, up to a logarithmic factor.

mod atom;
mod case;
mod chain;
mod contradiction;
mod country;
mod excerpt;
mod fingerprint;
mod interval_set;
mod literal_star;
mod mismatch;
mod missing;
mod parentheses;
mod partial;
mod paste;
mod pattern;
mod presence;
mod regex;
mod set;
mod subject;
mod subsumed;
mod suffix;
mod text;
mod value;
mod value_form;

use crate::{
    Options, Program,
    ast::{Expr, LogicalOperator, MAX_NESTING_DEPTH},
    code,
    resolved::{
        Argument, Call, Comparison, Condition, ConditionKind, Literal, Operand, OperandSource, ResolvedExpression,
        RightOperand, lower,
    },
    schema::Quantifier,
};
use missing::FieldUsage;
use zonewright_diagnostic::{Applicability, Diagnostic, Edit, Fix, Problems, Span};

/// The number of nesting levels that fixes at one place may add together.
const MAX_FIX_LEVELS: usize = 4;

/// Returns the warnings and hints about a checked expression, in source order. At most 1,000 are listed; an additional
/// diagnostic counts the others. `program` must be the result of [`check`](crate::check()) for `source` with the same
/// options.
pub fn lint(source: &str, program: &Program, options: &Options) -> Vec<Diagnostic> {
    collect_lints(source, program, options).into_diagnostics(code::TOO_MANY_DIAGNOSTICS)
}

/// Returns the diagnostics of [`lint()`] as a collection that can be merged with others.
pub(crate) fn collect_lints(source: &str, program: &Program, options: &Options) -> Problems {
    let resolved = program.resolved();
    let mut linter = Linter::new(source, options, FieldUsage::from_resolved(&resolved));
    match &resolved {
        ResolvedExpression::Condition(condition) => {
            linter.lint_condition(condition, ConditionContext::Top);
        }
        ResolvedExpression::Value(operand) => linter.lint_operand(operand),
    }
    linter.diagnostics
}

/// Lints those subexpressions of an invalid expression that neither contain nor touch an error (assumption
/// lints-beside-errors).
///
/// Only single comparisons and calls are checked. Lints on chains and on other uses of a value need the whole
/// expression. Returns `None` if an error leaves the structure of the expression unclear.
pub(crate) fn lint_valid_subtrees(
    source: &str,
    ast: &Expr,
    problems: &[Diagnostic],
    options: &Options,
) -> Option<Problems> {
    // After a missing quote, the parser swaps the inside and the outside of strings.
    let ambiguous_codes = [code::UNTERMINATED_STRING, code::NESTING_TOO_DEEP];
    if problems.iter().any(|problem| ambiguous_codes.contains(&problem.code)) {
        return None;
    }
    let resolved = lower(ast, options.kind);
    let error_spans = partial::ErrorSpans::new(source, problems);
    let mut linter = Linter::new(source, options, FieldUsage::from_invalid(&resolved));
    match &resolved {
        ResolvedExpression::Condition(condition) => linter.lint_subtrees(condition, &error_spans),
        ResolvedExpression::Value(operand) if !error_spans.touches(operand.span) => linter.lint_operand(operand),
        ResolvedExpression::Value(_) => {}
    }
    Some(linter.diagnostics)
}

/// The syntactic context of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ConditionContext {
    /// The whole expression.
    Top,
    /// An operand of an `and` chain in which some operands have no parentheses.
    And,
    /// An operand of any other chain.
    Chain,
    /// The operand of `not`.
    Negated,
    /// The content of parentheses.
    Group,
    /// An argument of `any` or `all`.
    Argument,
}

struct Linter<'a> {
    source: &'a str,
    options: &'a Options,
    diagnostics: Problems,
    usage: FieldUsage<'a>,
    /// The number of characters that fixes may add before the expression exceeds its maximum length.
    chars_left: usize,
    /// Whether a fix may add nesting levels.
    can_nest: bool,
    /// Whether the current condition is under an odd number of `not`.
    negated: bool,
    /// Whether `all(…)` is the innermost call around the current condition.
    in_all: bool,
}

impl<'a> Linter<'a> {
    fn new(source: &'a str, options: &'a Options, usage: FieldUsage<'a>) -> Self {
        // Conservative, because a text has at least as many bytes as characters.
        let chars_left = options.max_length.saturating_sub(source.trim().len());
        let can_nest = usage.max_depth() + MAX_FIX_LEVELS <= MAX_NESTING_DEPTH;
        Linter {
            source,
            options,
            diagnostics: Problems::default(),
            usage,
            chars_left,
            can_nest,
            negated: false,
            in_all: false,
        }
    }

    fn text(&self, span: Span) -> &'a str {
        span.text(self.source)
    }

    /// Records a diagnostic, unless the options allow its code.
    fn report(&mut self, diagnostic: Diagnostic) {
        debug_assert!(code::is_lint(diagnostic.code), "{}", diagnostic.code);
        let is_allowed = self.options.lint.as_ref().is_some_and(|lint| lint.allow.contains(diagnostic.code));
        if !is_allowed {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Adds a fix to a diagnostic, unless the expression would exceed its maximum length. Deducts the characters that
    /// the fix adds from `chars_left`.
    fn with_fix(
        &mut self,
        diagnostic: Diagnostic,
        title: impl Into<String>,
        edits: Vec<Edit>,
        applicability: Applicability,
    ) -> Diagnostic {
        let removed: usize = edits.iter().map(|edit| edit.span.end - edit.span.start).sum();
        let growth = edits.iter().map(|edit| edit.text.len()).sum::<usize>().saturating_sub(removed);
        if growth > self.chars_left {
            return diagnostic;
        }
        self.chars_left -= growth;
        diagnostic.with_fix(match applicability {
            Applicability::Safe => Fix::safe_edits(title, edits),
            Applicability::Unsafe => Fix::unsafe_edits(title, edits),
        })
    }

    /// Lints a condition and returns its fingerprint: equal conditions have equal fingerprints.
    fn lint_condition(&mut self, condition: &Condition, context: ConditionContext) -> u128 {
        match &condition.kind {
            ConditionKind::Logical(operator, operands) => {
                self.lint_implicit_precedence(*operator, operands);
                let has_bare_operand = operands.iter().any(|operand| !matches!(operand.kind, ConditionKind::Group(_)));
                let inner = if has_bare_operand && *operator == LogicalOperator::And {
                    ConditionContext::And
                } else {
                    ConditionContext::Chain
                };
                let fingerprints: Vec<u128> =
                    operands.iter().map(|operand| self.lint_condition(operand, inner)).collect();
                self.lint_chain(*operator, operands, &fingerprints);
                fingerprint::hash_chain(*operator, &fingerprints)
            }
            ConditionKind::Not(inner) => {
                self.lint_double_negation(condition, inner, context);
                self.negated = !self.negated;
                let fingerprint = self.lint_condition(inner, ConditionContext::Negated);
                self.negated = !self.negated;
                fingerprint::hash_not(fingerprint)
            }
            ConditionKind::Group(inner) => {
                self.lint_redundant_parentheses(condition, inner, context);
                self.lint_condition(inner, ConditionContext::Group)
            }
            ConditionKind::Comparison(comparison) => {
                self.lint_comparison(comparison, condition.span);
                fingerprint::hash_comparison(comparison)
            }
            ConditionKind::Value(operand) => {
                self.lint_boolean_call(operand);
                self.lint_operand(operand);
                fingerprint::hash_boolean_value(operand)
            }
            ConditionKind::True | ConditionKind::Invalid => fingerprint::hash_span(condition.span),
        }
    }

    fn lint_comparison(&mut self, comparison: &Comparison, span: Span) {
        self.lint_operand(&comparison.left);
        if !self.negated {
            self.lint_ne_of_missing(comparison, span);
        }
        self.lint_length_of_missing(comparison, span);
        self.lint_comparison_atom(comparison, span);
        match &comparison.right {
            RightOperand::Value(right) => {
                self.lint_operand(right);
                self.lint_self_comparison(comparison, right, span);
            }
            RightOperand::Regex(pattern) => self.lint_regex(comparison, pattern, span),
            RightOperand::Texts(items) => self.lint_text_set(items, comparison),
            RightOperand::Integers(items) => self.lint_integer_set(items, comparison),
            RightOperand::Addresses(items) => self.lint_address_set(items, comparison),
            RightOperand::Literal(_) | RightOperand::Wildcard(_) | RightOperand::List(_) | RightOperand::Invalid => {}
        }
        self.lint_pasted_literals(comparison);
    }

    fn lint_operand(&mut self, operand: &Operand) {
        self.lint_header_key(operand);
        if let OperandSource::Call(call) = &operand.source {
            self.lint_call(call);
        }
    }

    fn lint_call(&mut self, call: &Call) {
        self.lint_header_argument(call);
        let outer_in_all =
            std::mem::replace(&mut self.in_all, call.function.semantics.quantifier == Some(Quantifier::All));
        for argument in &call.arguments {
            match argument {
                Argument::Value(operand) => self.lint_operand(operand),
                Argument::Condition(condition) => {
                    self.lint_condition(condition, ConditionContext::Argument);
                }
                Argument::Literal(Literal::Text(text), span) => self.lint_pasted_text(text, *span),
                Argument::Literal(..) => {}
            }
        }
        self.in_all = outer_in_all;
    }
}
