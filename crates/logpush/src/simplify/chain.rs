//! Conditions that hold together. Those of which one holds are the same thing turned round.

use super::{factor, subject::together};
use crate::meaning::{Atom, Budget, Form, Numbers, Texts, Values};
use std::collections::BTreeMap;

/// The form with fewer conditions.
pub(super) fn simplified(form: Form, budget: &Budget) -> Form {
    match form {
        Form::All(forms) => all(forms.into_iter().map(|form| simplified(form, budget)).collect(), budget),
        Form::Any(forms) => any(forms.into_iter().map(|form| simplified(form, budget)).collect(), budget),
        other => other,
    }
}

/// At least one of some simple forms holds.
pub(super) fn any(forms: Vec<Form>, budget: &Budget) -> Form {
    all(forms.into_iter().map(Form::negated).collect(), budget).negated()
}

/// All of some simple forms hold.
pub(super) fn all(forms: Vec<Form>, budget: &Budget) -> Form {
    let mut forms = flat(forms);
    // Each round says something once that was said several times, so it ends.
    loop {
        let Some(settled) = settled(forms, budget) else { return Form::Never };
        match factor::factored(settled, budget) {
            Ok(shorter) => forms = flat(shorter),
            Err(forms) => return joined(forms),
        }
    }
}

/// What the forms leave of each other; `None` when they never hold together.
fn settled(mut forms: Vec<Form>, budget: &Budget) -> Option<Vec<Form>> {
    // A round may turn a chain inside into a condition of this one.
    for _ in 0..4 {
        let (restricted, changed) = restricted(merged(forms)?, budget);
        forms = flat(restricted);
        if !changed {
            break;
        }
    }
    without_covered(merged(forms)?, budget)
}

/// A chain of as many forms as there are.
pub(super) fn joined(mut forms: Vec<Form>) -> Form {
    match (forms.len(), forms.pop()) {
        (1, Some(only)) => only,
        (_, None) => Form::Always,
        (_, Some(last)) => {
            forms.push(last);
            Form::All(forms)
        }
    }
}

/// Chains of `and` inside become part of the chain; what always holds goes away.
fn flat(forms: Vec<Form>) -> Vec<Form> {
    let mut result = Vec::with_capacity(forms.len());
    for form in forms {
        match form {
            Form::Always => {}
            Form::All(inside) => result.extend(flat(inside)),
            other => result.push(other),
        }
    }
    result
}

/// The conditions on one subject as few ones, at the place of the first; `None` when they never hold
/// together.
fn merged(forms: Vec<Form>) -> Option<Vec<Form>> {
    let mut places: BTreeMap<(&'static str, Option<String>), usize> = BTreeMap::new();
    let mut groups: Vec<Vec<Form>> = Vec::new();
    for form in forms {
        match form {
            Form::Never => return None,
            Form::Atom(atom) => {
                let key = (atom.subject.field.name, atom.subject.element.clone());
                let place = *places.entry(key).or_insert(groups.len());
                match groups.get_mut(place) {
                    Some(group) => group.push(Form::Atom(atom)),
                    None => groups.push(vec![Form::Atom(atom)]),
                }
            }
            other => groups.push(vec![other]),
        }
    }
    let mut result = Vec::new();
    for group in groups {
        match group.as_slice() {
            [_] => result.extend(group),
            _ => result.extend(together(group)?),
        }
    }
    Some(result)
}

/// What the other conditions of the chain settle inside each of its chains, and whether that was any.
fn restricted(forms: Vec<Form>, budget: &Budget) -> (Vec<Form>, bool) {
    let atoms: Vec<Atom> = forms
        .iter()
        .filter_map(|form| match form {
            Form::Atom(atom) => Some((**atom).clone()),
            _ => None,
        })
        .collect();
    let mut changed = false;
    let result = forms
        .into_iter()
        .map(|form| match form {
            Form::Any(_) if !atoms.is_empty() => match under(&form, &atoms, budget) {
                Some(shorter) => {
                    changed = true;
                    simplified(shorter, budget)
                }
                None => form,
            },
            other => other,
        })
        .collect();
    (result, changed)
}

/// The form where all of the atoms hold; `None` when they settle nothing in it.
fn under(form: &Form, atoms: &[Atom], budget: &Budget) -> Option<Form> {
    match form {
        Form::Atom(atom) => {
            let mut known = atoms.iter().filter(|known| known.subject == atom.subject);
            if !budget.take(atoms.len() + atom.values.size()) {
                return None;
            }
            known.find_map(|known| {
                let settled = budget.take(known.values.size() + atom.values.size());
                match settled {
                    true if known.implies(atom) => Some(Form::Always),
                    true if known.excludes(atom) => Some(Form::Never),
                    true => narrowed(atom, known),
                    false => None,
                }
            })
        }
        Form::All(forms) => chained(forms, atoms, budget).map(Form::All),
        Form::Any(forms) => chained(forms, atoms, budget).map(Form::Any),
        Form::Always | Form::Never => None,
    }
}

/// A list without the texts that cannot come here, or bounds without those that are known.
fn narrowed(atom: &Atom, known: &Atom) -> Option<Form> {
    match (&atom.values, &known.values) {
        (Values::Texts(texts), _) => {
            let items = texts.items.iter().filter(|text| known.values.has_text(text)).cloned().collect();
            let shorter = Texts { items, negated: texts.negated };
            let is_shorter = shorter.items.len() < texts.items.len();
            is_shorter.then(|| Values::Texts(shorter).form(atom.subject.clone()))
        }
        (Values::Numbers(numbers), Values::Numbers(known)) => {
            let form = |numbers| Values::Numbers(numbers).form(atom.subject.clone());
            let inside = form(numbers.intersection(known));
            let around = form(Numbers::union(&[numbers, &known.complement()], numbers.scale()));
            let shortest = if around.operators() < inside.operators() { around } else { inside };
            (shortest.operators() < atom.written(4).operators()).then_some(shortest)
        }
        _ => None,
    }
}

fn chained(forms: &[Form], atoms: &[Atom], budget: &Budget) -> Option<Vec<Form>> {
    let shorter: Vec<Option<Form>> = forms.iter().map(|form| under(form, atoms, budget)).collect();
    if shorter.iter().all(Option::is_none) {
        return None;
    }
    Some(shorter.into_iter().zip(forms).map(|(shorter, form)| shorter.unwrap_or_else(|| form.clone())).collect())
}

/// Without what another condition implies; `None` when two never hold together.
fn without_covered(forms: Vec<Form>, budget: &Budget) -> Option<Vec<Form>> {
    let mut kept: Vec<Form> = Vec::new();
    for form in forms {
        if budget.is_spent() {
            kept.push(form);
            continue;
        }
        if kept.iter().any(|other| budget.take(1) && other.excludes(&form, budget)) {
            return None;
        }
        if kept.iter().any(|other| budget.take(1) && other.implies(&form, budget)) {
            continue;
        }
        kept.retain(|other| !(budget.take(1) && form.implies(other, budget)));
        kept.push(form);
    }
    Some(kept)
}
