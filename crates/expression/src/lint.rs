//! Lints: expressions that are right, and yet not what was meant or not as plain as they could be.
//!
//! [`lint()`] walks the resolved tree of a program once. Every family of findings has a file. A finding
//! has to be right: where the documentation leaves room, nothing is said. Work grows with the
//! expression, up to a logarithm.

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
use std::collections::BTreeSet;
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Problems, Safety, Span};

/// Which lints are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lint {
    /// Codes of lints that are not reported; other names have no effect.
    pub allow: BTreeSet<String>,
}

/// What is suspicious in a checked expression, in the order of the source: warnings and hints only,
/// the first 1,000 and how many more. `program` is what [`check`](crate::check()) made of `source` under the same
/// options.
pub fn lint(source: &str, program: &Program, options: &Options) -> Vec<Diagnostic> {
    findings(source, program, options).into_diagnostics(code::TOO_MANY_PROBLEMS)
}

/// What [`lint()`] gives, to be added to other problems.
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

/// What is suspicious in the parts of a wrong expression that have nothing wrong in or beside them
/// (assumption lints-beside-errors). It is what a comparison or a call says by itself: how parts stand together, and what else looks at their
/// values, is known only when all of it can be read.
pub(crate) fn lint_parts(source: &str, ast: &Expr, problems: &[Diagnostic], options: &Options) -> Option<Problems> {
    // A quote that is missing turns texts inside out.
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

/// Where a condition stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// The whole expression.
    Top,
    /// An operand of a chain of `and` of which not all are in brackets.
    And,
    /// An operand of another chain.
    Chain,
    /// Behind `not`.
    Negated,
    /// In brackets.
    Group,
    /// An argument of `any` or `all`.
    Argument,
}

struct Linter<'a> {
    source: &'a str,
    options: &'a Options,
    found: Problems,
    mentions: Mentions<'a>,
    /// Characters that fixes may still add before the expression is too long.
    room: usize,
    /// Whether a fix may nest deeper.
    may_nest: bool,
    /// Whether what is walked stands under an odd number of `not`.
    negated: bool,
    /// Whether what is walked stands in `all(…)`.
    in_all: bool,
}

impl<'a> Linter<'a> {
    fn new(source: &'a str, options: &'a Options, mentions: Mentions<'a>) -> Self {
        // Bytes are at least as many as characters.
        let room = options.max_length.saturating_sub(source.trim().len());
        let may_nest = mentions.depth() + 4 <= MAX_DEPTH;
        Linter { source, options, found: Problems::default(), mentions, room, may_nest, negated: false, in_all: false }
    }

    fn text(&self, span: Span) -> &'a str {
        span.text(self.source)
    }

    /// Takes a finding, unless its code is allowed.
    fn report(&mut self, finding: Diagnostic) {
        debug_assert!(code::is_lint(finding.code), "{}", finding.code);
        let allowed = self.options.lint.as_ref().is_some_and(|lint| lint.allow.contains(finding.code));
        if !allowed {
            self.found.push(finding);
        }
    }

    /// Puts a fix to a finding, unless the text would become too long by it.
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

    /// Walks a condition and says what it is the same as: equal conditions give equal numbers.
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
