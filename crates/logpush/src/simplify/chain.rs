//! Simplifies conjunctions. A disjunction is the negation of the conjunction of its negated parts.

mod factor;

use super::intersect::intersect;
use crate::algebra::{Atom, Formula, NumberSet, StepBudget, StringSet, ValueSet};
use std::collections::BTreeMap;

/// The maximum number of rounds for the nested disjunctions of one conjunction. A round may reduce a nested chain to a
/// condition of the outer chain.
const MAX_NESTED_ROUNDS: usize = 4;

/// Simplifies a formula, starting with its innermost chains.
pub(super) fn simplify(formula: Formula, budget: &StepBudget) -> Formula {
    match formula {
        Formula::All(formulas) => {
            simplify_conjunction(formulas.into_iter().map(|formula| simplify(formula, budget)).collect(), budget)
        }
        Formula::Any(formulas) => {
            simplify_disjunction(formulas.into_iter().map(|formula| simplify(formula, budget)).collect(), budget)
        }
        other => other,
    }
}

/// Simplifies the disjunction of simplified formulas.
pub(super) fn simplify_disjunction(formulas: Vec<Formula>, budget: &StepBudget) -> Formula {
    simplify_conjunction(formulas.into_iter().map(Formula::negated).collect(), budget).negated()
}

/// Simplifies the conjunction of simplified formulas.
pub(super) fn simplify_conjunction(formulas: Vec<Formula>, budget: &StepBudget) -> Formula {
    let mut formulas = flatten(formulas);
    // Each round factors out one member that several formulas share, so the loop ends.
    loop {
        let Some(merged) = simplify_members(formulas, budget) else { return Formula::Never };
        match factor::factor_out(merged, budget) {
            Ok(shorter) => formulas = flatten(shorter),
            Err(formulas) => return conjunction(formulas),
        }
    }
}

/// Simplifies each formula of a conjunction under the assumption that the others are true; `None` if they are never
/// true together.
fn simplify_members(mut formulas: Vec<Formula>, budget: &StepBudget) -> Option<Vec<Formula>> {
    for _ in 0..MAX_NESTED_ROUNDS {
        let (simplified, changed) = simplify_nested_disjunctions(merge_subjects(formulas)?, budget);
        formulas = flatten(simplified);
        if !changed {
            break;
        }
    }
    remove_implied(merge_subjects(formulas)?, budget)
}

/// Joins formulas with `and`. A single formula is returned unchanged, and no formulas give [`Formula::Always`].
pub(super) fn conjunction(mut formulas: Vec<Formula>) -> Formula {
    match (formulas.len(), formulas.pop()) {
        (1, Some(only)) => only,
        (_, None) => Formula::Always,
        (_, Some(last)) => {
            formulas.push(last);
            Formula::All(formulas)
        }
    }
}

/// Flattens nested conjunctions, and drops formulas that are always true.
fn flatten(formulas: Vec<Formula>) -> Vec<Formula> {
    let mut result = Vec::with_capacity(formulas.len());
    for formula in formulas {
        match formula {
            Formula::Always => {}
            Formula::All(inner) => result.extend(flatten(inner)),
            other => result.push(other),
        }
    }
    result
}

