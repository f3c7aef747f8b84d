//! Lints about repeated comparisons of one key, where one list is equivalent.

use super::{Linter, ListContext, chain::ChainItem, removal_edit};
use crate::{
    Operand, Operator,
    algebra::item_text,
    ast::{Condition, Json, JsonKind, Node, NodeKind, StringLiteral},
    code, print_node,
};
use std::collections::BTreeSet;
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span};

impl<'a> Linter<'a> {
    /// Reports `eq` and `in` under `or`, and `!eq` and `!in` under `and`, of one key in one list.
    pub(super) fn check_repeated(&mut self, items: &mut [ChainItem<'a>], group: &[usize], context: ListContext) {
        let single_operator = if context == ListContext::Or { Operator::Equal } else { Operator::NotEqual };
        let list_operator = to_list_operator(single_operator);
        let is_mergeable = |item: &&ChainItem<'a>| {
            let operator = item.comparison.map(|comparison| comparison.operator);
            !item.is_reported && (operator == Some(single_operator) || operator == Some(list_operator))
        };
        let members: Vec<&ChainItem<'a>> =
            group.iter().filter_map(|index| items.get(*index)).filter(is_mergeable).collect();
        let Some((first, others)) = members.split_first() else { return };
        let others: Vec<&ChainItem<'a>> =
            others.iter().copied().filter(|item| std::ptr::eq(item.list, first.list)).collect();
        let (Some(last), Some(comparison)) = (others.last(), first.comparison) else { return };
        if !list_operator.supports(comparison.field.ty) {
            return;
        }
        let spans: Vec<Span> = first.list.iter().map(|node| node.span).collect();
        let operands: Vec<Operand> = std::iter::once(*first)
            .chain(others.iter().copied())
            .filter_map(|item| item.comparison)
            .flat_map(|comparison| match &comparison.operand {
                Operand::Items(items) => items.clone(),
                operand => vec![operand.clone()],
            })
            .collect();
        let merged = print_node(&build_list_condition(comparison.field.name, list_operator, &operands));
        let mut edits = vec![Edit::replace(first.span, merged)];
        edits.extend(others.iter().filter_map(|item| removal_edit(&spans, item.index)));
        let message = format!(
            "`{}` is compared {} times; one `{}` is equivalent",
            comparison.field.name,
            others.len() + 1,
            list_operator.name()
        );
        let diagnostic = Diagnostic::hint(code::REPEATED_COMPARISON, first.span.to(last.span), message)
            .with_fix(Fix::safe_edits("use one list", edits));
        self.report(diagnostic);
    }
}

fn to_list_operator(single: Operator) -> Operator {
    if single == Operator::Equal { Operator::In } else { Operator::NotIn }
}

/// Builds a condition with a list that contains each item once.
fn build_list_condition(name: &str, operator: Operator, items: &[Operand]) -> Node {
    let span = Span::default();
    let text = |text: &str| Some(StringLiteral { text: text.to_owned(), span });
    let mut texts = BTreeSet::new();
    let items = items.iter().filter(|item| texts.insert(item_text(item))).map(|item| Json {
        kind: match item {
            Operand::Number(number) => JsonKind::Number(number.to_json()),
            other => JsonKind::String(item_text(other)),
        },
        span,
    });
    let value = Json { kind: JsonKind::Array(items.collect()), span };
    let condition = Condition { key: text(name), operator: text(operator.name()), value: Some(value) };
    Node { kind: NodeKind::Condition(Box::new(condition)), span }
}
