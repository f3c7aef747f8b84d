//! Evaluates function calls: evaluates the arguments, calls the function, and limits the size of the result.
//!
//! The module `functions` implements the functions.

use super::{
    context::EvalContext,
    results::{Lookup, Walk},
    tree::{Call, Operand},
    unknown_causes::CauseSink,
};
use crate::{
    Value,
    functions::{Arguments, MAX_VALUE_BYTES},
    schema::MissingArgument,
};
use std::{borrow::Cow, ops::ControlFlow};

/// The size of an array element in addition to its own bytes, in bytes.
const ELEMENT_BYTES: usize = size_of::<Value>();

/// An argument; `None` if it is missing.
type Argument<'v> = Option<Cow<'v, Value>>;

impl Call {
    pub(super) fn eval<'r, C: CauseSink<'r>>(&'r self, context: EvalContext<'r>, causes: &mut C) -> Lookup<'r> {
        if self.maps_each {
            return self.eval_map_each(context, causes);
        }
        match (self.missing_argument, &*self.arguments) {
            (MissingArgument::IsSkipped, arguments) => coalesce(arguments, context, causes),
            // One or two arguments need no heap allocation.
            (MissingArgument::Propagates, [only]) => match only.get(context, causes) {
                Lookup::Unknown => Lookup::Unknown,
                Lookup::Missing => Lookup::Missing,
                Lookup::Known(value) => limit_size(self.call_function(&[Some(value)])),
            },
            (MissingArgument::Propagates, [first, second]) => {
                let mark = causes.mark();
                match (first.get(context, causes), second.get(context, causes)) {
                    (Lookup::Missing, _) | (_, Lookup::Missing) => {
                        causes.truncate(mark);
                        Lookup::Missing
                    }
                    (Lookup::Unknown, _) | (_, Lookup::Unknown) => Lookup::Unknown,
                    (Lookup::Known(first), Lookup::Known(second)) => {
                        limit_size(self.call_function(&[Some(first), Some(second)]))
                    }
                }
            }
            (MissingArgument::Propagates | MissingArgument::IsEmpty, arguments) => {
                match self.eval_arguments(arguments, context, causes) {
                    Some(values) => limit_size(self.call_function(&values)),
                    None => Lookup::Unknown,
                }
            }
        }
    }

    /// Returns an array with the result for each element. Elements for which the result is missing are skipped. The
    /// array is missing if the first argument is missing or the array is too large.
    fn eval_map_each<'r, C: CauseSink<'r>>(&'r self, context: EvalContext<'r>, causes: &mut C) -> Lookup<'r> {
        let Some((first, other_arguments)) = self.arguments.split_first() else { return Lookup::Missing };
        // An element is never missing, so `coalesce` needs no fallback.
        let other_arguments = if self.missing_argument == MissingArgument::IsSkipped { &[] } else { other_arguments };
        let other_values = self.eval_arguments(other_arguments, context, causes);
        let is_known = other_values.is_some();
        let mut values: Vec<Argument<'_>> = vec![None];
        values.extend(other_values.unwrap_or_default());
        let mut results = Vec::new();
        let mut bytes = 0_usize;
        let walk = first.for_each(context, causes, &mut |element| {
            if !is_known {
                return ControlFlow::Break(());
            }
            // The element is cloned, because its borrow ends with this visit.
            let result = self.call_with_element(element, &mut values);
            results.extend(result.inspect(|value| bytes = bytes.saturating_add(ELEMENT_BYTES + estimate_bytes(value))));
            if bytes > MAX_VALUE_BYTES { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        match walk {
            Walk::Unknown => Lookup::Unknown,
            _ if !is_known => Lookup::Unknown,
            Walk::Missing => Lookup::Missing,
            _ if bytes > MAX_VALUE_BYTES => Lookup::Missing,
            Walk::Done => Lookup::known(Value::Array(results)),
        }
    }

    fn call_with_element(&self, element: &Value, values: &mut [Argument<'_>]) -> Option<Value> {
        if let Some(first) = values.first_mut() {
            *first = Some(Cow::Owned(element.clone()));
        }
        self.call_function(values)
    }

    /// Evaluates all arguments; returns `None` if one is unknown. If a missing argument makes the result missing,
    /// unknown arguments do not affect the result and count as missing.
    fn eval_arguments<'r, C: CauseSink<'r>>(
        &self,
        arguments: &'r [Operand],
        context: EvalContext<'r>,
        causes: &mut C,
    ) -> Option<Vec<Argument<'r>>> {
        let mark = causes.mark();
        let mut values = Vec::with_capacity(arguments.len());
        let (mut has_unknown, mut has_missing) = (false, false);
        for argument in arguments {
            values.push(match argument.get(context, causes) {
                Lookup::Known(value) => Some(value),
                Lookup::Missing => {
                    has_missing = true;
                    None
                }
                Lookup::Unknown => {
                    has_unknown = true;
                    None
                }
            });
        }
        if has_missing && self.missing_argument == MissingArgument::Propagates {
            causes.truncate(mark);
            return Some(values);
        }
        (!has_unknown).then_some(values)
    }

    /// Applies the function. No argument is unknown.
    fn call_function(&self, arguments: &[Argument<'_>]) -> Option<Value> {
        if self.missing_argument == MissingArgument::IsEmpty {
            let sizes = arguments.iter().flatten().map(|value| estimate_bytes(value));
            if sizes.fold(0, usize::saturating_add) > MAX_VALUE_BYTES {
                return None;
            }
        }
        self.computation.call(Arguments::new(arguments))
    }
}

/// Returns the first value that is not missing, or `Unknown` if an unknown value precedes it.
fn coalesce<'r, C: CauseSink<'r>>(arguments: &'r [Operand], context: EvalContext<'r>, causes: &mut C) -> Lookup<'r> {
    for argument in arguments {
        match argument.get(context, causes) {
            Lookup::Missing => {}
            lookup => return lookup,
        }
    }
    Lookup::Missing
}

/// Returns the result, or `Missing` if it exceeds the maximum size of a value.
fn limit_size<'r>(value: Option<Value>) -> Lookup<'r> {
    match value {
        Some(value) if estimate_bytes(&value) <= MAX_VALUE_BYTES => Lookup::known(value),
        _ => Lookup::Missing,
    }
}

/// Returns the approximate size of a value, in bytes.
fn estimate_bytes(value: &Value) -> usize {
    let sum = |sizes: &mut dyn Iterator<Item = usize>| sizes.fold(0_usize, usize::saturating_add);
    match value {
        Value::Text(text) => text.len(),
        Value::Integer(_) | Value::Ip(_) | Value::Boolean(_) => ELEMENT_BYTES,
        Value::Array(elements) => sum(&mut elements.iter().map(|value| ELEMENT_BYTES + estimate_bytes(value))),
        Value::Map(elements) => {
            sum(&mut elements.iter().map(|(key, value)| ELEMENT_BYTES + key.len() + estimate_bytes(value)))
        }
    }
}
