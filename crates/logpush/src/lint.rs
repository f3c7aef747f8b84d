//! Lints: warnings and hints about valid filters that are probably not what the author meant.
//!
//! The linter walks the syntax tree and the resolved tree in parallel, once. Each family of lints has a file. A lint
//! must be correct: if the documentation is ambiguous, nothing is reported. A [`StepBudget`] bounds the work.

mod chain;
mod domain;
mod list;
mod nesting;
mod repeated;
mod string_format;
mod value;
mod zero_value;

use crate::{
    Dataset, Options, Program, Test, TestKind,
    algebra::{Atom, Formula, StepBudget},
    ast::{Condition, Node, NodeKind},
    code,
    parse::errors::MAX_EXCERPT_CHARS,
};
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span};

pub(crate) use zero_value::{is_always_present, zero_means_missing};

/// Returns the lints of a checked filter; their edits are not escaped yet. `program` is the result of
/// [`check`](crate::check()) with the same options.
pub(crate) fn lint(program: &Program, options: &Options) -> Vec<Diagnostic> {
    let mut linter = Linter { options, dataset: program.dataset(), budget: StepBudget::new(), diagnostics: Vec::new() };
    linter.lint_node(&program.filter().condition, program.test(), ListContext::Top, &mut Vec::new());
    linter.diagnostics
}

/// The list that contains a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ListContext {
    /// None: the node is directly under `where`.
    Top,
    /// A list under `and`.
    And,
    /// A list under `or`.
    Or,
}

struct Linter<'a> {
    options: &'a Options,
    dataset: &'static Dataset,
    budget: StepBudget,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Linter<'a> {
    /// Adds a lint, unless its code is allowed.
    fn report(&mut self, diagnostic: Diagnostic) {
        debug_assert!(code::is_lint(diagnostic.code), "{}", diagnostic.code);
        let is_allowed = self.options.lint.as_ref().is_some_and(|lint| lint.allow.contains(diagnostic.code));
        if !is_allowed {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Walks a node. `conjuncts` has the conditions of the enclosing `and` lists.
    fn lint_node(&mut self, node: &'a Node, test: &'a Test, context: ListContext, conjuncts: &mut Vec<Atom>) {
        match (&node.kind, &test.kind) {
            (NodeKind::And(nodes), TestKind::All(tests)) => {
                self.lint_list(node, nodes, tests, (context, ListContext::And), conjuncts)
            }
            (NodeKind::Or(nodes), TestKind::Any(tests)) => {
                self.lint_list(node, nodes, tests, (context, ListContext::Or), conjuncts)
            }
            (NodeKind::Condition(condition), TestKind::Comparison(comparison)) => {
                self.lint_condition(node.span, condition, comparison, conjuncts);
            }
            // Both trees have the same shape, so this is unreachable.
            _ => {}
        }
    }

    fn lint_list(
        &mut self,
        node: &'a Node,
        nodes: &'a [Node],
        tests: &'a [Test],
        (outer, inner): (ListContext, ListContext),
        conjuncts: &mut Vec<Atom>,
    ) {
        self.check_nesting(node, nodes, outer, inner);
        if outer != inner {
            self.check_chain(node, nodes, tests, inner);
        }
        let conjunct_count = conjuncts.len();
        if inner == ListContext::And {
            conjuncts.extend(tests.iter().filter_map(to_atom));
        }
        for (node, test) in nodes.iter().zip(tests) {
            self.lint_node(node, test, inner, conjuncts);
        }
        conjuncts.truncate(conjunct_count);
    }

    fn lint_condition(
        &mut self,
        span: Span,
        condition: &'a Condition,
        comparison: &'a crate::Comparison,
        conjuncts: &[Atom],
    ) {
        self.check_items(condition, comparison);
        if !self.check_constant(span, comparison) {
            self.check_values(condition, comparison);
            self.check_zero_value(span, comparison, conjuncts);
        }
    }
}

/// Returns the atom of a comparison under `and`.
fn to_atom(test: &Test) -> Option<Atom> {
    let TestKind::Comparison(comparison) = &test.kind else { return None };
    match Formula::from_comparison(comparison) {
        Formula::Atom(atom) => Some(*atom),
        _ => None,
    }
}

/// Returns an edit that removes an item of a list with one adjacent comma; `None` if it is the only item.
fn removal_edit(spans: &[Span], index: usize) -> Option<Edit> {
    let item = *spans.get(index)?;
    if let Some(before) = index.checked_sub(1).and_then(|before| spans.get(before)) {
        return Some(Edit::delete(Span::new(before.end, item.end)));
    }
    spans.get(1).map(|after| Edit::delete(Span::new(item.start, after.start)))
}

/// Returns a fix that removes an item of a list.
fn removal_fix(title: &str, spans: &[Span], index: usize) -> Option<Fix> {
    removal_edit(spans, index).map(|edit| Fix::safe_edits(title, vec![edit]))
}

/// Returns an excerpt for a message: short, on one line, in backticks.
fn quote_excerpt(text: &str) -> String {
    let short: String = text.chars().take(MAX_EXCERPT_CHARS).map(|c| if c.is_control() { ' ' } else { c }).collect();
    let ellipsis = if text.chars().nth(MAX_EXCERPT_CHARS).is_some() { "…" } else { "" };
    format!("`{short}{ellipsis}`")
}
