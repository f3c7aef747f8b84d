//! What an expression gives for a record.
//!
//! A program is compiled once, when it is first evaluated: names become indexes, sets are sorted,
//! patterns compiled (`compile.rs`). The result is a tree (`tree.rs`): `node.rs` evaluates conditions,
//! `many.rs` those about many values, `operand.rs` and `call.rs` values; `answer.rs` has what they give.
//! Evaluation cannot fail, does no I/O, and its work is bounded by the sizes of the expression and of
//! the record.

mod answer;
mod call;
mod compile;
mod condition;
mod entry;
mod literal;
mod many;
mod node;
mod notes;
mod operand;
mod pattern;
mod patterns;
mod run;
mod test;
mod trace;
mod tree;
mod wildcard;

use crate::{Program, Record, Value};
use answer::{Lookup, Ternary};
pub(crate) use compile::{Compiled, compile};
use notes::Causes;
use run::Run;
use tree::Node;
use zonewright_diagnostic::Span;

/// What a program gives for a record.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The condition holds.
    True,
    /// The condition does not hold.
    False,
    /// It depends on what the record does not give.
    Unknown {
        /// What would decide, sorted, each once: fields by name, named lists as `$name`, functions
        /// that cannot be computed here by name, and `matches` for a pattern that cannot be
        /// compiled here. Only what the answer still depends on: of a decided part nothing is named.
        fields: Vec<String>,
    },
    /// The value of a value expression.
    Value(Value),
    /// The value of a value expression is missing.
    Absent,
}

/// What each part of a condition gives for a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The same that [`Program::evaluate`] gives.
    pub outcome: Outcome,
    /// Every condition in the expression in the order of the source, the outer one first: joined,
    /// negated and bracketed conditions, comparisons, and values that are true or false. Conditions
    /// about many values are told by the `any` or `all` around them. None for a value expression.
    pub steps: Vec<Step>,
}

/// What one condition gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Where it stands.
    pub span: Span,
    /// What it gives.
    pub truth: Truth,
    /// The left value of a comparison, when it is reached and known.
    pub value: Option<Value>,
}

/// What a condition gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// It holds.
    True,
    /// It does not hold.
    False,
    /// It depends on what the record does not give.
    Unknown,
    /// Another one decided before it, going from left to right.
    NotReached,
    /// A value in it is missing, so it does not hold.
    Absent,
}

impl Program {
    /// What it gives for a record. The first call compiles the program; clones made after it share
    /// the work.
    #[inline]
    pub fn evaluate(&self, record: &Record) -> Outcome {
        let truth = self.decide(Run::new(record));
        // Asked of the numbers, this is one comparison wherever it is written into, and what is known is
        // told apart without a jump.
        if truth as u8 > Ternary::True as u8 {
            return self.explain(record);
        }
        if truth == Ternary::True { Outcome::True } else { Outcome::False }
    }

    /// What it gives for a record, without the reason why it is unknown.
    #[inline(always)]
    fn decide(&self, run: Run<'_>) -> Ternary {
        let Some(compiled) = self.if_compiled() else { return self.decide_first(run) };
        match &compiled.condition {
            // These are shorter than the call would be.
            Node::Flag(field) if let Some(Value::Boolean(flag)) = run.value(*field) => (*flag).into(),
            Node::Mask(field, bits) if let Some(Value::Integer(integer)) = run.value(*field) => {
                (integer & bits != 0).into()
            }
            condition => (compiled.entry)(condition, run),
        }
    }

    #[cold]
    #[inline(never)]
    fn decide_first(&self, run: Run<'_>) -> Ternary {
        let compiled = self.compiled();
        (compiled.entry)(&compiled.condition, run)
    }

    /// What it gives when the condition is unknown. Apart, so that little is written into callers.
    #[cold]
    #[inline(never)]
    fn explain(&self, record: &Record) -> Outcome {
        self.compiled().explain(record)
    }

    /// What it gives for a record, and what each condition in it gives.
    pub fn trace(&self, record: &Record) -> Trace {
        Trace { outcome: self.evaluate(record), steps: trace::steps(self, Run::new(record)) }
    }
}

impl Compiled {
    /// The value of a value expression, or what is unknown.
    fn explain(&self, record: &Record) -> Outcome {
        let (run, mut causes) = (Run::new(record), Causes::default());
        match self.value.as_ref().map(|value| value.get(run, &mut causes)) {
            Some(Lookup::Known(value)) => return Outcome::Value(value.into_owned()),
            Some(Lookup::Missing) => return Outcome::Absent,
            Some(Lookup::Unknown) => {}
            None => {
                self.condition.eval(run, &mut causes);
            }
        }
        Outcome::Unknown { fields: causes.names() }
    }
}

#[cfg(test)]
mod tests;
