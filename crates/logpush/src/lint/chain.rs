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
    pub(super) fn chain(&mut self, node: &'a Node, nodes: &'a [Node], tests: &'a [Test], context: ListContext) {
        let mut links = Vec::new();
        flatten_chain(nodes, tests, context, &mut links);
        let groups = groups(&links);
        for group in groups.values().filter(|group| group.len() > 1) {
            self.check_same_field(node, &mut links, group, context);
        }
        self.pairs(&mut links, context);
        for group in groups.values() {
            self.repeated(&mut links, group, context);
        }
    }

    /// Reports conditions on one subject that are never true together, or, under `or`, that match every line.
    fn check_same_field(&mut self, node: &Node, links: &mut [ChainItem<'a>], group: &[usize], context: ListContext) {
        let members: Vec<&ChainItem<'a>> = group.iter().filter_map(|index| links.get(*index)).collect();
        if intersect(members.iter().map(|link| link.formula.clone()).collect()).is_some() {
            return;
        }
        let Some(name) = members.first().and_then(|link| link.comparison).map(|comparison| comparison.field.name)
        else {
            return;
        };
        // Two of them are usually enough.
        let pair = members.iter().enumerate().find_map(|(index, first)| {
            let excludes = |second: &&&ChainItem<'a>| first.formula.excludes(&second.formula, &self.budget);
            members.iter().skip(index + 1).find(excludes).map(|second| vec![*first, *second])
        });
        let shown = pair.as_ref().unwrap_or(&members);
        let (Some(first), Some(last)) = (shown.first(), shown.last()) else { return };
        let span = first.span.to(last.span);
        let negated =
            |link: &&ChainItem<'a>| link.comparison.is_some_and(|comparison| comparison.operator.is_negated());
        let finding = match context {
            ListContext::Or if members.iter().all(negated) => {
                let finding = Diagnostic::warning(
                    code::EXCLUSION_UNDER_OR,
                    span,
                    format!("every line matches: any value of `{name}` differs from at least one of these"),
                )
                .with_help("to exclude all of them, replace `or` with `and`");
                match with_and(node) {
                    Some(fix) if members.len() == links.len() => finding.with_fix(fix),
                    _ => finding,
                }
            }
            ListContext::Or => Diagnostic::warning(
                code::ALWAYS_MATCHES,
                span,
                format!("every line matches: every value of `{name}` matches one of these"),
            ),
            _ => {
                let finding = Diagnostic::warning(
                    code::NEVER_MATCHES,
                    span,
                    format!("no line matches: no value of `{name}` matches all of these"),
                );
                match members.iter().any(negated) {
                    true => finding,
                    false => finding.with_help("if one of them is enough, replace `and` with `or`"),
                }
            }
        };
        let finding =
            shown.iter().take(4).fold(finding, |finding, link| finding.with_related(link.span, "one of them"));
        self.report(finding);
        for index in group {
            if let Some(link) = links.get_mut(*index) {
                link.reported = true;
            }
        }
    }

    /// Reports conditions that are equivalent to another, imply another or exclude another.
    fn pairs(&mut self, links: &mut [ChainItem<'a>], context: ListContext) {
        for second in 0..links.len() {
            if self.budget.is_spent() {
                return;
            }
            for first in 0..second {
                self.pair(links, first, second, context);
            }
        }
    }

    fn pair(&mut self, links: &mut [ChainItem<'a>], first: usize, second: usize, context: ListContext) {
        let (Some(a), Some(b)) = (links.get(first), links.get(second)) else { return };
        if a.reported || b.reported || !self.budget.take(1) {
            return;
        }
        let word = operator_name(context);
        let (late, other, finding) = if a.formula.implies(&b.formula, &self.budget) {
            if b.formula.implies(&a.formula, &self.budget) {
                let what = match is_spelled_alike(a, b) {
                    true => "duplicate condition",
                    false => "another condition is equivalent",
                };
                let finding = Diagnostic::warning(code::DUPLICATE_CONDITION, b.span, what);
                (second, a, finding)
            } else {
                (second, a, implied_condition(b, context))
            }
        } else if b.formula.implies(&a.formula, &self.budget) {
            (first, b, implied_condition(a, context))
        } else {
            if !are_same_field_comparisons(a, b) && a.formula.excludes(&b.formula, &self.budget) {
                let what = match context {
                    ListContext::Or => "every line matches: one of the two is always true",
                    _ => "no line matches: the two are never true together",
                };
                let code = if context == ListContext::Or { code::ALWAYS_MATCHES } else { code::NEVER_MATCHES };
                let finding = Diagnostic::warning(code, a.span.to(b.span), what)
                    .with_related(a.span, "one of them")
                    .with_related(b.span, "the other");
                self.report(finding);
                self.mark(links, [first, second]);
            }
            return;
        };
        let spans = |link: &ChainItem<'a>| link.list.iter().map(|node| node.span).collect::<Vec<_>>();
        let finding = finding.with_related(other.span, format!("the other condition under the same `{word}`"));
        let finding = match links.get(late).and_then(|link| removal_fix("remove it", &spans(link), link.index)) {
            Some(fix) => finding.with_fix(fix),
            None => finding,
        };
        self.report(finding);
        self.mark(links, [late]);
    }

    fn mark(&mut self, links: &mut [ChainItem<'a>], indexes: impl IntoIterator<Item = usize>) {
        for index in indexes {
            if let Some(link) = links.get_mut(index) {
                link.reported = true;
            }
        }
    }
}

/// Returns the fix that replaces the `or` of the node with `and`.
fn with_and(node: &Node) -> Option<Fix> {
    let NodeKind::Or(nodes) = &node.kind else { return None };
    let all = Node { kind: NodeKind::And(nodes.clone()), span: node.span };
    Some(Fix::unsafe_edits("replace `or` with `and`", vec![Edit::replace(node.span, print_node(&all))]))
}

/// Returns whether both are comparisons, whose exclusions `check_same_field` reports for all of them at once.
fn are_same_field_comparisons(a: &ChainItem<'_>, b: &ChainItem<'_>) -> bool {
    a.comparison.is_some() && b.comparison.is_some()
}

/// Returns whether both have the same operator and value.
fn is_spelled_alike(a: &ChainItem<'_>, b: &ChainItem<'_>) -> bool {
    match (a.comparison, b.comparison) {
        (Some(a), Some(b)) => a.operator == b.operator && a.operand == b.operand,
        _ => true,
    }
}

fn implied_condition(link: &ChainItem<'_>, context: ListContext) -> Diagnostic {
    let what = match context {
        ListContext::Or => "redundant: another condition already matches all of these lines",
        _ => "redundant: another condition already requires this",
    };
    Diagnostic::warning(code::REDUNDANT_CONDITION, link.span, what)
}

fn flatten_chain<'a>(nodes: &'a [Node], tests: &'a [Test], context: ListContext, links: &mut Vec<ChainItem<'a>>) {
    for (index, (node, test)) in nodes.iter().zip(tests).enumerate() {
        match (&node.kind, &test.kind) {
            (NodeKind::And(nodes), TestKind::All(tests)) if context == ListContext::And => {
                flatten_chain(nodes, tests, context, links)
            }
            (NodeKind::Or(nodes), TestKind::Any(tests)) if context == ListContext::Or => {
                flatten_chain(nodes, tests, context, links)
            }
            (_, kind) => {
                let comparison = match kind {
                    TestKind::Comparison(comparison) => Some(comparison),
                    _ => None,
                };
                let formula = Formula::of(test);
                let formula = if context == ListContext::Or { formula.negated() } else { formula };
                // Another lint covers a condition that is always or never true by itself.
                let reported = matches!(formula, Formula::Always | Formula::Never);
                links.push(ChainItem { span: node.span, list: nodes, index, comparison, formula, reported });
            }
        }
    }
}

/// Groups the conditions by subject.
fn groups(links: &[ChainItem<'_>]) -> BTreeMap<(&'static str, Option<String>), Vec<usize>> {
    let mut groups: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (index, link) in links.iter().enumerate() {
        if let Formula::Atom(atom) = &link.formula {
            let key = (atom.subject.field.name, atom.subject.element.clone());
            groups.entry(key).or_default().push(index);
        }
    }
    groups
}
