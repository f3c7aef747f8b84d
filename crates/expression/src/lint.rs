//! Lints: warnings and hints about valid expressions that are probably wrong or needlessly complex.
//!
//! [`lint()`] reads the resolved tree of a program in a single pass; [`Linter`] owns the state. Each family of lints
//! has a file. Invariant: a lint is never a false statement, so nothing is reported where the documentation is unclear.
//! Work is linear in the expression, up to a logarithmic factor.

mod atom;
mod brackets;
mod case;
mod chain;
mod complement;
mod contradiction;
mod country;
mod cover;
mod edit;
mod form;
mod mismatch;
mod missing;
mod parts;
mod paste;
mod pattern;
mod present;
mod regex;
mod same;
mod set;
mod star;
mod subject;
mod suffix;
mod text;
mod value;

use crate::{
    Options, Program,
    ast::{Expr, LogicalOperator, MAX_DEPTH},
    code,
    resolved::{
        Argument, Call, Comparison, Condition, ConditionKind, Literal, Operand, Resolved, Right, Source, lower,
    },
    schema::Quantifier,
};
use missing::Mentions;
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Problems, Safety, Span};

/// Returns the warnings and hints about a checked expression, in source order: at most 1,000, and the number of further
/// ones. `program` must be the result of [`check`](crate::check()) for `source` with the same options.
pub fn lint(source: &str, program: &Program, options: &Options) -> Vec<Diagnostic> {
    findings(source, program, options).into_diagnostics(code::TOO_MANY_DIAGNOSTICS)
}

/// Returns the diagnostics of [`lint()`] as a collection that can be merged with others.
pub(crate) fn findings(source: &str, program: &Program, options: &Options) -> Problems {
    let resolved = program.resolved();
    let mut linter = Linter::new(source, options, Mentions::of(&resolved));
    match &resolved {
        Resolved::Condition(condition) => {
            linter.condition(condition, Place::Top);
        }
        Resolved::Value(operand) => linter.operand(operand),
    }
    linter.found
}

/// Lints the parts of an invalid expression that have no error in or next to them (assumption lints-beside-errors).
///
/// Only single comparisons and calls are checked. Lints on chains and on other uses of a value need the whole
/// expression.
pub(crate) fn lint_parts(source: &str, ast: &Expr, problems: &[Diagnostic], options: &Options) -> Option<Problems> {
    // A missing quote swaps the inside and the outside of strings.
    let unsure = [code::UNTERMINATED_STRING, code::NESTING_TOO_DEEP];
    if problems.iter().any(|problem| unsure.contains(&problem.code)) {
        return None;
    }
    let resolved = lower(ast, options.kind);
    let wrong = parts::Wrong::new(source, problems);
    let mut linter = Linter::new(source, options, Mentions::of_parts(&resolved));
    match &resolved {
        Resolved::Condition(condition) => linter.parts(condition, &wrong),
        Resolved::Value(operand) if !wrong.touches(operand.span) => linter.operand(operand),
        Resolved::Value(_) => {}
    }
    Some(linter.found)
}

/// The syntactic context of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
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
    found: Problems,
    mentions: Mentions<'a>,
    /// The number of characters that fixes may add before the expression exceeds its maximum length.
    room: usize,
    /// Whether a fix may add nesting levels.
    may_nest: bool,
    /// Whether the current condition is under an odd number of `not`.
    negated: bool,
    /// Whether the current condition is inside `all(…)`.
    in_all: bool,
}

impl<'a> Linter<'a> {
    fn new(source: &'a str, options: &'a Options, mentions: Mentions<'a>) -> Self {
        // Conservative, because a text has at least as many bytes as characters.
        let room = options.max_length.saturating_sub(source.trim().len());
        let may_nest = mentions.depth() + 4 <= MAX_DEPTH;
        Linter { source, options, found: Problems::default(), mentions, room, may_nest, negated: false, in_all: false }
    }

