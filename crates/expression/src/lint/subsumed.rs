//! Lints on operands that another operand of the chain makes redundant.

use super::{
    Linter,
    chain::{ChainAtom, remove_operand_edit},
    contradiction::implies,
};
use crate::{ast::LogicalOperator, code, resolved::Condition};
use zonewright_diagnostic::{Diagnostic, Fix};

/// The maximum number of tests of one value that are compared with each other.
const MAX_COMPARED_ATOMS: usize = 64;
/// The maximum number of items of a set that is compared with other tests.
const MAX_COMPARED_ITEMS: usize = 256;

impl Linter<'_> {
    /// Reports redundant operands and returns their indexes. Under `or`, an operand is redundant if it implies another
    /// operand; under `and`, if another operand implies it.
    pub(super) fn lint_subsumed_operands(
        &mut self,
        operator: LogicalOperator,
        operands: &[Condition],
        chain_atoms: &[ChainAtom<'_>],
    ) -> Vec<usize> {
        let mut indexes: Vec<usize> = Vec::new();
        let is_comparable = |chain_atom: &&ChainAtom<'_>| {
            !chain_atom.atom.negated
                && !chain_atom.atom.is_not_equal
                && chain_atom.atom.test.size().is_none_or(|size| size <= MAX_COMPARED_ITEMS)
        };
        let chain_atoms: Vec<&ChainAtom<'_>> =
            chain_atoms.iter().filter(is_comparable).take(MAX_COMPARED_ATOMS).collect();
        for (position, chain_atom) in chain_atoms.iter().enumerate() {
            let covers = |(other_position, other): &(usize, &&ChainAtom<'_>)| {
                let (narrow, wide) = match operator {
                    LogicalOperator::Or => (&chain_atom.atom, &other.atom),
                    _ => (&other.atom, &chain_atom.atom),
                };
                // Of two equivalent operands, the first is retained.
                *other_position != position
                    && implies(narrow, wide)
                    && (*other_position < position || !implies(wide, narrow))
            };
            let Some((_, other)) = chain_atoms.iter().enumerate().find(covers) else { continue };
            indexes.push(chain_atom.index);
            let message = match operator {
                LogicalOperator::Or => "a broader condition makes this one redundant",
                _ => "a stricter condition makes this one redundant",
            };
            let diagnostic = Diagnostic::warning(code::REDUNDANT_OPERAND, chain_atom.span, message)
                .with_related(other.span, "the other condition");
            self.report(match remove_operand_edit(self.source, operands, chain_atom.index) {
                Some(edit) => diagnostic.with_fix(Fix::safe_edits("remove it", vec![edit])),
                None => diagnostic,
            });
        }
        indexes
    }
}
