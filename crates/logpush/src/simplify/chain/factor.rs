//! Factors out conditions that several alternatives share.

use super::{simplify_conjunction, simplify_disjunction};
use crate::algebra::{Formula, StepBudget};

/// Replaces `(a or b) and (a or c)` with `a or (b and c)`. `Err` returns the formulas unchanged if no two chains share
/// a member.
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

/// Returns the member whose factoring saves the most conditions.
fn best_common_factor(formulas: &[Formula], budget: &StepBudget) -> Option<Formula> {
    let chains: Vec<&Vec<Formula>> = formulas
        .iter()
        .filter_map(|formula| match formula {
            Formula::Any(members) => Some(members),
            _ => None,
        })
        .collect();
    let mut best: Option<(usize, &Formula)> = None;
    for (index, chain) in chains.iter().enumerate() {
        for member in chain.iter() {
            let later = chains.get(index + 1..).unwrap_or_default();
            let steps = later.iter().map(|chain| chain.len()).sum::<usize>() + member.size();
            if !budget.take(steps) {
                return best.map(|(_, formula)| formula.clone());
            }
            let times = later.iter().filter(|chain| chain.contains(member)).count();
            let saved = times * member.operator_count();
            if saved > best.map_or(0, |(max_saved, _)| max_saved) {
                best = Some((saved, member));
            }
        }
    }
    best.map(|(_, formula)| formula.clone())
}