    fn text(&self, span: Span) -> &'a str {
        span.text(self.source)
    }

    /// Records a diagnostic, unless its code is allowed.
    fn report(&mut self, finding: Diagnostic) {
        debug_assert!(code::is_lint(finding.code), "{}", finding.code);
        let allowed = self.options.lint.as_ref().is_some_and(|lint| lint.allow.contains(finding.code));
        if !allowed {
            self.found.push(finding);
        }
    }

    /// Adds a fix to a diagnostic, unless the expression would exceed its maximum length.
    fn with_fix(
        &mut self,
        finding: Diagnostic,
        title: impl Into<String>,
        edits: Vec<Edit>,
        safety: Safety,
    ) -> Diagnostic {
        let removed: usize = edits.iter().map(|edit| edit.span.end - edit.span.start).sum();
        let growth = edits.iter().map(|edit| edit.text.len()).sum::<usize>().saturating_sub(removed);
        if growth > self.room {
            return finding;
        }
        self.room -= growth;
        finding.with_fix(match safety {
            Safety::Safe => Fix::safe(title, edits),
            Safety::Unsafe => Fix::unsafe_(title, edits),
        })
    }

    /// Lints a condition and returns its fingerprint: equal conditions have equal fingerprints.
    fn condition(&mut self, condition: &Condition, place: Place) -> u128 {
        match &condition.kind {
            ConditionKind::Logical(operator, operands) => {
                self.unbracketed(*operator, operands);
                let plain = operands.iter().any(|operand| !matches!(operand.kind, ConditionKind::Group(_)));
                let inside = if plain && *operator == LogicalOperator::And { Place::And } else { Place::Chain };
                let prints: Vec<u128> = operands.iter().map(|operand| self.condition(operand, inside)).collect();
                self.chain(*operator, operands, &prints);
                same::chain(*operator, &prints)
            }
            ConditionKind::Not(inside) => {
                self.double_negation(condition, inside, place);
                self.negated = !self.negated;
                let print = self.condition(inside, Place::Negated);
                self.negated = !self.negated;
                same::not(print)
            }
            ConditionKind::Group(inside) => {
                self.brackets(condition, inside, place);
                self.condition(inside, Place::Group)
            }
            ConditionKind::Comparison(comparison) => {
                self.comparison(comparison, condition.span);
                same::comparison(comparison)
            }
            ConditionKind::Value(operand) => {
                self.boolean_call(operand);
                self.operand(operand);
                same::value(operand)
            }
            ConditionKind::True | ConditionKind::Invalid => same::other(condition.span),
        }
    }

    fn comparison(&mut self, comparison: &Comparison, span: Span) {
        self.operand(&comparison.left);
        if !self.negated {
            self.negative_of_missing(comparison, span);
        }
        self.length_of_missing(comparison, span);
        self.atom_of_comparison(comparison, span);
        match &comparison.right {
            Right::Value(right) => {
                self.operand(right);
                self.with_itself(comparison, right, span);
            }
            Right::Regex(pattern) => self.regex(comparison, pattern, span),
            Right::Texts(items) => self.text_set(items, comparison),
            Right::Integers(items) => self.integer_set(items, comparison),
            Right::Addresses(items) => self.address_set(items, comparison),
            Right::Literal(_) | Right::Wildcard(_) | Right::List(_) | Right::Invalid => {}
        }
        self.pasted(comparison);
    }

    fn operand(&mut self, operand: &Operand) {
        self.header_key(operand);
        if let Source::Call(call) = &operand.source {
            self.call(call);
        }
    }

    fn call(&mut self, call: &Call) {
        self.header_argument(call);
        let outside = std::mem::replace(&mut self.in_all, call.function.semantics.quantifier == Some(Quantifier::All));
        for argument in &call.arguments {
            match argument {
                Argument::Value(operand) => self.operand(operand),
                Argument::Condition(condition) => {
                    self.condition(condition, Place::Argument);
                }
                Argument::Literal(Literal::Text(text), span) => self.pasted_text(text, *span),
                Argument::Literal(..) => {}
            }
        }
        self.in_all = outside;
    }
}
