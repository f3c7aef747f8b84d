//! Factors out a formula that several disjunctions share.

use super::{simplify_conjunction, simplify_disjunction};
use crate::algebra::{Formula, StepBudget};

/// Replaces `(a or b) and (a or c)` with `a or (b and c)` in the formulas of a conjunction. Returns them unchanged in
/// `Err` if no two disjunctions share a member, or if the budget is spent before one is found.
pub(super) fn factor_out(formulas: Vec<Formula>, budget: &StepBudget) -> Result<Vec<Formula>, Vec<Formula>> {
    let Some(shared) = best_common_factor(&formulas, budget) else { return Err(formulas) };
    let mut others = Vec::new();
    let mut remainders = Vec::new();
    let mut index = 0;
    for formula in formulas {
        match formula {
            Formula::Any(members) if members.contains(&shared) => {
                let remainder: Vec<Formula> = members.into_iter().filter(|member| *member != shared).collect();
                if remainders.is_empty() {
                    index = others.len();
                }
                remainders.push(simplify_disjunction(remainder, budget));
            }
            other => others.push(other),
        }
    }
    let combined = simplify_conjunction(remainders, budget);
    others.insert(index, simplify_disjunction(vec![shared, combined], budget));
    Ok(others)
}

/// Returns the member whose factoring saves the most conditions, among those that the budget suffices to compare.
fn best_common_factor(formulas: &[Formula], budget: &StepBudget) -> Option<Formula> {
    let disjunctions: Vec<&Vec<Formula>> = formulas
        .iter()
        .filter_map(|formula| match formula {
            Formula::Any(members) => Some(members),
            _ => None,
        })
        .collect();
    let mut best: Option<(usize, &Formula)> = None;
    for (index, disjunction) in disjunctions.iter().enumerate() {
        for member in disjunction.iter() {
            let later = disjunctions.get(index + 1..).unwrap_or_default();
            let steps = later.iter().map(|disjunction| disjunction.len()).sum::<usize>() + member.size();
            if !budget.take(steps) {
                return best.map(|(_, formula)| formula.clone());
            }
            let times = later.iter().filter(|disjunction| disjunction.contains(member)).count();
            let saved = times * member.operator_count();
            if saved > best.map_or(0, |(max_saved, _)| max_saved) {
                best = Some((saved, member));
            }
        }
    }
    best.map(|(_, formula)| formula.clone())
}
