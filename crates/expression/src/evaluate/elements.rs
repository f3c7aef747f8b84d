//! Conditions on many values.
//!
//! [`ArrayCondition`] produces one truth value for each element. Logical operators join these values element by
//! element; `any` and `all` reduce them to one.

use super::{
    context::EvalContext,
    results::{ElementResults, Lookup, Ternary, Walk},
    tree::{ArrayCondition, Compare, Operand},
    unknown_causes::{CauseSink, UnknownCause},
};
use crate::{Value, ast::LogicalOperator};
use std::ops::ControlFlow::{self, Break, Continue};

impl ArrayCondition {
    /// Evaluates `any`: whether at least one element is true. An empty or missing array gives false.
    pub(super) fn eval_any<'r, C: CauseSink<'r>>(&'r self, context: EvalContext<'r>, causes: &mut C) -> Ternary {
        self.reduce(Ternary::True, context, causes)
    }

    /// Evaluates `all`: whether every element is true. An empty array gives true. A missing array gives true with `[*]`
    /// and false without it.
    pub(super) fn eval_all<'r, C: CauseSink<'r>>(&'r self, context: EvalContext<'r>, causes: &mut C) -> Ternary {
        self.reduce(Ternary::False, context, causes)
    }

    /// Reduces the truth values of the elements to one: `deciding_value` if an element has it, otherwise its opposite,
    /// or unknown if an element is unknown.
    fn reduce<'r, C: CauseSink<'r>>(
        &'r self,
        deciding_value: Ternary,
        context: EvalContext<'r>,
        causes: &mut C,
    ) -> Ternary {
        let mark = causes.mark();
        let result = match self {
            ArrayCondition::Test(left, matcher) => {
                eval_until(left, context, causes, deciding_value, |value| matcher.holds(value))
            }
            _ => match self.eval_elements(context, causes) {
                ElementResults::Unknown => Ternary::Unknown,
                ElementResults::Missing => Ternary::False,
                ElementResults::Known(truths) if truths.contains(&deciding_value) => deciding_value,
                ElementResults::Known(truths) if truths.contains(&Ternary::Unknown) => Ternary::Unknown,
                ElementResults::Known(_) => !deciding_value,
            },
        };
        if result != Ternary::Unknown {
            causes.truncate(mark);
        }
        result
    }

    /// Evaluates the condition for each value.
    pub(super) fn eval_elements<'r, C: CauseSink<'r>>(
        &'r self,
        context: EvalContext<'r>,
        causes: &mut C,
    ) -> ElementResults {
        match self {
            ArrayCondition::Test(left, matcher) => {
                map_elements(left, context, causes, |value| matcher.holds(value).into())
            }
            ArrayCondition::Compare(compare) => compare_elements(compare, context, causes),
            ArrayCondition::List(left, name) => match context.list(name) {
                Some(list) => {
                    map_elements(left, context, causes, |value| list.is_some_and(|list| list.contains(value)).into())
                }
                None => unknown_elements(left, UnknownCause::List(name), context, causes),
            },
            ArrayCondition::Uncomputable(left, cause) => unknown_elements(left, *cause, context, causes),
            ArrayCondition::Values(values) if values.has_map_each() => map_elements(values, context, causes, is_true),
            ArrayCondition::Values(values) => match values.get(context, causes) {
                Lookup::Unknown => ElementResults::Unknown,
                Lookup::Missing => ElementResults::Missing,
                Lookup::Known(value) => ElementResults::Known(match value.as_ref() {
                    Value::Array(values) => values.iter().map(is_true).collect(),
                    Value::Map(values) => values.values().map(is_true).collect(),
                    _ => Vec::new(),
                }),
            },
            ArrayCondition::Not(inner) => match inner.eval_elements(context, causes) {
                ElementResults::Known(truths) => {
                    ElementResults::Known(truths.into_iter().map(|value| !value).collect())
                }
                ElementResults::Missing => ElementResults::Known(Vec::new()),
                ElementResults::Unknown => ElementResults::Unknown,
            },
            ArrayCondition::Logical(operator, parts) => zip_elements(*operator, parts, context, causes),
        }
    }
}

