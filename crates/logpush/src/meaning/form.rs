//! Atoms under `and` and `or`.

use super::Atom;
use crate::{Test, TestKind};
use std::cell::Cell;

/// A condition as a whole.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Form {
    /// Every line passes.
    Always,
    /// No line passes.
    Never,
    /// One condition.
    Atom(Box<Atom>),
    /// All of them hold.
    All(Vec<Form>),
    /// At least one of them holds.
    Any(Vec<Form>),
}

/// Whole numbers in a row that become a list where conditions are counted.
const MOST_LISTED: u32 = 4;

/// How much work is left. What would take more is taken for unknown, so that large filters cost little.
#[derive(Debug)]
pub(crate) struct Budget(Cell<usize>);

impl Budget {
    /// For one filter.
    pub(crate) fn new() -> Budget {
        Budget(Cell::new(200_000))
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

impl Form {
    /// What a test says, joined as it is written.
    pub(crate) fn of(test: &Test) -> Form {
        match &test.kind {
            TestKind::All(tests) => Form::All(tests.iter().map(Form::of).collect()),
            TestKind::Any(tests) => Form::Any(tests.iter().map(Form::of).collect()),
            TestKind::Comparison(comparison) => Atom::of(comparison),
        }
    }

    /// The form that holds when this one does not.
    pub(crate) fn negated(self) -> Form {
        let each = |forms: Vec<Form>| forms.into_iter().map(Form::negated).collect();
        match self {
            Form::Always => Form::Never,
            Form::Never => Form::Always,
            Form::Atom(atom) => Form::Atom(Box::new(atom.negated())),
            Form::All(forms) => Form::Any(each(forms)),
            Form::Any(forms) => Form::All(each(forms)),
        }
    }

    /// How many conditions it is written with.
    pub(crate) fn operators(&self) -> usize {
        match self {
            Form::Always | Form::Never => 1,
            Form::Atom(atom) => atom.written(MOST_LISTED).operators(),
            Form::All(forms) | Form::Any(forms) => forms.iter().map(Form::operators).sum(),
        }
    }

    /// How many steps it takes to copy it.
    pub(crate) fn size(&self) -> usize {
        match self {
            Form::Always | Form::Never => 1,
            Form::Atom(atom) => 1 + atom.values.size(),
            Form::All(forms) | Form::Any(forms) => 1 + forms.iter().map(Form::size).sum::<usize>(),
        }
    }

    /// Whether the other one surely holds whenever this one does. What is not found out is `false`.
    pub(crate) fn implies(&self, other: &Form, budget: &Budget) -> bool {
        match (self, other) {
            (Form::Never, _) | (_, Form::Always) => true,
            (Form::Atom(a), Form::Atom(b)) => {
                a.subject == b.subject && budget.take(1 + a.values.size() + b.values.size()) && a.implies(b)
            }
            (Form::Any(forms), _) => forms.iter().all(|form| budget.take(1) && form.implies(other, budget)),
            (_, Form::All(forms)) => forms.iter().all(|form| budget.take(1) && self.implies(form, budget)),
            (Form::All(forms), Form::Any(others)) => {
                others.iter().any(|form| budget.take(1) && self.implies(form, budget))
                    || forms.iter().any(|form| budget.take(1) && form.implies(other, budget))
            }
            (Form::All(forms), _) => forms.iter().any(|form| budget.take(1) && form.implies(other, budget)),
            (_, Form::Any(others)) => others.iter().any(|form| budget.take(1) && self.implies(form, budget)),
            _ => false,
        }
    }

    /// Whether it and the other one surely never hold together.
    pub(crate) fn excludes(&self, other: &Form, budget: &Budget) -> bool {
        match (self, other) {
            (Form::Atom(a), Form::Atom(b)) => {
                a.subject == b.subject && budget.take(1 + a.values.size() + b.values.size()) && a.excludes(b)
            }
            _ => budget.take(other.size()) && self.implies(&other.clone().negated(), budget),
        }
    }
}
