//! Intersects conditions on one subject.

use crate::algebra::{Atom, Formula, NumberSet, StringSet, Subject, SubstringSet, ValueSet};
use std::collections::BTreeSet;
use zonewright_diagnostic::sort_by_key;

/// The maximum number of string comparisons; beyond it, conditions are not merged.
const MAX_STRING_COMPARISONS: usize = 1 << 20;

/// Returns equivalent conditions, and usually fewer, for a conjunction of atoms on one subject; `None` if they are
/// never true together. `atoms` must not be empty.
pub(crate) fn intersect(atoms: Vec<Formula>) -> Option<Vec<Formula>> {
    let mut subject = None;
    let (mut numbers, mut texts, mut parts) = (Vec::new(), Vec::new(), Vec::new());
    for formula in atoms {
        let Formula::Atom(atom) = formula else { continue };
        let Atom { subject: atom_subject, values } = *atom;
        subject = Some(atom_subject);
        match values {
            ValueSet::Numbers(set) => numbers.push(set),
            ValueSet::Strings(set) => texts.push(set),
            ValueSet::Substring(part) => parts.push(part),
        }
    }
    let subject = subject?;
    if let Some(first) = numbers.first() {
        let excluded: Vec<NumberSet> = numbers.iter().map(NumberSet::complement).collect();
        let set = NumberSet::union(&excluded.iter().collect::<Vec<_>>(), first.kind()).complement();
        return satisfiable_formula(ValueSet::Numbers(set), &subject).map(|formula| vec![formula]);
    }
    let items: usize = texts.iter().map(|texts| texts.items.len()).sum();
    if (items + parts.len()).saturating_mul(parts.len()) > MAX_STRING_COMPARISONS {
        let values = texts.into_iter().map(ValueSet::Strings).chain(parts.into_iter().map(ValueSet::Substring));
        return values.map(|values| satisfiable_formula(values, &subject)).collect();
    }
    let (mut listed, excluded): (Vec<StringSet>, Vec<StringSet>) = texts.into_iter().partition(|texts| !texts.negated);
    let excluded: BTreeSet<String> = excluded.into_iter().flat_map(|texts| texts.items).collect();
    sort_by_key(&mut listed, |texts| texts.items.len());
    let mut listed = listed.into_iter();
    match listed.next() {
        Some(mut first) => {
            let others: Vec<StringSet> = listed.collect();
            first.items.retain(|text| !excluded.contains(text) && others.iter().all(|set| set.has(text)));
            first.items.retain(|text| parts.iter().all(|part| part.has(text)));
            satisfiable_formula(ValueSet::Strings(first), &subject).map(|formula| vec![formula])
        }
        None => intersect_substrings(parts, excluded, &subject),
    }
}

/// Merges substring conditions and excluded strings.
fn intersect_substrings(
    parts: Vec<SubstringSet>,
    mut excluded: BTreeSet<String>,
    subject: &Subject,
) -> Option<Vec<Formula>> {
    let mut retained: Vec<SubstringSet> = Vec::new();
    for part in parts {
        let opposite = SubstringSet { negated: !part.negated, ..part.clone() };
        if retained.iter().any(|other| other.is_subset(&opposite)) {
            return None;
        }
        if !retained.iter().any(|other| other.is_subset(&part)) {
            retained.retain(|other| !part.is_subset(other));
            retained.push(part);
        }
    }
    // An excluded string that fails a substring condition is redundant.
    excluded.retain(|text| retained.iter().all(|part| part.has(text)));
    let mut values: Vec<ValueSet> = retained.into_iter().map(ValueSet::Substring).collect();
    if !excluded.is_empty() {
        values.push(ValueSet::Strings(StringSet { items: excluded, negated: true }));
    }
    values.into_iter().map(|values| satisfiable_formula(values, subject)).collect()
}

/// Returns the condition that the subject has one of these values; `None` if it is never true.
fn satisfiable_formula(values: ValueSet, subject: &Subject) -> Option<Formula> {
    match Formula::from_values(subject.clone(), values) {
        Formula::Never => None,
        formula => Some(formula),
    }
}
