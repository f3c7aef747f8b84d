//! What several alternatives share is said once.

use super::chain::any;
use crate::meaning::{Budget, Form};

/// Under `and`: `(a or b) and (a or c)` becomes `a or (b and c)`. `Err` gives the forms back when no two
/// chains share anything.
pub(super) fn factored(forms: Vec<Form>, budget: &Budget) -> Result<Vec<Form>, Vec<Form>> {
    let Some(shared) = most_shared(&forms, budget) else { return Err(forms) };
    let mut rest = Vec::new();
    let mut without = Vec::new();
    let mut place = 0;
    for form in forms {
        match form {
            Form::Any(members) if members.contains(&shared) => {
                let others: Vec<Form> = members.into_iter().filter(|member| *member != shared).collect();
                if without.is_empty() {
                    place = rest.len();
                }
                without.push(any(others, budget));
            }
            other => rest.push(other),
        }
    }
    let together = super::chain::all(without, budget);
    rest.insert(place, any(vec![shared, together], budget));
    Ok(rest)
}

/// What saves most conditions when it is said once.
fn most_shared(forms: &[Form], budget: &Budget) -> Option<Form> {
    let chains: Vec<&Vec<Form>> = forms
        .iter()
        .filter_map(|form| match form {
            Form::Any(members) => Some(members),
            _ => None,
        })
        .collect();
    let mut best: Option<(usize, &Form)> = None;
    for (place, chain) in chains.iter().enumerate() {
        for member in chain.iter() {
            let later = chains.get(place + 1..).unwrap_or_default();
            let steps = later.iter().map(|chain| chain.len()).sum::<usize>() + member.size();
            if !budget.take(steps) {
                return best.map(|(_, form)| form.clone());
            }
            let times = later.iter().filter(|chain| chain.contains(member)).count();
            let saved = times * member.operators();
            if saved > best.map_or(0, |(most, _)| most) {
                best = Some((saved, member));
            }
        }
    }
    best.map(|(_, form)| form.clone())
}
