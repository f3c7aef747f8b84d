//! Formulas: atoms joined with `and` and `or`.

use super::atom::{Atom, Subject, TRUE_ITEM, ValueSet, item_text};
use super::{NumberKind, NumberSet, StringSet, SubstringPosition, SubstringSet};
use crate::{Comparison, FieldType, Operand, Operator, Test, TestKind};
use std::cell::Cell;
use std::collections::BTreeSet;

/// A tree of conditions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Formula {
    /// True for every line.
    Always,
    /// False for every line.
    Never,
    /// One condition.
    Atom(Box<Atom>),
    /// True when all formulas are true.
    All(Vec<Formula>),
    /// True when at least one formula is true.
    Any(Vec<Formula>),
}

/// The steps of a new [`StepBudget`].
const BUDGET_STEPS: usize = 200_000;

/// The steps that remain for one analysis of a filter, such as its lints or its simplification. Callers treat a
/// question that exceeds the budget as undecided, so the cost of large filters stays bounded.
#[derive(Debug)]
pub(crate) struct StepBudget(Cell<usize>);

impl StepBudget {
    /// Creates the budget of one analysis.
    pub(crate) fn new() -> StepBudget {
        StepBudget(Cell::new(BUDGET_STEPS))
    }

    /// Returns whether no steps remain.
    pub(crate) fn is_spent(&self) -> bool {
        self.0.get() == 0
    }

    /// Takes `steps` from the budget. If fewer remain, the budget becomes empty and the result is `false`.
    pub(crate) fn take(&self, steps: usize) -> bool {
        let remaining = self.0.get().checked_sub(steps);
        self.0.set(remaining.unwrap_or(0));
        remaining.is_some()
    }
}

impl Formula {
    /// Converts a test to a formula of the same structure.
    pub(crate) fn from_test(test: &Test) -> Formula {
        match &test.kind {
            TestKind::All(tests) => Formula::All(tests.iter().map(Formula::from_test).collect()),
            TestKind::Any(tests) => Formula::Any(tests.iter().map(Formula::from_test).collect()),
            TestKind::Comparison(comparison) => Formula::from_comparison(comparison),
        }
    }

    /// Converts a comparison to a formula.
    pub(crate) fn from_comparison(comparison: &Comparison) -> Formula {
        let Comparison { field, operator, operand, .. } = comparison;
        let negated = operator.is_negated();
        if matches!(field.ty, FieldType::Strings | FieldType::Ints) {
            let subject = Subject { field, element: Some(item_text(operand)) };
            return Formula::from_values(subject, ValueSet::Strings(boolean_set(negated)));
        }
        let kind = NumberKind::from_type(field.ty);
        let values = match (operand, SubstringPosition::from_operator(*operator)) {
            (Operand::String(text), Some(kind)) => {
                ValueSet::Substring(SubstringSet { kind, text: text.clone(), negated })
            }
            (Operand::String(text), None) => {
                ValueSet::Strings(StringSet { items: BTreeSet::from([text.clone()]), negated })
            }
            (Operand::Number(number), _) => ValueSet::Numbers(NumberSet::from_comparison(*operator, *number, kind)),
            (Operand::Bool(flag), _) => ValueSet::Strings(boolean_set(negated == *flag)),
            (Operand::Items(items), _) => item_values(items, negated, kind),
        };
        Formula::from_values(Subject { field, element: None }, values)
    }

    /// Returns the formula that is true when the subject has one of these values.
    pub(crate) fn from_values(subject: Subject, values: ValueSet) -> Formula {
        let (always, never) = match &values {
            ValueSet::Numbers(numbers) => (numbers.is_full(), numbers.is_empty()),
            ValueSet::Strings(StringSet { items, negated }) => {
                (items.is_empty() && *negated, items.is_empty() && !negated)
            }
            ValueSet::Substring(part) => (part.text.is_empty() && !part.negated, part.text.is_empty() && part.negated),
        };
        match (always, never) {
            (true, _) => Formula::Always,
            (_, true) => Formula::Never,
            _ => Formula::Atom(Box::new(Atom { subject, values })),
        }
    }

