//! Conditions on one subject.

use crate::meaning::{Atom, Form, Numbers, Part, Subject, Texts, Values};
use std::collections::BTreeSet;

/// Comparisons of texts beyond which conditions stay side by side.
const MOST_WORK: usize = 1 << 20;

/// Conditions on one subject that hold together, in fewer ones; `None` when they never do.
pub(crate) fn together(atoms: Vec<Form>) -> Option<Vec<Form>> {
    let mut subject = None;
    let (mut numbers, mut texts, mut parts) = (Vec::new(), Vec::new(), Vec::new());
    for form in atoms {
        let Form::Atom(atom) = form else { continue };
        let Atom { subject: of, values } = *atom;
        subject = Some(of);
        match values {
            Values::Numbers(set) => numbers.push(set),
            Values::Texts(set) => texts.push(set),
            Values::Part(part) => parts.push(part),
        }
    }
    let subject = subject?;
    if let Some(first) = numbers.first() {
        let excluded: Vec<Numbers> = numbers.iter().map(Numbers::complement).collect();
        let set = Numbers::union(&excluded.iter().collect::<Vec<_>>(), first.scale()).complement();
        return some(Values::Numbers(set), &subject).map(|form| vec![form]);
    }
    let items: usize = texts.iter().map(|texts| texts.items.len()).sum();
    if (items + parts.len()).saturating_mul(parts.len()) > MOST_WORK {
        let values = texts.into_iter().map(Values::Texts).chain(parts.into_iter().map(Values::Part));
        return values.map(|values| some(values, &subject)).collect();
    }
    let (mut listed, excluded): (Vec<Texts>, Vec<Texts>) = texts.into_iter().partition(|texts| !texts.negated);
    let excluded: BTreeSet<String> = excluded.into_iter().flat_map(|texts| texts.items).collect();
    listed.sort_by_key(|texts| texts.items.len());
    let mut listed = listed.into_iter();
    match listed.next() {
        Some(mut first) => {
            let others: Vec<Texts> = listed.collect();
            first.items.retain(|text| !excluded.contains(text) && others.iter().all(|set| set.has(text)));
            first.items.retain(|text| parts.iter().all(|part| part.has(text)));
            some(Values::Texts(first), &subject).map(|form| vec![form])
        }
        None => pieces_together(parts, excluded, &subject),
    }
}

/// Pieces that texts have or lack, and texts that they are not.
fn pieces_together(parts: Vec<Part>, mut excluded: BTreeSet<String>, subject: &Subject) -> Option<Vec<Form>> {
    let mut kept: Vec<Part> = Vec::new();
    for part in parts {
        let opposite = Part { negated: !part.negated, ..part.clone() };
        if kept.iter().any(|other| other.is_within(&opposite)) {
            return None;
        }
        if !kept.iter().any(|other| other.is_within(&part)) {
            kept.retain(|other| !part.is_within(other));
            kept.push(part);
        }
    }
    // What lacks a piece that is asked for needs no mention.
    excluded.retain(|text| kept.iter().all(|part| part.has(text)));
    let mut values: Vec<Values> = kept.into_iter().map(Values::Part).collect();
    if !excluded.is_empty() {
        values.push(Values::Texts(Texts { items: excluded, negated: true }));
    }
    values.into_iter().map(|values| some(values, subject)).collect()
}

fn some(values: Values, subject: &Subject) -> Option<Form> {
    match values.form(subject.clone()) {
        Form::Never => None,
        form => Some(form),
    }
}