fn is_true(value: &Value) -> Ternary {
    matches!(value, Value::Boolean(true)).into()
}

/// Tests the values in order until a result equals `deciding_value`.
fn eval_until<'r, C: CauseSink<'r>>(
    left: &'r Operand,
    context: EvalContext<'r>,
    causes: &mut C,
    deciding_value: Ternary,
    holds: impl Fn(&Value) -> bool,
) -> Ternary {
    let mut result = !deciding_value;
    let walk = left.for_each(context, causes, &mut |value| {
        if Ternary::from(holds(value)) != deciding_value {
            return Continue(());
        }
        result = deciding_value;
        Break(())
    });
    if walk == Walk::Unknown { Ternary::Unknown } else { result }
}

/// Evaluates a condition for each value of an operand. A missing operand has no values.
fn map_elements<'r, C: CauseSink<'r>>(
    left: &'r Operand,
    context: EvalContext<'r>,
    causes: &mut C,
    eval: impl Fn(&Value) -> Ternary,
) -> ElementResults {
    let mut truths = Vec::new();
    let mut visit = |value: &Value| -> ControlFlow<()> {
        truths.push(eval(value));
        Continue(())
    };
    match left.for_each(context, causes, &mut visit) {
        Walk::Unknown => ElementResults::Unknown,
        Walk::Missing | Walk::Done => ElementResults::Known(truths),
    }
}

/// Returns an unknown result for each value.
fn unknown_elements<'r, C: CauseSink<'r>>(
    left: &'r Operand,
    cause: UnknownCause<'r>,
    context: EvalContext<'r>,
    causes: &mut C,
) -> ElementResults {
    let truths = map_elements(left, context, causes, |_| Ternary::Unknown);
    if !matches!(&truths, ElementResults::Known(truths) if truths.is_empty()) {
        causes.push(cause);
    }
    truths
}

fn compare_elements<'r, C: CauseSink<'r>>(
    compare: &'r Compare,
    context: EvalContext<'r>,
    causes: &mut C,
) -> ElementResults {
    match compare.right.get(context, causes) {
        Lookup::Known(right) => {
            map_elements(&compare.left, context, causes, |value| compare.order.holds_for(value, &right).into())
        }
        Lookup::Missing => map_elements(&compare.left, context, causes, |_| Ternary::False),
        Lookup::Unknown => map_elements(&compare.left, context, causes, |_| Ternary::Unknown),
    }
}

/// Joins the truth values element by element, up to the length of the shortest array. The result is unknown if a length
/// is unknown.
fn zip_elements<'r, C: CauseSink<'r>>(
    operator: LogicalOperator,
    parts: &'r [ArrayCondition],
    context: EvalContext<'r>,
    causes: &mut C,
) -> ElementResults {
    let mut joined: Option<Vec<Ternary>> = None;
    let mut has_unknown = false;
    for part in parts {
        let truths = match part.eval_elements(context, causes) {
            ElementResults::Known(truths) => truths,
            ElementResults::Missing => Vec::new(),
            ElementResults::Unknown => {
                has_unknown = true;
                continue;
            }
        };
        joined = Some(match joined {
            None => truths,
            Some(joined) => {
                joined.into_iter().zip(truths).map(|(left, right)| combine(operator, left, right)).collect()
            }
        });
    }
    match joined {
        Some(truths) if !has_unknown => ElementResults::Known(truths),
        _ => ElementResults::Unknown,
    }
}

fn combine(operator: LogicalOperator, left: Ternary, right: Ternary) -> Ternary {
    let deciding_value = match operator {
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
    if left == deciding_value || right == deciding_value {
        deciding_value
    } else if left == Ternary::Unknown {
        left
    } else {
        right
    }
}
