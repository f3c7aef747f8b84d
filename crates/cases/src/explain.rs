//! Finds the conditions that decided the result of an expression.

use crate::report::DecidingCondition;
use zonewright_diagnostic::Span;
use zonewright_expression::{Trace, TraceStep, Truth};

/// Maximum number of conditions in the result.
const MAX_CONDITIONS: usize = 8;

/// A condition with the conditions that it contains.
struct TraceNode<'t> {
    step: &'t TraceStep,
    children: Vec<TraceNode<'t>>,
}

/// Finds the smallest conditions that decided the result, in the order of the source.
pub(crate) fn find_deciding_conditions(source: &str, trace: &Trace) -> Vec<DecidingCondition> {
    let mut steps = trace.steps.iter().peekable();
    let mut deciding_steps = Vec::new();
    while let Some(step) = steps.next() {
        collect_deciding(source, &build_tree(step, &mut steps), &mut deciding_steps);
    }
    let to_condition = |step: &TraceStep| DecidingCondition {
        span: step.span,
        text: step.span.text(source).to_owned(),
        truth: step.truth,
        value: step.value.clone(),
    };
    deciding_steps.into_iter().take(MAX_CONDITIONS).map(to_condition).collect()
}

/// Builds the tree of a step. The steps that it contains follow it, and the parser limits their depth.
fn build_tree<'t>(
    step: &'t TraceStep,
    rest: &mut std::iter::Peekable<std::slice::Iter<'t, TraceStep>>,
) -> TraceNode<'t> {
    let mut children = Vec::new();
    while let Some(inner) = rest.next_if(|inner| inner.span.start >= step.span.start && inner.span.end <= step.span.end)
    {
        children.push(build_tree(inner, rest));
    }
    TraceNode { step, children }
}

/// Collects the leaves that decided a condition.
///
/// The operands with the same result as the condition decide it, such as a false operand of an `and`, or every
/// operand of a false `or`. The operand of a negation decides it. All operands of an `xor` decide it together, unless
/// its result is unknown: then the unknown operands decide it.
fn collect_deciding<'t>(source: &str, node: &TraceNode<'t>, deciding_steps: &mut Vec<&'t TraceStep>) {
    let to_bool = |truth: Truth| match truth {
        Truth::True => Some(true),
        Truth::False | Truth::Absent => Some(false),
        Truth::Unknown | Truth::NotReached => None,
    };
    if node.children.is_empty() {
        deciding_steps.push(node.step);
        return;
    }
    let result = to_bool(node.step.truth);
    let all_decide = node.children.len() == 1 || (result.is_some() && has_xor(source, node));
    let decides = |child: &&TraceNode<'t>| {
        child.step.truth != Truth::NotReached && (all_decide || to_bool(child.step.truth) == result)
    };
    for child in node.children.iter().filter(decides) {
        collect_deciding(source, child, deciding_steps);
    }
}

/// Returns whether `xor` joins the operands of a condition. A trace does not contain operators, so the source between
/// the first two operands decides.
fn has_xor(source: &str, node: &TraceNode<'_>) -> bool {
    let [first, second, ..] = node.children.as_slice() else { return false };
    let operator = Span::new(first.step.span.end, second.step.span.start).text(source);
    matches!(operator.trim(), "xor" | "^^")
}
