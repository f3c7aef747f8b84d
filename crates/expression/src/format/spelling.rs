//! Spells operators and other tokens.

use super::Spelling;
use crate::ast::{Comparison, ComparisonOperator, Index, LogicalOperator};
use zonewright_diagnostic::Span;

/// The source, with the requested spelling of operators.
pub(super) struct TokenSpeller<'s> {
    source: &'s str,
    spelling: Spelling,
}

impl<'s> TokenSpeller<'s> {
    pub(super) fn new(source: &'s str, spelling: Spelling) -> Self {
        TokenSpeller { source, spelling }
    }

    /// Returns the source text of a span.
    pub(super) fn source_text(&self, span: Span) -> &'s str {
        span.text(self.source)
    }

    /// Returns the spelling of a binary logical operator: `and`, `&&`, …
    pub(super) fn spell_logical(&self, operator: LogicalOperator, span: Span) -> &'s str {
        match (self.spelling, operator) {
            (Spelling::Preserve, _) => self.source_text(span),
            (Spelling::English, _) => operator.word(),
            (Spelling::Symbols, LogicalOperator::And) => "&&",
            (Spelling::Symbols, LogicalOperator::Or) => "||",
            (Spelling::Symbols, LogicalOperator::Xor) => "^^",
        }
    }

    /// Returns the spelling of a negation: `not` or `!`.
    pub(super) fn spell_not(&self, span: Span) -> &'s str {
        match self.spelling {
            Spelling::Preserve => self.source_text(span),
            Spelling::English => "not",
            Spelling::Symbols => "!",
        }
    }

    /// Returns the spelling of a comparison operator.
    pub(super) fn spell_comparison(&self, comparison: &Comparison) -> &'s str {
        let spelling = self.source_text(comparison.operator_span);
        match self.spelling {
            Spelling::Preserve => spelling,
            Spelling::English => comparison.operator.word(),
            Spelling::Symbols => match symbol(comparison.operator) {
                // The parser reads `&` as a misspelled `&&` unless a number follows.
                "&" if !begins_as_number(self.source_text(comparison.right.span)) => spelling,
                symbol => symbol,
            },
        }
    }

    /// Returns an index without whitespace inside its brackets.
    pub(super) fn spell_index(&self, index: &Index) -> String {
        let text = self.source_text(index.span);
        let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
        format!("[{}]", inner.trim_matches([' ', '\n', '\r']))
    }
}

fn begins_as_number(text: &str) -> bool {
    text.strip_prefix('-').unwrap_or(text).starts_with(|c: char| c.is_ascii_digit())
}

/// Returns the symbol of an operator, or its word if it has no symbol.
fn symbol(operator: ComparisonOperator) -> &'static str {
    match operator {
        ComparisonOperator::Equal => "==",
        ComparisonOperator::NotEqual => "!=",
        ComparisonOperator::Less => "<",
        ComparisonOperator::LessOrEqual => "<=",
        ComparisonOperator::Greater => ">",
        ComparisonOperator::GreaterOrEqual => ">=",
        ComparisonOperator::Matches => "~",
        ComparisonOperator::BitwiseAnd => "&",
        ComparisonOperator::Contains
        | ComparisonOperator::Wildcard
        | ComparisonOperator::StrictWildcard
        | ComparisonOperator::In => operator.word(),
    }
}
