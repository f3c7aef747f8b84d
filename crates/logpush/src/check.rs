//! Checks a filter: resolves keys, operators and values of a syntax tree to a [`Program`], and enforces the limits.
//!
//! [`check()`] is the entry point, and [`CheckOutput`] is its result. One walk over the tree reports every error. A
//! part with an error resolves to `None`, and errors that depend on it are not reported, so that one cause has one
//! diagnostic.

mod key;
mod limit;
mod operator;
mod value;

use crate::{
    Program,
    ast::{Condition, Node, NodeKind},
    lint::lint,
    options::Options,
    parse::{ParseOutput, collect_problems, parse_unwrapped, unwrap::UnwrappedSource, within_size_limit},
    predicate::{Comparison, Test, TestKind},
    simplify::add_simplify_fixes,
};
use zonewright_diagnostic::Diagnostic;

/// The maximum number of unknown names for which a check searches for similar names.
const MAX_SUGGESTION_LOOKUPS: usize = 64;

/// The result of [`check()`].
#[derive(Clone, Debug)]
pub struct CheckOutput {
    /// The program; `None` if there is an error.
    pub program: Option<Program>,
    /// All diagnostics, in source order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses and checks a filter.
///
/// ```
/// use zonewright_logpush::{Options, check};
///
/// let source = r#"{"where":{"key":"ClientCountry","operator":"neq","value":"ca"}}"#;
/// let checked = check(source, &Options::default());
/// assert_eq!(checked.diagnostics[0].code, "unknown-operator");
/// assert_eq!(checked.diagnostics[0].fixes[0].title, "use `!eq`");
/// ```
pub fn check(source: &str, options: &Options) -> CheckOutput {
    let unwrapped = UnwrappedSource::new(within_size_limit(source));
    let parsed = parse_unwrapped(source, &unwrapped);
    check_parsed(&unwrapped, parsed, options)
}

/// Checks a parsed filter.
pub(crate) fn check_parsed(unwrapped: &UnwrappedSource<'_>, parsed: ParseOutput, options: &Options) -> CheckOutput {
    let mut checker = Checker { options, remaining_lookups: MAX_SUGGESTION_LOOKUPS, diagnostics: Vec::new() };
    let test = parsed.ast.as_ref().and_then(|ast| {
        checker.check_limits(unwrapped, ast, &parsed.diagnostics);
        let test = checker.check_node(&ast.condition)?;
        // A fix must not drop text that was not understood.
        if parsed.diagnostics.is_empty() {
            add_simplify_fixes(&mut checker.diagnostics, ast, &test, options);
        }
        Some(test)
    });
    let checker_problems = checker.diagnostics.into_iter().map(|problem| unwrapped.escape_edits(problem));
    let mut problems = collect_problems(parsed.diagnostics.into_iter().chain(checker_problems), parsed.omitted);
    let has_errors = problems.has_errors();
    let program = match (parsed.ast, test) {
        (Some(ast), Some(test)) if !has_errors => Some(Program::new(ast, options.dataset, test)),
        _ => None,
    };
    if let Some(program) = program.as_ref().filter(|_| options.lint.is_some()) {
        problems.extend(lint(program, options).into_iter().map(|finding| unwrapped.escape_edits(finding)));
    }
    CheckOutput { program, diagnostics: problems.into_diagnostics(crate::code::TOO_MANY_DIAGNOSTICS) }
}

pub(crate) use limit::condition_spans;

struct Checker<'a> {
    options: &'a Options,
    /// The number of searches for similar names that remain. A text with hundreds of unknown names needs no more
    /// suggestions.
    remaining_lookups: usize,
    diagnostics: Vec<Diagnostic>,
}

impl Checker<'_> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn check_node(&mut self, node: &Node) -> Option<Test> {
        let kind = match &node.kind {
            NodeKind::And(nodes) => TestKind::All(self.check_nodes(nodes)?),
            NodeKind::Or(nodes) => TestKind::Any(self.check_nodes(nodes)?),
            NodeKind::Condition(condition) => TestKind::Comparison(self.check_condition(condition)?),
            NodeKind::Invalid => return None,
        };
        Some(Test { kind, span: node.span })
    }

    fn check_nodes(&mut self, nodes: &[Node]) -> Option<Vec<Test>> {
        let tests: Vec<_> = nodes.iter().map(|node| self.check_node(node)).collect();
        tests.into_iter().collect()
    }

    fn check_condition(&mut self, condition: &Condition) -> Option<Comparison> {
        let field = condition.key.as_ref().and_then(|key| self.check_key(key));
        let operator = condition.operator.as_ref().and_then(|name| self.check_operator(name, field));
        let (key, name, value) = (condition.key.as_ref()?, condition.operator.as_ref()?, condition.value.as_ref()?);
        let (field, operator) = (field?, operator?);
        let operand = self.check_operand(value, field, operator, name.span)?;
        Some(Comparison {
            field,
            key_span: key.span,
            operator,
            operator_span: name.span,
            operand,
            operand_span: value.span,
        })
    }
}
