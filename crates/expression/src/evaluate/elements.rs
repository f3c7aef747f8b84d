//! Conditions on many values.
//!
//! [`ArrayCondition`] produces one truth value for each element. Logical operators join them element by element;
//! `any` and `all` reduce them to one.

use super::{
    context::EvalContext,
    results::{Answers, Lookup, Ternary, Walk},
    tree::{ArrayCondition, Compare, Operand},
    unknown_causes::{CauseSink, UnknownCause},
};
use crate::{Value, ast::LogicalOperator};
use std::ops::ControlFlow::{self, Break, Continue};

impl ArrayCondition {
    /// Evaluates `any`: whether one element is true. It is false for an empty or missing array.
    pub(super) fn eval_any<'r, N: CauseSink<'r>>(&'r self, context: EvalContext<'r>, notes: &mut N) -> Ternary {
        self.reduce(Ternary::True, context, notes)
    }

    /// Evaluates `all`: whether every element is true. It is true for an empty array and for `[*]` on a missing one,
    /// and false for a missing array without `[*]`.
    pub(super) fn eval_all<'r, N: CauseSink<'r>>(&'r self, context: EvalContext<'r>, notes: &mut N) -> Ternary {
        self.reduce(Ternary::False, context, notes)
    }

    /// Returns `decides` if one element has that value.
    fn reduce<'r, N: CauseSink<'r>>(&'r self, decides: Ternary, context: EvalContext<'r>, notes: &mut N) -> Ternary {
        let mark = notes.mark();
        let answer = match self {
            ArrayCondition::Test(left, test) => until(left, context, notes, decides, |value| test.holds(value)),
            _ => match self.eval_elements(context, notes) {
                Answers::Unknown => Ternary::Unknown,
                Answers::Missing => Ternary::False,
                Answers::Known(answers) if answers.contains(&decides) => decides,
                Answers::Known(answers) if answers.contains(&Ternary::Unknown) => Ternary::Unknown,
                Answers::Known(_) => decides.not(),
            },
        };
        if answer != Ternary::Unknown {
            notes.forget(mark);
        }
        answer
    }

    /// Evaluates the condition for each value.
    pub(super) fn eval_elements<'r, N: CauseSink<'r>>(&'r self, context: EvalContext<'r>, notes: &mut N) -> Answers {
        match self {
            ArrayCondition::Test(left, test) => map_elements(left, context, notes, |value| test.holds(value).into()),
            ArrayCondition::Compare(compare) => compare_elements(compare, context, notes),
            ArrayCondition::List(left, name) => match context.list(name) {
                Some(list) => {
                    map_elements(left, context, notes, |value| list.is_some_and(|list| list.contains(value)).into())
                }
                None => unknown_elements(left, UnknownCause::List(name), context, notes),
            },
            ArrayCondition::Opaque(left, cause) => unknown_elements(left, *cause, context, notes),
            ArrayCondition::Values(values) if values.is_each() => map_elements(values, context, notes, is_true),
            ArrayCondition::Values(values) => match values.get(context, notes) {
                Lookup::Unknown => Answers::Unknown,
                Lookup::Missing => Answers::Missing,
                Lookup::Known(value) => Answers::Known(match value.as_ref() {
                    Value::Array(values) => values.iter().map(is_true).collect(),
                    Value::Map(values) => values.values().map(is_true).collect(),
                    _ => Vec::new(),
                }),
            },
            ArrayCondition::Not(inner) => match inner.eval_elements(context, notes) {
                Answers::Known(answers) => Answers::Known(answers.into_iter().map(Ternary::not).collect()),
                Answers::Missing => Answers::Known(Vec::new()),
                Answers::Unknown => Answers::Unknown,
            },
            ArrayCondition::Logical(operator, parts) => zip_elements(*operator, parts, context, notes),
        }
    }
}

fn is_true(value: &Value) -> Ternary {
    matches!(value, Value::Boolean(true)).into()
}

/// Iterates over the values until one of them decides.
fn until<'r, N: CauseSink<'r>>(
    left: &'r Operand,
    context: EvalContext<'r>,
    notes: &mut N,
    decides: Ternary,
    holds: impl Fn(&Value) -> bool,
) -> Ternary {
    let mut answer = decides.not();
    let walked = left.for_each(context, notes, &mut |value| {
        if Ternary::from(holds(value)) != decides {
            return Continue(());
        }
        answer = decides;
        Break(())
    });
    if walked == Walk::Unknown { Ternary::Unknown } else { answer }
}

/// Evaluates a condition for each value of an operand. A missing operand has no values.
fn map_elements<'r, N: CauseSink<'r>>(
    left: &'r Operand,
    context: EvalContext<'r>,
    notes: &mut N,
    answer: impl Fn(&Value) -> Ternary,
) -> Answers {
    let mut answers = Vec::new();
    let mut visit = |value: &Value| -> ControlFlow<()> {
        answers.push(answer(value));
        Continue(())
    };
    match left.for_each(context, notes, &mut visit) {
        Walk::Unknown => Answers::Unknown,
        Walk::Missing | Walk::Done => Answers::Known(answers),
    }
}

/// Returns an unknown result for each value.
fn unknown_elements<'r, N: CauseSink<'r>>(
    left: &'r Operand,
    cause: UnknownCause<'r>,
    context: EvalContext<'r>,
    notes: &mut N,
) -> Answers {
    let answers = map_elements(left, context, notes, |_| Ternary::Unknown);
    if !matches!(&answers, Answers::Known(answers) if answers.is_empty()) {
        notes.note(cause);
    }
    answers
}

fn compare_elements<'r, N: CauseSink<'r>>(compare: &'r Compare, context: EvalContext<'r>, notes: &mut N) -> Answers {
    match compare.right.get(context, notes) {
        Lookup::Known(right) => {
            map_elements(&compare.left, context, notes, |value| compare.order.holds_for(value, &right).into())
        }
        Lookup::Missing => map_elements(&compare.left, context, notes, |_| Ternary::False),
        Lookup::Unknown => map_elements(&compare.left, context, notes, |_| Ternary::Unknown),
    }
}

/// Joins the results element by element, up to the length of the shortest. If one length is unknown, the result is
/// unknown.
fn zip_elements<'r, N: CauseSink<'r>>(
    operator: LogicalOperator,
    parts: &'r [ArrayCondition],
    context: EvalContext<'r>,
    notes: &mut N,
) -> Answers {
    let mut joined: Option<Vec<Ternary>> = None;
    let mut unknown = false;
    for part in parts {
        let answers = match part.eval_elements(context, notes) {
            Answers::Known(answers) => answers,
            Answers::Missing => Vec::new(),
            Answers::Unknown => {
                unknown = true;
                continue;
            }
        };
        joined = Some(match joined {
            None => answers,
            Some(before) => {
                before.into_iter().zip(answers).map(|(left, right)| combine(operator, left, right)).collect()
            }
        });
    }
    match joined {
        Some(answers) if !unknown => Answers::Known(answers),
        _ => Answers::Unknown,
    }
}

fn combine(operator: LogicalOperator, left: Ternary, right: Ternary) -> Ternary {
    let decides = match operator {
        LogicalOperator::And => Ternary::False,
        LogicalOperator::Or => Ternary::True,
        LogicalOperator::Xor => {
            return if left == Ternary::Unknown || right == Ternary::Unknown {
                Ternary::Unknown
            } else {
                (left != right).into()
            };
        }
    };
    if left == decides || right == decides {
        decides
    } else if left == Ternary::Unknown {
        left
    } else {
        right
    }
}
