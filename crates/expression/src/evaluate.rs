//! Evaluates programs on records, in three-valued logic.
//!
//! The first evaluation compiles a program: names become indexes, sets are sorted, patterns are compiled
//! (`compile.rs`). The result is a tree (`tree.rs`). `node.rs` and `condition.rs` evaluate conditions, `elements.rs`
//! evaluates conditions on many values, and `operand.rs` and `call.rs` evaluate values. `results.rs` has the result
//! types.
//!
//! Start at [`Program::evaluate`] and [`Outcome`]. Invariant: evaluation is total. It does no I/O, and its work is
//! bounded by the sizes of the expression and the record.

mod call;
mod compile;
mod condition;
mod context;
#[cfg(not(target_family = "wasm"))]
mod dense_regex;
mod elements;
mod literal_regex;
mod matcher;
mod node;
mod operand;
mod regex;
mod regex_compiler;
mod results;
mod specialize;
mod trace;
mod tree;
mod unknown_causes;
mod wildcard;

use crate::{Record, Value, resolved::ResolvedExpression};
pub(crate) use compile::{CompiledProgram, compile};
use context::EvalContext;
use results::Lookup;
pub use results::Ternary;
use tree::Node;
use unknown_causes::CauseLog;
use zonewright_diagnostic::Span;

/// The result of a program on a record.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The condition is true.
    True,
    /// The condition is false.
    False,
    /// The result depends on values that the record does not provide.
    Unknown {
        /// The causes, sorted and without duplicates: names of fields, named lists as `$name`, names of functions that
        /// need data outside the record, and `matches` for a pattern that cannot be compiled. A subexpression with a
        /// known result adds no causes.
        fields: Vec<String>,
    },
    /// The value of a value expression.
    Value(Value),
    /// A value expression whose value is missing.
    Absent,
}

/// The result of every condition of a program on a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The result of the evaluation.
    pub outcome: Outcome,
    /// All conditions of the expression in source order, outer before inner: logical operations, negations, groups,
    /// comparisons and Boolean values. A condition on many values has no step; the `any` or `all` around it has one.
    /// Empty for a value expression.
    pub steps: Vec<TraceStep>,
}

/// The result of one condition.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceStep {
    /// The span of the condition.
    pub span: Span,
    /// The truth value of the condition.
    pub truth: Truth,
    /// The left operand of a comparison, if evaluation reached it and its value is known.
    pub value: Option<Value>,
}

/// The truth value of a condition in a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// The condition is true.
    True,
    /// The condition is false.
    False,
    /// The result depends on values that the record does not provide.
    Unknown,
    /// Evaluation from left to right did not reach the condition, because an earlier condition decided the result.
    NotReached,
    /// A value in the condition is missing, so the condition is false.
    Absent,
}

impl CompiledProgram {
    /// Evaluates the program on a record.
    #[inline(always)]
    pub(crate) fn evaluate(&self, record: &Record) -> Outcome {
        let truth = self.evaluate_without_causes(EvalContext::new(record));
        // Comparing the discriminants as integers takes one comparison at each inlined call, and the two known results
        // are distinguished without a branch.
        if truth as u8 > Ternary::True as u8 {
            return self.evaluate_with_causes(record);
        }
        if truth == Ternary::True { Outcome::True } else { Outcome::False }
    }

    /// Evaluates the program without collecting the causes of an unknown result.
    #[inline(always)]
    fn evaluate_without_causes(&self, context: EvalContext<'_>) -> Ternary {
        match &self.condition {
            // The code for these nodes is shorter than a call of the entry.
            Node::BooleanField(field) if let Some(Value::Boolean(flag)) = context.value(*field) => (*flag).into(),
            Node::Mask(field, bits) if let Some(Value::Integer(integer)) = context.value(*field) => {
                (integer & bits != 0).into()
            }
            condition => (self.entry)(condition, context),
        }
    }

    /// Returns the value of a value expression, or the causes of an unknown result. Not inlined, so that callers stay
    /// small.
    #[cold]
    #[inline(never)]
    fn evaluate_with_causes(&self, record: &Record) -> Outcome {
        let (context, mut causes) = (EvalContext::new(record), CauseLog::default());
        match self.value.as_ref().map(|value| value.get(context, &mut causes)) {
            Some(Lookup::Known(value)) => return Outcome::Value(value.into_owned()),
            Some(Lookup::Missing) => return Outcome::Absent,
            Some(Lookup::Unknown) => {}
            None => {
                self.condition.eval(context, &mut causes);
            }
        }
        Outcome::Unknown { fields: causes.names() }
    }
}

/// Evaluates every condition of a resolved tree on a record, in source order.
pub(crate) fn trace_steps(resolved: &ResolvedExpression, record: &Record) -> Vec<TraceStep> {
    trace::collect_steps(resolved, EvalContext::new(record))
}

#[cfg(test)]
mod tests;
