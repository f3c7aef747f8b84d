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
        links: &[ChainAtom<'_>],
    ) -> Vec<usize> {
        let mut indexes: Vec<usize> = Vec::new();
        let is_comparable = |link: &&ChainAtom<'_>| {
            !link.atom.negated
                && !link.atom.is_not_equal
                && link.atom.test.size().is_none_or(|size| size <= MAX_COMPARED_ITEMS)
        };
        let links: Vec<&ChainAtom<'_>> = links.iter().filter(is_comparable).take(MAX_COMPARED_ATOMS).collect();
        for (position, link) in links.iter().enumerate() {
            let covers = |(other_position, other): &(usize, &&ChainAtom<'_>)| {
                let (narrow, wide) = match operator {
                    LogicalOperator::Or => (&link.atom, &other.atom),
                    _ => (&other.atom, &link.atom),
                };
                // Of two equivalent operands, the first is retained.
                *other_position != position
                    && implies(narrow, wide)
                    && (*other_position < position || !implies(wide, narrow))
            };
            let Some((_, other)) = links.iter().enumerate().find(covers) else { continue };
            indexes.push(link.index);
            let message = match operator {
                LogicalOperator::Or => "a broader condition makes this one redundant",
                _ => "a stricter condition makes this one redundant",
            };
            let diagnostic = Diagnostic::warning(code::REDUNDANT_OPERAND, link.span, message)
                .with_related(other.span, "the other condition");
            self.report(match remove_operand_edit(self.source, operands, link.index) {
                Some(edit) => diagnostic.with_fix(Fix::safe_edits("remove it", vec![edit])),
                None => diagnostic,
            });
        }
        indexes
    }
}
