//! Lints on chains of logical operators: duplicate operands, opposites, and comparisons that one set replaces.

use super::{
    Linter,
    atom::{Atom, Test},
    fingerprint, presence,
};
use crate::{
    ast::{ComparisonOperator, LogicalOperator},
    code, edit,
    resolved::{Comparison, Condition, ConditionKind, RightOperand},
};
use std::collections::BTreeMap;
use zonewright_diagnostic::{Applicability, Diagnostic, Edit, Fix, Span};

/// Indexes of operands by fingerprint. All maps have one type, so that it is compiled once.
type Indexes = BTreeMap<u128, usize>;

/// An operand of a chain that is an atom.
pub(super) struct ChainAtom<'a> {
    /// The index of the operand in the chain.
    pub(super) index: usize,
    pub(super) span: Span,
    pub(super) atom: Atom<'a>,
}

impl Linter<'_> {
    /// Lints the operands of a chain together. `fingerprints` are their fingerprints.
    pub(super) fn lint_chain(&mut self, operator: LogicalOperator, operands: &[Condition], fingerprints: &[u128]) {
        let duplicates = self.lint_duplicates(operator, operands, fingerprints);
        if operator == LogicalOperator::Xor {
            return;
        }
        let mut is_settled = self.lint_opposites(operator, operands, fingerprints);
        for chain_atoms in group_by_subject(operands, &duplicates) {
            is_settled = is_settled || self.lint_contradiction(operator, &chain_atoms);
            if is_settled {
                continue;
            }
            let subsumed = self.lint_subsumed_operands(operator, operands, &chain_atoms);
            let chain_atoms: Vec<&ChainAtom<'_>> =
                chain_atoms.iter().filter(|chain_atom| !subsumed.contains(&chain_atom.index)).collect();
            self.lint_repeated(operator, operands, &chain_atoms);
        }
    }

    /// Reports duplicate operands and returns their indexes.
    fn lint_duplicates(
        &mut self,
        operator: LogicalOperator,
        operands: &[Condition],
        fingerprints: &[u128],
    ) -> Vec<usize> {
        let mut first_indexes = Indexes::new();
        let mut duplicates = Vec::new();
        for (index, (operand, fingerprint)) in operands.iter().zip(fingerprints).enumerate() {
            let first_index = *first_indexes.entry(*fingerprint).or_insert(index);
            let Some(earlier) = operands.get(first_index).filter(|_| first_index < index) else { continue };
            duplicates.push(index);
            let diagnostic =
                Diagnostic::warning(code::DUPLICATE_OPERAND, operand.span, "the same condition appears twice")
                    .with_related(earlier.span, "first used here");
            self.report(match (operator, remove_operand_edit(self.source, operands, index)) {
                (LogicalOperator::Xor, _) => diagnostic.with_help("under `xor` the two cancel each other out"),
                (_, Some(edit)) => diagnostic.with_fix(Fix::safe_edits("remove it", vec![edit])),
                _ => diagnostic,
            });
        }
        duplicates
    }

    /// Reports `a and not a` and `a or not a`; returns whether the chain has such operands.
    fn lint_opposites(&mut self, operator: LogicalOperator, operands: &[Condition], fingerprints: &[u128]) -> bool {
        let has_negation = operands.iter().any(is_negation);
        if !has_negation || operands.iter().any(|operand| !self.can_judge(operator, operand.maps_each())) {
            return false;
        }
        let mut indexes = Indexes::new();
        for (index, fingerprint) in fingerprints.iter().enumerate() {
            indexes.insert(*fingerprint, index);
        }
        for (operand, fingerprint) in operands.iter().zip(fingerprints) {
            let negation = indexes.get(&fingerprint::hash_not(*fingerprint)).and_then(|index| operands.get(*index));
            let Some(negation) = negation else { continue };
            self.report(
                constant_condition_warning(
                    operator,
                    operand.span.to(negation.span),
                    "a condition is combined with its negation",
                )
                .with_related(operand.span, "the condition")
                .with_related(negation.span, "its negation"),
            );
            return true;
        }
        false
    }

    /// Returns whether a chain may be reported as always or never true.
    ///
    /// A contradiction is false for every element: `any(…)` is never true, but `all(…)` is true for an empty array. An
    /// always-true chain is not reported for elements: `any(…)` is false for an empty array.
    pub(super) fn can_judge(&self, operator: LogicalOperator, each: bool) -> bool {
        !each || (operator == LogicalOperator::And && !self.in_all)
    }

    /// Reports `a eq 1 or a eq 2`, `a ne 1 and a ne 2`, and the same with sets.
    fn lint_repeated(&mut self, operator: LogicalOperator, operands: &[Condition], chain_atoms: &[&ChainAtom<'_>]) {
        // `not … ne` is excluded: it is true for a missing value, and membership in a set is not.
        let is_mergeable = |chain_atom: &&&ChainAtom<'_>| {
            let negations = usize::from(chain_atom.atom.negated) + usize::from(chain_atom.atom.is_not_equal);
            negations == usize::from(operator == LogicalOperator::And) && is_set_comparison(operands, chain_atom)
        };
        let chain_atoms: Vec<&ChainAtom<'_>> = chain_atoms.iter().filter(is_mergeable).copied().collect();
        let [first, others @ ..] = chain_atoms.as_slice() else { return };
        if others.is_empty() {
            return;
        }
        let mut items = Vec::new();
        for chain_atom in &chain_atoms {
            items.extend(
                operands.get(chain_atom.index).and_then(find_comparison).map(|comparison| self.item_source(comparison)),
            );
        }
        let left = self.text(first.atom.subject.span);
        let set = format!("{left} in {{{}}}", items.join(" "));
        let is_negated = operator == LogicalOperator::And;
        let replacement = if is_negated { format!("not {set}") } else { set };
        let mut edits = vec![Edit::replace(first.span, replacement)];
        for chain_atom in others {
            edits.extend(remove_operand_edit(self.source, operands, chain_atom.index));
        }
        let last = others.last().map_or(first.span, |chain_atom| chain_atom.span);
        let quoted = super::excerpt::quote_excerpt(left.as_bytes());
        let advice = if is_negated { "a single `not … in` is enough" } else { "a single set is enough" };
        let diagnostic = Diagnostic::hint(
            code::REPEATED_COMPARISON,
            first.span.to(last),
            format!("{quoted} is compared {} times; {advice}", chain_atoms.len()),
        );
        // `ne` is false for a missing value, and `not … in` is true for it.
        let has_ne = chain_atoms.iter().any(|chain_atom| chain_atom.atom.is_not_equal);
        let is_equivalent = !has_ne || presence::is_never_missing(first.atom.subject);
        let can_fix = !is_negated || self.can_nest;
        let diagnostic = match (can_fix, is_equivalent) {
            (false, _) => diagnostic,
            (true, true) => self.with_fix(diagnostic, "use one set", edits, Applicability::Safe),
            (true, false) => self.with_fix(
                diagnostic.with_help("unlike `ne`, `not … in` also matches requests without the value"),
                "use one set",
                edits,
                Applicability::Unsafe,
            ),
        };
        self.report(diagnostic);
    }

    /// Returns the source of the literals of a comparison.
    fn item_source(&self, comparison: &Comparison) -> String {
        let spans: Vec<Span> = match &comparison.right {
            RightOperand::Texts(items) => items.iter().map(|item| item.span).collect(),
            RightOperand::Integers(items) => items.iter().map(|item| item.span).collect(),
            RightOperand::Addresses(items) => items.iter().map(|item| item.span).collect(),
            _ => vec![comparison.right_span],
        };
        let texts: Vec<&str> = spans.into_iter().map(|span| self.text(span)).collect();
        texts.join(" ")
    }
}