    /// Returns the formula that is true exactly when this one is false.
    pub(crate) fn negated(self) -> Formula {
        let negate_all = |formulas: Vec<Formula>| formulas.into_iter().map(Formula::negated).collect();
        match self {
            Formula::Always => Formula::Never,
            Formula::Never => Formula::Always,
            Formula::Atom(atom) => Formula::Atom(Box::new(atom.negated())),
            Formula::All(formulas) => Formula::Any(negate_all(formulas)),
            Formula::Any(formulas) => Formula::All(negate_all(formulas)),
        }
    }

    /// Returns the number of conditions that express the formula.
    pub(crate) fn operator_count(&self) -> usize {
        match self {
            Formula::Always | Formula::Never => 1,
            Formula::Atom(atom) => atom.operator_count(),
            Formula::All(formulas) | Formula::Any(formulas) => formulas.iter().map(Formula::operator_count).sum(),
        }
    }

    /// Returns the cost of a copy, in steps of a [`StepBudget`].
    pub(crate) fn size(&self) -> usize {
        match self {
            Formula::Always | Formula::Never => 1,
            Formula::Atom(atom) => 1 + atom.values.size(),
            Formula::All(formulas) | Formula::Any(formulas) => 1 + formulas.iter().map(Formula::size).sum::<usize>(),
        }
    }

    /// Returns whether `other` is provably true whenever this formula is true. An undecided question gives `false`.
    pub(crate) fn implies(&self, other: &Formula, budget: &StepBudget) -> bool {
        match (self, other) {
            (Formula::Never, _) | (_, Formula::Always) => true,
            (Formula::Atom(a), Formula::Atom(b)) => {
                a.subject == b.subject && budget.take(1 + a.values.size() + b.values.size()) && a.implies(b)
            }
            (Formula::Any(formulas), _) => {
                formulas.iter().all(|formula| budget.take(1) && formula.implies(other, budget))
            }
            (_, Formula::All(formulas)) => {
                formulas.iter().all(|formula| budget.take(1) && self.implies(formula, budget))
            }
            (Formula::All(formulas), Formula::Any(others)) => {
                others.iter().any(|formula| budget.take(1) && self.implies(formula, budget))
                    || formulas.iter().any(|formula| budget.take(1) && formula.implies(other, budget))
            }
            (Formula::All(formulas), _) => {
                formulas.iter().any(|formula| budget.take(1) && formula.implies(other, budget))
            }
            (_, Formula::Any(others)) => others.iter().any(|formula| budget.take(1) && self.implies(formula, budget)),
            _ => false,
        }
    }

    /// Returns whether this formula and `other` are provably never true together.
    pub(crate) fn excludes(&self, other: &Formula, budget: &StepBudget) -> bool {
        match (self, other) {
            (Formula::Atom(a), Formula::Atom(b)) => {
                a.subject == b.subject && budget.take(1 + a.values.size() + b.values.size()) && a.excludes(b)
            }
            _ => budget.take(other.size()) && self.implies(&other.clone().negated(), budget),
        }
    }
}

/// Returns the set that contains true, or, if negated, the set that contains false.
fn boolean_set(negated: bool) -> StringSet {
    StringSet { items: BTreeSet::from([TRUE_ITEM.to_owned()]), negated }
}

fn item_values(items: &[Operand], negated: bool, kind: NumberKind) -> ValueSet {
    if items.iter().any(|item| matches!(item, Operand::Number(_))) {
        let single: Vec<NumberSet> = items
            .iter()
            .filter_map(|item| match item {
                Operand::Number(number) => Some(NumberSet::from_comparison(Operator::Equal, *number, kind)),
                _ => None,
            })
            .collect();
        let set = NumberSet::union(&single.iter().collect::<Vec<_>>(), kind);
        return ValueSet::Numbers(if negated { set.complement() } else { set });
    }
    ValueSet::Strings(StringSet { items: items.iter().map(item_text).collect(), negated })
}