/// Merges the conditions on each subject, in the position of its first condition; `None` if they are never true
/// together.
fn merge_subjects(formulas: Vec<Formula>) -> Option<Vec<Formula>> {
    let mut group_indexes: BTreeMap<(&'static str, Option<String>), usize> = BTreeMap::new();
    let mut groups: Vec<Vec<Formula>> = Vec::new();
    for formula in formulas {
        match formula {
            Formula::Never => return None,
            Formula::Atom(atom) => {
                let key = (atom.subject.field.name, atom.subject.element.clone());
                let index = *group_indexes.entry(key).or_insert(groups.len());
                match groups.get_mut(index) {
                    Some(group) => group.push(Formula::Atom(atom)),
                    None => groups.push(vec![Formula::Atom(atom)]),
                }
            }
            other => groups.push(vec![other]),
        }
    }
    let mut result = Vec::new();
    for group in groups {
        match group.as_slice() {
            [_] => result.extend(group),
            _ => result.extend(intersect(group)?),
        }
    }
    Some(result)
}

/// Simplifies each nested disjunction under the assumption that the other conditions are true. The flag is whether a
/// formula changed.
fn simplify_nested_disjunctions(formulas: Vec<Formula>, budget: &StepBudget) -> (Vec<Formula>, bool) {
    let atoms: Vec<Atom> = formulas
        .iter()
        .filter_map(|formula| match formula {
            Formula::Atom(atom) => Some((**atom).clone()),
            _ => None,
        })
        .collect();
    let mut changed = false;
    let result = formulas
        .into_iter()
        .map(|formula| match formula {
            Formula::Any(_) if !atoms.is_empty() => match simplify_assuming(&formula, &atoms, budget) {
                Some(shorter) => {
                    changed = true;
                    simplify(shorter, budget)
                }
                None => formula,
            },
            other => other,
        })
        .collect();
    (result, changed)
}

/// Simplifies a formula under the assumption that all atoms are true; `None` if nothing changes.
fn simplify_assuming(formula: &Formula, atoms: &[Atom], budget: &StepBudget) -> Option<Formula> {
    match formula {
        Formula::Atom(atom) => {
            let mut others = atoms.iter().filter(|other| other.subject == atom.subject);
            if !budget.take(atoms.len() + atom.values.size()) {
                return None;
            }
            others.find_map(|other| {
                let is_within_budget = budget.take(other.values.size() + atom.values.size());
                match is_within_budget {
                    true if other.implies(atom) => Some(Formula::Always),
                    true if other.excludes(atom) => Some(Formula::Never),
                    true => narrow(atom, other),
                    false => None,
                }
            })
        }
        Formula::All(formulas) => simplify_all_assuming(formulas, atoms, budget).map(Formula::All),
        Formula::Any(formulas) => simplify_all_assuming(formulas, atoms, budget).map(Formula::Any),
        Formula::Always | Formula::Never => None,
    }
}

/// Drops the listed strings, or the bounds, that a known condition on the same subject makes redundant; `None` if there
/// are none.
fn narrow(atom: &Atom, other: &Atom) -> Option<Formula> {
    match (&atom.values, &other.values) {
        (ValueSet::Strings(texts), _) => {
            let items = texts.items.iter().filter(|text| other.values.has_text(text)).cloned().collect();
            let shorter = StringSet { items, negated: texts.negated };
            let is_shorter = shorter.items.len() < texts.items.len();
            is_shorter.then(|| Formula::from_values(atom.subject.clone(), ValueSet::Strings(shorter)))
        }
        (ValueSet::Numbers(numbers), ValueSet::Numbers(other)) => {
            let formula = |numbers| Formula::from_values(atom.subject.clone(), ValueSet::Numbers(numbers));
            let intersection = formula(numbers.intersection(other));
            let union = formula(NumberSet::union(&[numbers, &other.complement()], numbers.kind()));
            let shortest = if union.operator_count() < intersection.operator_count() { union } else { intersection };
            (shortest.operator_count() < atom.operator_count()).then_some(shortest)
        }
        _ => None,
    }
}

fn simplify_all_assuming(formulas: &[Formula], atoms: &[Atom], budget: &StepBudget) -> Option<Vec<Formula>> {
    let shorter: Vec<Option<Formula>> =
        formulas.iter().map(|formula| simplify_assuming(formula, atoms, budget)).collect();
    if shorter.iter().all(Option::is_none) {
        return None;
    }
    Some(
        shorter
            .into_iter()
            .zip(formulas)
            .map(|(shorter, formula)| shorter.unwrap_or_else(|| formula.clone()))
            .collect(),
    )
}

/// Drops each condition that another condition implies; `None` if two conditions exclude each other.
fn remove_implied(formulas: Vec<Formula>, budget: &StepBudget) -> Option<Vec<Formula>> {
    let mut retained: Vec<Formula> = Vec::new();
    for formula in formulas {
        if budget.is_spent() {
            retained.push(formula);
            continue;
        }
        if retained.iter().any(|other| budget.take(1) && other.excludes(&formula, budget)) {
            return None;
        }
        if retained.iter().any(|other| budget.take(1) && other.implies(&formula, budget)) {
            continue;
        }
        retained.retain(|other| !(budget.take(1) && formula.implies(other, budget)));
        retained.push(formula);
    }
    Some(retained)
}