/// Creates the warning that a chain never matches (`and`), or always matches (`or`).
pub(super) fn constant_condition_warning(operator: LogicalOperator, span: Span, reason: &str) -> Diagnostic {
    match operator {
        LogicalOperator::Or => {
            Diagnostic::warning(code::ALWAYS_MATCHES, span, format!("this is always true: {reason}"))
        }
        _ => Diagnostic::warning(code::NEVER_MATCHES, span, format!("this is never true: {reason}")),
    }
}

/// Returns the edit that removes an operand from its chain.
pub(super) fn remove_operand_edit(source: &str, operands: &[Condition], index: usize) -> Option<Edit> {
    let operand = operands.get(index)?;
    let span = match index.checked_sub(1).and_then(|previous| operands.get(previous)) {
        Some(previous) => Span::new(previous.span.end, operand.span.end),
        None => Span::new(operand.span.start, operands.get(1)?.span.start),
    };
    Some(edit::delete(source, span))
}

/// Groups the operands that test the same value, in source order and without the duplicates.
fn group_by_subject<'a>(operands: &'a [Condition], duplicates: &[usize]) -> Vec<Vec<ChainAtom<'a>>> {
    let mut groups: BTreeMap<usize, Vec<ChainAtom<'a>>> = BTreeMap::new();
    let mut first_indexes = Indexes::new();
    let mut duplicates = duplicates.iter().peekable();
    for (index, operand) in operands.iter().enumerate() {
        if duplicates.next_if(|duplicate| **duplicate == index).is_some() {
            continue;
        }
        // An empty set has a separate lint.
        let Some(atom) = Atom::from_condition(operand).filter(|atom| !atom.test.is_empty()) else { continue };
        let first_index = *first_indexes.entry(fingerprint::hash_operand(atom.subject)).or_insert(index);
        groups.entry(first_index).or_default().push(ChainAtom { index, span: operand.span, atom });
    }
    groups.into_values().filter(|chain_atoms| chain_atoms.len() > 1).collect()
}

/// Returns whether an operand is `eq`, `ne` or `in` with literals.
fn is_set_comparison(operands: &[Condition], chain_atom: &ChainAtom<'_>) -> bool {
    let comparison = operands.get(chain_atom.index).and_then(find_comparison);
    let is_listable = comparison.is_some_and(|comparison| {
        matches!(comparison.operator, ComparisonOperator::Equal | ComparisonOperator::NotEqual | ComparisonOperator::In)
    });
    is_listable && matches!(chain_atom.atom.test, Test::Texts(_) | Test::Integers(_) | Test::Addresses(_))
}

/// Returns whether a condition is `not …`, ignoring parentheses around it.
fn is_negation(condition: &Condition) -> bool {
    match &condition.kind {
        ConditionKind::Group(inner) => is_negation(inner),
        kind => matches!(kind, ConditionKind::Not(_)),
    }
}

/// Returns the comparison of a condition, ignoring parentheses and `not`.
fn find_comparison(condition: &Condition) -> Option<&Comparison> {
    let mut condition = condition;
    loop {
        match &condition.kind {
            ConditionKind::Group(inner) | ConditionKind::Not(inner) => condition = inner,
            ConditionKind::Comparison(comparison) => return Some(comparison),
            _ => return None,
        }
    }
}
