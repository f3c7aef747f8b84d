//! Lints about the conditions of one chain: nested lists of one operator, considered as one.
//!
//! Under `or`, the formulas are negated: if two of them are never true together, every line matches one of the
//! conditions.

use super::{Linter, ListContext, nesting::operator_name, removal_fix};
use crate::{
    Comparison, Test, TestKind,
    algebra::Formula,
    ast::{Node, NodeKind},
    code, print_node,
    simplify::intersect,
};
use std::collections::BTreeMap;
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span};

/// A condition of a chain, possibly in a nested list of the same operator.
pub(super) struct ChainItem<'a> {
    pub(super) span: Span,
    /// The list that contains it.
    pub(super) list: &'a [Node],
    pub(super) index: usize,
    pub(super) comparison: Option<&'a Comparison>,
    /// The formula; negated under `or`.
    formula: Formula,
    /// Whether a lint covers it already.
    pub(super) reported: bool,
}

impl<'a> Linter<'a> {
    pub(super) fn check_chain(&mut self, node: &'a Node, nodes: &'a [Node], tests: &'a [Test], context: ListContext) {
        let mut items = Vec::new();
        flatten_chain(nodes, tests, context, &mut items);
        let groups = groups(&items);
        for group in groups.values().filter(|group| group.len() > 1) {
            self.check_same_field(node, &mut items, group, context);
        }
        self.check_pairs(&mut items, context);
        for group in groups.values() {
            self.check_repeated(&mut items, group, context);
        }
    }

