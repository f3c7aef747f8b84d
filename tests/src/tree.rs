//! Compares syntax trees without their spans.

use zonewright_diagnostic::Span;
use zonewright_expression::ast::{Expr, ExprKind, Literal};
use zonewright_expression::parse;

/// Whether two texts have the same syntax tree, regardless of spans, or both have none. The tree does not store the
/// spelling of operators.
pub fn same_tree(a: &str, b: &str) -> bool {
    parse_without_spans(a) == parse_without_spans(b)
}

/// The tree of a text, in which every span is empty and at offset 0.
fn parse_without_spans(source: &str) -> Option<Expr> {
    let mut ast = parse(source).ast?;
    clear_spans(&mut ast);
    Some(ast)
}

fn clear_spans(node: &mut Expr) {
    node.span = Span::empty(0);
    match &mut node.kind {
        ExprKind::Logical(logical) => {
            logical.operands.iter_mut().for_each(clear_spans);
            logical.operators.fill(Span::empty(0));
        }
        ExprKind::Not(not) => {
            not.operator = Span::empty(0);
            clear_spans(&mut not.operand);
        }
        ExprKind::Group(inside) => clear_spans(inside),
        ExprKind::Comparison(comparison) => {
            comparison.operator_span = Span::empty(0);
            clear_spans(&mut comparison.left);
            clear_spans(&mut comparison.right);
        }
        ExprKind::Value(value) => {
            value.name.span = Span::empty(0);
            if let Some(call) = &mut value.call {
                call.span = Span::empty(0);
                call.arguments.iter_mut().for_each(clear_spans);
            }
            value.indexes.iter_mut().for_each(|index| index.span = Span::empty(0));
        }
        ExprKind::Literal(value) => clear_literal_span(value),
        ExprKind::Set(items) => items.iter_mut().for_each(clear_literal_span),
        ExprKind::List(_) | ExprKind::Invalid => {}
    }
}

fn clear_literal_span(literal: &mut Literal) {
    literal.span = Span::empty(0);
}

#[cfg(test)]
mod tests {
    use super::same_tree;

    #[test]
    fn same_tree_ignores_spans_and_nothing_else() {
        assert!(same_tree("a  eq\n1 and b", "a == 1 && b"));
        for other in ["a eq 1", "a eq 01 and b", "(a eq 1) and b", "a ne 1 and b", "a eq 1 or b", "a[0] eq 1 and b"] {
            assert!(!same_tree("a eq 1 and b", other), "{other}");
        }
    }
}
