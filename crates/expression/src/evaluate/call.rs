//! Function calls: evaluates the arguments and limits the size of results. `functions` computes the results.

use super::{
    answer::{Lookup, Walk},
    notes::Notes,
    run::Run,
    tree::{Call, Operand},
};
use crate::{Value, functions::Arguments, schema::MissingArgument};
use std::{borrow::Cow, ops::ControlFlow};

/// The maximum size of a computed value, in bytes (assumption value-size). A larger value is missing.
const MOST_BYTES: usize = 16 << 20;
/// The size of an array element in addition to its own bytes, in bytes.
const ELEMENT: usize = size_of::<Value>();

/// An argument; `None` if it is missing.
type Argument<'v> = Option<Cow<'v, Value>>;

impl Call {
    pub(super) fn get<'r, N: Notes<'r>>(&'r self, run: Run<'r>, notes: &mut N) -> Lookup<'r> {
        if self.each {
            return self.get_each(run, notes);
        }
        match (self.missing_argument, &*self.arguments) {
            (MissingArgument::IsSkipped, arguments) => coalesce(arguments, run, notes),
            // One or two arguments need no heap allocation.
            (MissingArgument::Propagates, [only]) => match only.get(run, notes) {
                Lookup::Unknown => Lookup::Unknown,
                Lookup::Missing => Lookup::Missing,
                Lookup::Known(value) => small(self.apply(&[Some(value)])),
            },
            (MissingArgument::Propagates, [first, second]) => {
                let mark = notes.mark();
                match (first.get(run, notes), second.get(run, notes)) {
                    (Lookup::Missing, _) | (_, Lookup::Missing) => {
                        notes.forget(mark);
                        Lookup::Missing
                    }
                    (Lookup::Unknown, _) | (_, Lookup::Unknown) => Lookup::Unknown,
                    (Lookup::Known(first), Lookup::Known(second)) => small(self.apply(&[Some(first), Some(second)])),
                }
            }
            (MissingArgument::Propagates | MissingArgument::IsEmpty, arguments) => {
                match self.gather(arguments, run, notes) {
                    Some(values) => small(self.apply(&values)),
                    None => Lookup::Unknown,
                }
            }
        }
    }

    /// Returns an array with the result for each element, or `Missing` if the first argument is missing. Elements for
    /// which the result is missing are skipped.
    fn get_each<'r, N: Notes<'r>>(&'r self, run: Run<'r>, notes: &mut N) -> Lookup<'r> {
        let Some((first, rest)) = self.arguments.split_first() else { return Lookup::Missing };
        // An element is never missing, so the fallbacks are not needed.
        let rest = if self.missing_argument == MissingArgument::IsSkipped { &[] } else { rest };
        let rest = self.gather(rest, run, notes);
        let known = rest.is_some();
        let mut values: Vec<Argument<'_>> = vec![None];
        values.extend(rest.unwrap_or_default());
        let mut results = Vec::new();
        let mut bytes = 0_usize;
        let walked = first.each(run, notes, &mut |element| {
            if !known {
                return ControlFlow::Break(());
            }
            // The element is cloned because it lives no longer than this visit.
            let result = self.apply_to(element, &mut values);
            results.extend(result.inspect(|value| bytes = bytes.saturating_add(ELEMENT + size(value))));
            if bytes > MOST_BYTES { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        match walked {
            Walk::Unknown => Lookup::Unknown,
            _ if !known => Lookup::Unknown,
            Walk::Missing => Lookup::Missing,
            _ if bytes > MOST_BYTES => Lookup::Missing,
            Walk::Done => Lookup::known(Value::Array(results)),
        }
    }

    fn apply_to(&self, element: &Value, values: &mut [Argument<'_>]) -> Option<Value> {
        if let Some(first) = values.first_mut() {
            *first = Some(Cow::Owned(element.clone()));
        }
        self.apply(values)
    }

    /// Evaluates all arguments; returns `None` if one is unknown. If a missing argument makes the result missing,
    /// unknown arguments no longer matter and also count as missing.
    fn gather<'r, N: Notes<'r>>(
        &self,
        arguments: &'r [Operand],
        run: Run<'r>,
        notes: &mut N,
    ) -> Option<Vec<Argument<'r>>> {
        let mark = notes.mark();
        let mut values = Vec::with_capacity(arguments.len());
        let (mut unknown, mut missing) = (false, false);
        for argument in arguments {
            values.push(match argument.get(run, notes) {
                Lookup::Known(value) => Some(value),
                Lookup::Missing => {
                    missing = true;
                    None
                }
                Lookup::Unknown => {
                    unknown = true;
                    None
                }
            });
        }
        if missing && self.missing_argument == MissingArgument::Propagates {
            notes.forget(mark);
            return Some(values);
        }
        (!unknown).then_some(values)
    }

    /// Applies the function; every argument is known or known to be missing.
    fn apply(&self, arguments: &[Argument<'_>]) -> Option<Value> {
        if self.missing_argument == MissingArgument::IsEmpty {
            let sizes = arguments.iter().flatten().map(|value| size(value));
            if sizes.fold(0, usize::saturating_add) > MOST_BYTES {
                return None;
            }
        }
        self.computation.run(Arguments::new(arguments))
    }
}

/// Returns the first value that is not missing, or `Unknown` if an unknown value precedes it.
fn coalesce<'r, N: Notes<'r>>(arguments: &'r [Operand], run: Run<'r>, notes: &mut N) -> Lookup<'r> {
    for argument in arguments {
        match argument.get(run, notes) {
            Lookup::Missing => {}
            got => return got,
        }
    }
    Lookup::Missing
}

/// Returns the result, or `Missing` if it exceeds the maximum size of a value.
fn small<'r>(value: Option<Value>) -> Lookup<'r> {
    match value {
        Some(value) if size(&value) <= MOST_BYTES => Lookup::known(value),
        _ => Lookup::Missing,
    }
}

/// Returns the approximate size of a value, in bytes.
fn size(value: &Value) -> usize {
    let sum = |sizes: &mut dyn Iterator<Item = usize>| sizes.fold(0_usize, usize::saturating_add);
    match value {
        Value::Text(text) => text.len(),
        Value::Integer(_) | Value::Ip(_) | Value::Boolean(_) => ELEMENT,
        Value::Array(elements) => sum(&mut elements.iter().map(|value| ELEMENT + size(value))),
        Value::Map(elements) => sum(&mut elements.iter().map(|(key, value)| ELEMENT + key.len() + size(value))),
    }
}