    /// Reports conditions on one subject that are never true together, or, under `or`, that match every line.
    fn check_same_field(&mut self, node: &Node, items: &mut [ChainItem<'a>], group: &[usize], context: ListContext) {
        let members: Vec<&ChainItem<'a>> = group.iter().filter_map(|index| items.get(*index)).collect();
        if intersect(members.iter().map(|item| item.formula.clone()).collect()).is_some() {
            return;
        }
        let Some(name) = members.first().and_then(|item| item.comparison).map(|comparison| comparison.field.name)
        else {
            return;
        };
        // Two of them are usually enough.
        let pair = members.iter().enumerate().find_map(|(index, first)| {
            let excludes = |second: &&&ChainItem<'a>| first.formula.excludes(&second.formula, &self.budget);
            members.iter().skip(index + 1).find(excludes).map(|second| vec![*first, *second])
        });
        let related = pair.as_ref().unwrap_or(&members);
        let (Some(first), Some(last)) = (related.first(), related.last()) else { return };
        let span = first.span.to(last.span);
        let negated =
            |item: &&ChainItem<'a>| item.comparison.is_some_and(|comparison| comparison.operator.is_negated());
        let diagnostic = match context {
            ListContext::Or if members.iter().all(negated) => {
                let diagnostic = Diagnostic::warning(
                    code::EXCLUSION_UNDER_OR,
                    span,
                    format!("every line matches: any value of `{name}` differs from at least one of these"),
                )
                .with_help("to exclude all of them, replace `or` with `and`");
                match replace_or_with_and(node) {
                    Some(fix) if members.len() == items.len() => diagnostic.with_fix(fix),
                    _ => diagnostic,
                }
            }
            ListContext::Or => Diagnostic::warning(
                code::ALWAYS_MATCHES,
                span,
                format!("every line matches: every value of `{name}` matches one of these"),
            ),
            _ => {
                let diagnostic = Diagnostic::warning(
                    code::NEVER_MATCHES,
                    span,
                    format!("no line matches: no value of `{name}` matches all of these"),
                );
                match members.iter().any(negated) {
                    true => diagnostic,
                    false => diagnostic.with_help("if one of them is enough, replace `and` with `or`"),
                }
            }
        };
        let diagnostic = related
            .iter()
            .take(4)
            .fold(diagnostic, |diagnostic, item| diagnostic.with_related(item.span, "one of them"));
        self.report(diagnostic);
        for index in group {
            if let Some(item) = items.get_mut(*index) {
                item.reported = true;
            }
        }
    }

    /// Reports conditions that are equivalent to another, imply another or exclude another.
    fn check_pairs(&mut self, items: &mut [ChainItem<'a>], context: ListContext) {
        for second in 0..items.len() {
            if self.budget.is_spent() {
                return;
            }
            for first in 0..second {
                self.check_pair(items, first, second, context);
            }
        }
    }

    fn check_pair(&mut self, items: &mut [ChainItem<'a>], first: usize, second: usize, context: ListContext) {
        let (Some(left), Some(right)) = (items.get(first), items.get(second)) else { return };
        if left.reported || right.reported || !self.budget.take(1) {
            return;
        }
        let operator = operator_name(context);
        let (redundant, other, diagnostic) = if left.formula.implies(&right.formula, &self.budget) {
            if right.formula.implies(&left.formula, &self.budget) {
                let message = match is_spelled_alike(left, right) {
                    true => "duplicate condition",
                    false => "another condition is equivalent",
                };
                let diagnostic = Diagnostic::warning(code::DUPLICATE_CONDITION, right.span, message);
                (second, left, diagnostic)
            } else {
                (second, left, implied_condition(right, context))
            }
        } else if right.formula.implies(&left.formula, &self.budget) {
            (first, right, implied_condition(left, context))
        } else {
            if !are_same_field_comparisons(left, right) && left.formula.excludes(&right.formula, &self.budget) {
                let message = match context {
                    ListContext::Or => "every line matches: one of the two is always true",
                    _ => "no line matches: the two are never true together",
                };
                let code = if context == ListContext::Or { code::ALWAYS_MATCHES } else { code::NEVER_MATCHES };
                let diagnostic = Diagnostic::warning(code, left.span.to(right.span), message)
                    .with_related(left.span, "one of them")
                    .with_related(right.span, "the other");
                self.report(diagnostic);
                self.mark(items, [first, second]);
            }
            return;
        };
        let spans = |item: &ChainItem<'a>| item.list.iter().map(|node| node.span).collect::<Vec<_>>();
        let diagnostic =
            diagnostic.with_related(other.span, format!("the other condition under the same `{operator}`"));
        let diagnostic = match items.get(redundant).and_then(|item| removal_fix("remove it", &spans(item), item.index))
        {
            Some(fix) => diagnostic.with_fix(fix),
            None => diagnostic,
        };
        self.report(diagnostic);
        self.mark(items, [redundant]);
    }

    fn mark(&mut self, items: &mut [ChainItem<'a>], indexes: impl IntoIterator<Item = usize>) {
        for index in indexes {
            if let Some(item) = items.get_mut(index) {
                item.reported = true;
            }
        }
    }
}

/// Returns the fix that replaces the `or` of the node with `and`.
fn replace_or_with_and(node: &Node) -> Option<Fix> {
    let NodeKind::Or(nodes) = &node.kind else { return None };
    let all = Node { kind: NodeKind::And(nodes.clone()), span: node.span };
    Some(Fix::unsafe_edits("replace `or` with `and`", vec![Edit::replace(node.span, print_node(&all))]))
}

/// Returns whether both items are comparisons. `check_same_field` reports the exclusions of all comparisons together.
fn are_same_field_comparisons(left: &ChainItem<'_>, right: &ChainItem<'_>) -> bool {
    left.comparison.is_some() && right.comparison.is_some()
}

/// Returns whether both items have the same operator and value.
fn is_spelled_alike(left: &ChainItem<'_>, right: &ChainItem<'_>) -> bool {
    match (left.comparison, right.comparison) {
        (Some(left), Some(right)) => left.operator == right.operator && left.operand == right.operand,
        _ => true,
    }
}

fn implied_condition(item: &ChainItem<'_>, context: ListContext) -> Diagnostic {
    let message = match context {
        ListContext::Or => "redundant: another condition already matches all of these lines",
        _ => "redundant: another condition already requires this",
    };
    Diagnostic::warning(code::REDUNDANT_CONDITION, item.span, message)
}

fn flatten_chain<'a>(nodes: &'a [Node], tests: &'a [Test], context: ListContext, items: &mut Vec<ChainItem<'a>>) {
    for (index, (node, test)) in nodes.iter().zip(tests).enumerate() {
        match (&node.kind, &test.kind) {
            (NodeKind::And(nodes), TestKind::All(tests)) if context == ListContext::And => {
                flatten_chain(nodes, tests, context, items)
            }
            (NodeKind::Or(nodes), TestKind::Any(tests)) if context == ListContext::Or => {
                flatten_chain(nodes, tests, context, items)
            }
            (_, kind) => {
                let comparison = match kind {
                    TestKind::Comparison(comparison) => Some(comparison),
                    _ => None,
                };
                let formula = Formula::from_test(test);
                let formula = if context == ListContext::Or { formula.negated() } else { formula };
                // Another lint covers a condition that is always or never true by itself.
                let reported = matches!(formula, Formula::Always | Formula::Never);
                items.push(ChainItem { span: node.span, list: nodes, index, comparison, formula, reported });
            }
        }
    }
}

/// Groups the conditions by subject.
fn groups(items: &[ChainItem<'_>]) -> BTreeMap<(&'static str, Option<String>), Vec<usize>> {
    let mut groups: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (index, item) in items.iter().enumerate() {
        if let Formula::Atom(atom) = &item.formula {
            let key = (atom.subject.field.name, atom.subject.element.clone());
            groups.entry(key).or_default().push(index);
        }
    }
    groups
}
