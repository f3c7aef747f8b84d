//! Evaluates values: fields, calls and literals, with their indexes.

use super::{
    context::{EvalContext, FieldValue},
    results::{ElementResults, Lookup, Ternary, Visit, Walk},
    tree::{ArrayCondition, Index, Operand, Source},
    unknown_causes::CauseSink,
};
use crate::{Value, record::FieldIndex};
use std::{borrow::Cow, ops::ControlFlow};

impl Operand {
    pub(super) fn constant(value: Value) -> Self {
        Operand { source: Source::Constant(value), path: Box::default() }
    }

    /// Returns the index of the field if the operand is a field without indexes.
    pub(super) fn field(&self) -> Option<FieldIndex> {
        match self.source {
            Source::Field(field) if self.path.is_empty() => Some(field),
            _ => None,
        }
    }

    /// Returns whether an index is `[*]`, so that the operand has many values.
    pub(super) fn has_map_each(&self) -> bool {
        self.path.iter().any(|index| matches!(index, Index::Each))
    }

    /// Returns the estimated cost of evaluation. Conditions are ordered by it.
    pub(super) fn cost(&self) -> u32 {
        let source = match &self.source {
            Source::Field(_) | Source::Constant(_) | Source::Uncomputable(_) => 1,
            Source::Call(_) => 50,
            Source::Condition(_) | Source::ArrayCondition(_) => 200,
        };
        source + 10 * u32::try_from(self.path.len()).unwrap_or(u32::MAX / 10)
    }

    /// Returns the value of the operand, which must not contain `[*]`.
    #[inline]
    pub(super) fn get<'r, C: CauseSink<'r>>(&'r self, context: EvalContext<'r>, causes: &mut C) -> Lookup<'r> {
        let lookup = self.source.get(context, causes);
        if self.path.is_empty() {
            return lookup;
        }
        match lookup {
            Lookup::Known(Cow::Borrowed(value)) => match value_at(value, &self.path) {
                Some(value) => Lookup::Known(Cow::Borrowed(value)),
                None => Lookup::Missing,
            },
            Lookup::Known(Cow::Owned(value)) => match into_value_at(value, &self.path) {
                Some(value) => Lookup::Known(Cow::Owned(value)),
                None => Lookup::Missing,
            },
            Lookup::Missing => Lookup::Missing,
            Lookup::Unknown => Lookup::Unknown,
        }
    }

    /// Visits each value until the callback breaks. Elements without a value at the indexes after `[*]` are skipped.
    pub(super) fn for_each<'r, C: CauseSink<'r>>(
        &'r self,
        context: EvalContext<'r>,
        causes: &mut C,
        visit: &mut Visit<'_>,
    ) -> Walk {
        match self.source.get(context, causes) {
            Lookup::Unknown => Walk::Unknown,
            Lookup::Missing => Walk::Missing,
            Lookup::Known(value) => {
                let until_each = self.path.iter().take_while(|index| !matches!(index, Index::Each)).count();
                let (collection_path, element_path) =
                    self.path.split_at_checked(until_each).unwrap_or((&self.path, &[]));
                match value_at(&value, collection_path) {
                    Some(collection) => {
                        let _ = for_each_value_at(collection, element_path, visit);
                        Walk::Done
                    }
                    None => Walk::Missing,
                }
            }
        }
    }
}

impl Source {
    #[inline]
    fn get<'r, C: CauseSink<'r>>(&'r self, context: EvalContext<'r>, causes: &mut C) -> Lookup<'r> {
        match self {
            Source::Field(field) => match context.field(*field, causes) {
                FieldValue::Value(value) => Lookup::Known(Cow::Borrowed(value)),
                FieldValue::Missing => Lookup::Missing,
                FieldValue::Unknown => Lookup::Unknown,
            },
            Source::Constant(value) => Lookup::Known(Cow::Borrowed(value)),
            Source::Call(call) => call.eval(context, causes),
            Source::Condition(node) => match node.eval(context, causes) {
                Ternary::Unknown => Lookup::Unknown,
                truth => Lookup::known(Value::Boolean(truth == Ternary::True)),
            },
            Source::ArrayCondition(condition) => eval_elements(condition, context, causes),
            Source::Uncomputable(cause) => {
                causes.push(*cause);
                Lookup::Unknown
            }
        }
    }
}

/// Returns the truth values of the elements as an array of Booleans.
fn eval_elements<'r, C: CauseSink<'r>>(
    condition: &'r ArrayCondition,
    context: EvalContext<'r>,
    causes: &mut C,
) -> Lookup<'r> {
    let mark = causes.mark();
    match condition.eval_elements(context, causes) {
        ElementResults::Missing => Lookup::Missing,
        ElementResults::Known(truths) if !truths.contains(&Ternary::Unknown) => {
            causes.truncate(mark);
            Lookup::known(Value::Array(
                truths.into_iter().map(|truth| Value::Boolean(truth == Ternary::True)).collect(),
            ))
        }
        ElementResults::Known(_) | ElementResults::Unknown => Lookup::Unknown,
    }
}

fn get_element<'v>(value: &'v Value, index: &Index) -> Option<&'v Value> {
    match (value, index) {
        (Value::Array(elements), Index::Element(index)) => elements.get(*index),
        (Value::Map(elements), Index::Key(key)) => elements.get(key.as_ref()),
        _ => None,
    }
}

fn value_at<'v>(value: &'v Value, path: &[Index]) -> Option<&'v Value> {
    path.iter().try_fold(value, get_element)
}

fn into_value_at(mut value: Value, path: &[Index]) -> Option<Value> {
    for index in path {
        value = match (value, index) {
            (Value::Array(elements), Index::Element(index)) => elements.into_iter().nth(*index)?,
            (Value::Map(mut elements), Index::Key(key)) => elements.remove(key.as_ref())?,
            _ => return None,
        };
    }
    Some(value)
}

fn for_each_value_at(value: &Value, path: &[Index], visit: &mut Visit<'_>) -> ControlFlow<()> {
    let Some((index, rest)) = path.split_first() else { return visit(value) };
    match (index, value) {
        (Index::Each, Value::Array(elements)) => {
            elements.iter().try_for_each(|value| for_each_value_at(value, rest, visit))
        }
        (Index::Each, Value::Map(elements)) => {
            elements.values().try_for_each(|value| for_each_value_at(value, rest, visit))
        }
        _ => match get_element(value, index) {
            Some(value) => for_each_value_at(value, rest, visit),
            None => ControlFlow::Continue(()),
        },
    }
}
