//! Lints about the conditions of one chain: nested lists with the same operator are checked as one list.
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

/// The maximum number of conditions that one diagnostic refers to.
const MAX_RELATED_CONDITIONS: usize = 4;

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
    pub(super) is_reported: bool,
}

impl<'a> Linter<'a> {
    pub(super) fn check_chain(&mut self, node: &'a Node, nodes: &'a [Node], tests: &'a [Test], context: ListContext) {
        let mut items = Vec::new();
        flatten_chain(nodes, tests, context, &mut items);
        let groups = group_by_subject(&items);
        for group in groups.values().filter(|group| group.len() > 1) {
            self.check_same_subject(node, &mut items, group, context);
        }
        self.check_pairs(&mut items, context);
        for group in groups.values() {
            self.check_repeated(&mut items, group, context);
        }
    }

    /// Reports conditions on one subject that are never true together, or, under `or`, that match every line.
    fn check_same_subject(&mut self, node: &Node, items: &mut [ChainItem<'a>], group: &[usize], context: ListContext) {
        let group_items: Vec<&ChainItem<'a>> = group.iter().filter_map(|index| items.get(*index)).collect();
        if intersect(group_items.iter().map(|item| item.formula.clone()).collect()).is_some() {
            return;
        }
        let Some(name) = group_items.first().and_then(|item| item.comparison).map(|comparison| comparison.field.name)
        else {
            return;
        };
        // Two of the conditions usually suffice to show the contradiction.
        let pair = group_items.iter().enumerate().find_map(|(index, first)| {
            let excludes = |second: &&&ChainItem<'a>| first.formula.excludes(&second.formula, &self.budget);
            group_items.iter().skip(index + 1).find(excludes).map(|second| vec![*first, *second])
        });
        let related = pair.as_ref().unwrap_or(&group_items);
        let (Some(first), Some(last)) = (related.first(), related.last()) else { return };
        let span = first.span.to(last.span);
        let is_negated =
            |item: &&ChainItem<'a>| item.comparison.is_some_and(|comparison| comparison.operator.is_negated());
        let diagnostic = match context {
            ListContext::Or if group_items.iter().all(is_negated) => {
                let diagnostic = Diagnostic::warning(
                    code::EXCLUSION_UNDER_OR,
                    span,
                    format!("every line matches: any value of `{name}` differs from at least one of these"),
                )
                .with_help("to exclude all of them, replace `or` with `and`");
                match replace_or_with_and(node) {
                    Some(fix) if group_items.len() == items.len() => diagnostic.with_fix(fix),
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
                match group_items.iter().any(is_negated) {
                    true => diagnostic,
                    false => diagnostic.with_help("if one of them is enough, replace `and` with `or`"),
                }
            }
        };
        let diagnostic = related
            .iter()
            .take(MAX_RELATED_CONDITIONS)
            .fold(diagnostic, |diagnostic, item| diagnostic.with_related(item.span, "one of them"));
        self.report(diagnostic);
        for index in group {
            if let Some(item) = items.get_mut(*index) {
                item.is_reported = true;
            }
        }
    }

    /// Reports pairs of conditions in which one implies or excludes the other, or both are equivalent.
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
        if left.is_reported || right.is_reported || !self.budget.take(1) {
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
                (second, left, redundant_condition_warning(right, context))
            }
        } else if right.formula.implies(&left.formula, &self.budget) {
            (first, right, redundant_condition_warning(left, context))
        } else {
            if !are_comparisons(left, right) && left.formula.excludes(&right.formula, &self.budget) {
                let message = match context {
                    ListContext::Or => "every line matches: one of the two is always true",
                    _ => "no line matches: the two are never true together",
                };
                let code = if context == ListContext::Or { code::ALWAYS_MATCHES } else { code::NEVER_MATCHES };
                let diagnostic = Diagnostic::warning(code, left.span.to(right.span), message)
                    .with_related(left.span, "one of them")
                    .with_related(right.span, "the other");
                self.report(diagnostic);
                self.mark_reported(items, [first, second]);
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
        self.mark_reported(items, [redundant]);
    }

    fn mark_reported(&mut self, items: &mut [ChainItem<'a>], indexes: impl IntoIterator<Item = usize>) {
        for index in indexes {
            if let Some(item) = items.get_mut(index) {
                item.is_reported = true;
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

/// Returns whether both items are comparisons. `check_same_subject` reports comparisons that exclude each other.
fn are_comparisons(left: &ChainItem<'_>, right: &ChainItem<'_>) -> bool {
    left.comparison.is_some() && right.comparison.is_some()
}

/// Returns whether both items have the same operator and value, or one of them is a list.
fn is_spelled_alike(left: &ChainItem<'_>, right: &ChainItem<'_>) -> bool {
    match (left.comparison, right.comparison) {
        (Some(left), Some(right)) => left.operator == right.operator && left.operand == right.operand,
        _ => true,
    }
}

fn redundant_condition_warning(item: &ChainItem<'_>, context: ListContext) -> Diagnostic {
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
                let is_reported = matches!(formula, Formula::Always | Formula::Never);
                items.push(ChainItem { span: node.span, list: nodes, index, comparison, formula, is_reported });
            }
        }
    }
}

/// Groups the conditions by subject.
fn group_by_subject(items: &[ChainItem<'_>]) -> BTreeMap<(&'static str, Option<String>), Vec<usize>> {
    let mut groups: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (index, item) in items.iter().enumerate() {
        if let Formula::Atom(atom) = &item.formula {
            let key = (atom.subject.field.name, atom.subject.element.clone());
            groups.entry(key).or_default().push(index);
        }
    }
    groups
}
