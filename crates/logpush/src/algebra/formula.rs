//! Atoms under `and` and `or`.

use super::atom::{Atom, Subject, TRUE_ITEM, ValueSet, item_text};
use super::{NumberKind, NumberSet, StringSet, SubstringPosition, SubstringSet};
use crate::{Comparison, FieldType, Operand, Operator, Test, TestKind};
use std::cell::Cell;
use std::collections::BTreeSet;

/// A condition as a whole.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Formula {
    /// Every line passes.
    Always,
    /// No line passes.
    Never,
    /// One condition.
    Atom(Box<Atom>),
    /// All of them hold.
    All(Vec<Formula>),
    /// At least one of them holds.
    Any(Vec<Formula>),
}

/// Whole numbers in a row that become a list where conditions are counted.
const MAX_LISTED_INTEGERS: u32 = 4;

/// How much work is left. What would take more is taken for unknown, so that large filters cost little.
#[derive(Debug)]
pub(crate) struct StepBudget(Cell<usize>);

impl StepBudget {
    /// For one filter.
    pub(crate) fn new() -> StepBudget {
        StepBudget(Cell::new(200_000))
    }

    /// Whether nothing is left.
    pub(crate) fn is_spent(&self) -> bool {
        self.0.get() == 0
    }

    /// Takes so many steps; `false` when they are not there.
    pub(crate) fn take(&self, steps: usize) -> bool {
        let left = self.0.get().checked_sub(steps);
        self.0.set(left.unwrap_or(0));
        left.is_some()
    }
}

impl Formula {
    /// What a test says, joined as it is written.
    pub(crate) fn of(test: &Test) -> Formula {
        match &test.kind {
            TestKind::All(tests) => Formula::All(tests.iter().map(Formula::of).collect()),
            TestKind::Any(tests) => Formula::Any(tests.iter().map(Formula::of).collect()),
            TestKind::Comparison(comparison) => Formula::from_comparison(comparison),
        }
    }

    /// What a comparison says.
    pub(crate) fn from_comparison(comparison: &Comparison) -> Formula {
        let Comparison { field, operator, operand, .. } = comparison;
        let negated = operator.is_negated();
        if matches!(field.ty, FieldType::Strings | FieldType::Ints) {
            let subject = Subject { field, element: Some(item_text(operand)) };
            return Formula::from_values(subject, ValueSet::Strings(flag_set(negated)));
        }
        let scale = NumberKind::of(field.ty);
        let values = match (operand, SubstringPosition::of(*operator)) {
            (Operand::Text(text), Some(kind)) => {
                ValueSet::Substring(SubstringSet { kind, text: text.clone(), negated })
            }
            (Operand::Text(text), None) => {
                ValueSet::Strings(StringSet { items: BTreeSet::from([text.clone()]), negated })
            }
            (Operand::Number(number), _) => ValueSet::Numbers(NumberSet::that(*operator, *number, scale)),
            (Operand::Bool(flag), _) => ValueSet::Strings(flag_set(negated == *flag)),
            (Operand::Items(items), _) => list_values(items, negated, scale),
        };
        Formula::from_values(Subject { field, element: None }, values)
    }

    /// The formula that holds when the subject has one of these values.
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

    /// The formula that holds when this one does not.
    pub(crate) fn negated(self) -> Formula {
        let each = |formulas: Vec<Formula>| formulas.into_iter().map(Formula::negated).collect();
        match self {
            Formula::Always => Formula::Never,
            Formula::Never => Formula::Always,
            Formula::Atom(atom) => Formula::Atom(Box::new(atom.negated())),
            Formula::All(formulas) => Formula::Any(each(formulas)),
            Formula::Any(formulas) => Formula::All(each(formulas)),
        }
    }

    /// How many conditions it is written with.
    pub(crate) fn operators(&self) -> usize {
        match self {
            Formula::Always | Formula::Never => 1,
            Formula::Atom(atom) => atom.written(MAX_LISTED_INTEGERS).operators(),
            Formula::All(formulas) | Formula::Any(formulas) => formulas.iter().map(Formula::operators).sum(),
        }
    }

    /// How many steps it takes to copy it.
    pub(crate) fn size(&self) -> usize {
        match self {
            Formula::Always | Formula::Never => 1,
            Formula::Atom(atom) => 1 + atom.values.size(),
            Formula::All(formulas) | Formula::Any(formulas) => 1 + formulas.iter().map(Formula::size).sum::<usize>(),
        }
    }

    /// Whether the other one surely holds whenever this one does. What is not found out is `false`.
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

    /// Whether it and the other one surely never hold together.
    pub(crate) fn excludes(&self, other: &Formula, budget: &StepBudget) -> bool {
        match (self, other) {
            (Formula::Atom(a), Formula::Atom(b)) => {
                a.subject == b.subject && budget.take(1 + a.values.size() + b.values.size()) && a.excludes(b)
            }
            _ => budget.take(other.size()) && self.implies(&other.clone().negated(), budget),
        }
    }
}

/// The set of the flag that is set, or of the one that is not.
fn flag_set(negated: bool) -> StringSet {
    StringSet { items: BTreeSet::from([TRUE_ITEM.to_owned()]), negated }
}

fn list_values(items: &[Operand], negated: bool, scale: NumberKind) -> ValueSet {
    if items.iter().any(|item| matches!(item, Operand::Number(_))) {
        let single: Vec<NumberSet> = items
            .iter()
            .filter_map(|item| match item {
                Operand::Number(number) => Some(NumberSet::that(Operator::Equal, *number, scale)),
                _ => None,
            })
            .collect();
        let set = NumberSet::union(&single.iter().collect::<Vec<_>>(), scale);
        return ValueSet::Numbers(if negated { set.complement() } else { set });
    }
    ValueSet::Strings(StringSet { items: items.iter().map(item_text).collect(), negated })
}
