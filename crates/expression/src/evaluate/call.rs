//! Calls. What is called often is computed here; `functions` has the rest.

use super::{
    notes::Notes,
    operand::{Got, Operand},
    run::Run,
};
use crate::{
    Value,
    functions::{self, Context},
    schema::Function,
};
use std::{borrow::Cow, ops::ControlFlow};

/// Most bytes of a computed value (assumption value-size). A larger one is missing.
const MOST_BYTES: usize = 16 << 20;
/// What an element of an array takes besides its bytes.
const ELEMENT: usize = size_of::<Value>();

/// A call, compiled.
pub(super) struct Call {
    pub(super) function: &'static Function,
    pub(super) native: Native,
    pub(super) arguments: Box<[Operand]>,
    /// Whether it is applied to each value of the first argument.
    pub(super) each: bool,
}

/// What is computed here.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Native {
    Coalesce,
    Concat,
    EndsWith,
    HasKey,
    HasValue,
    Len,
    Lower,
    StartsWith,
    Upper,
    /// Computed by `functions`.
    None,
}

impl Native {
    pub(super) fn of(function: &Function) -> Native {
        match function.name {
            "coalesce" => Native::Coalesce,
            "concat" => Native::Concat,
            "ends_with" => Native::EndsWith,
            "has_key" => Native::HasKey,
            "has_value" => Native::HasValue,
            "len" => Native::Len,
            "lower" => Native::Lower,
            "starts_with" => Native::StartsWith,
            "upper" => Native::Upper,
            _ => Native::None,
        }
    }
}

/// An argument; nothing when it is missing.
type Argument<'v> = Option<Cow<'v, Value>>;

impl Call {
    pub(super) fn get<'r, N: Notes<'r>>(&'r self, run: &Run<'r>, notes: &mut N) -> Got<'r> {
        if self.each {
            return self.get_each(run, notes);
        }
        match (self.native, &*self.arguments) {
            (Native::Coalesce, arguments) => coalesce(arguments, run, notes),
            (Native::None | Native::Concat, arguments) => match gather(arguments, run, notes) {
                Some(values) => small(self.apply(&values, run)),
                None => Got::Unknown,
            },
            // The others have one argument or two, and need no room for them.
            (_, [only]) => match only.get(run, notes) {
                Got::Unknown => Got::Unknown,
                Got::Missing => Got::Missing,
                Got::Known(value) => small(self.apply(&[Some(value)], run)),
            },
            (_, [first, second, ..]) => match (first.get(run, notes), second.get(run, notes)) {
                (Got::Unknown, _) | (_, Got::Unknown) => Got::Unknown,
                (Got::Missing, _) | (_, Got::Missing) => Got::Missing,
                (Got::Known(first), Got::Known(second)) => small(self.apply(&[Some(first), Some(second)], run)),
            },
            (_, []) => Got::Missing,
        }
    }

    /// An array with what the call gives for each value; those for which it gives nothing are left
    /// out. Missing when the first argument is.
    fn get_each<'r, N: Notes<'r>>(&'r self, run: &Run<'r>, notes: &mut N) -> Got<'r> {
        let Some((first, rest)) = self.arguments.split_first() else { return Got::Missing };
        // No element is missing, so the fallbacks are not needed.
        let rest = if self.native == Native::Coalesce { &[] } else { rest };
        let rest = gather(rest, run, notes);
        let known = rest.is_some();
        let mut values: Vec<Argument<'_>> = vec![None];
        values.extend(rest.unwrap_or_default());
        let mut results = Vec::new();
        let mut bytes = 0_usize;
        let walked = first.each(run, notes, &mut |element| {
            if !known {
                return ControlFlow::Break(());
            }
            // The element lives no longer than this visit.
            let result = self.apply_to(element, &mut values, run);
            results.extend(result.inspect(|value| bytes = bytes.saturating_add(ELEMENT + size(value))));
            if bytes > MOST_BYTES { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        match walked {
            super::operand::Walked::Unknown => Got::Unknown,
            _ if !known => Got::Unknown,
            super::operand::Walked::Missing => Got::Missing,
            _ if bytes > MOST_BYTES => Got::Missing,
            super::operand::Walked::Done => Got::known(Value::Array(results)),
        }
    }

    fn apply_to(&self, element: &Value, values: &mut [Argument<'_>], run: &Run<'_>) -> Option<Value> {
        if let Some(first) = values.first_mut() {
            *first = Some(Cow::Owned(element.clone()));
        }
        self.apply(values, run)
    }

    /// What the function gives; every argument is known, or known to be missing.
    fn apply(&self, arguments: &[Argument<'_>], run: &Run<'_>) -> Option<Value> {
        let first = arguments.first().and_then(Option::as_deref);
        let second = arguments.get(1).and_then(Option::as_deref);
        match (self.native, first, second) {
            (Native::None, ..) => functions::call(self.function, arguments, &Context { seed: run.seed() }),
            (Native::Concat, ..) => concat(arguments),
            (Native::Coalesce, Some(value), _) => Some(value.clone()),
            (Native::Len, Some(Value::Text(text)), _) => i64::try_from(text.len()).ok().map(Value::Integer),
            (Native::Len, Some(Value::Array(elements)), _) => i64::try_from(elements.len()).ok().map(Value::Integer),
            (Native::Lower, Some(Value::Text(text)), _) => Some(Value::Text(text.to_ascii_lowercase())),
            (Native::Upper, Some(Value::Text(text)), _) => Some(Value::Text(text.to_ascii_uppercase())),
            (Native::StartsWith, Some(Value::Text(text)), Some(Value::Text(start))) => {
                Some(Value::Boolean(text.starts_with(start)))
            }
            (Native::EndsWith, Some(Value::Text(text)), Some(Value::Text(end))) => {
                Some(Value::Boolean(text.ends_with(end)))
            }
            (Native::HasKey, Some(Value::Map(map)), Some(Value::Text(key))) => {
                Some(Value::Boolean(map.contains_key(key)))
            }
            (Native::HasValue, Some(Value::Map(map)), Some(value)) => {
                Some(Value::Boolean(map.values().any(|other| other == value)))
            }
            (Native::HasValue, Some(Value::Array(array)), Some(value)) => Some(Value::Boolean(array.contains(value))),
            _ => None,
        }
    }
}

/// The first value that is not missing; unknown when it is not known which one that is.
fn coalesce<'r, N: Notes<'r>>(arguments: &'r [Operand], run: &Run<'r>, notes: &mut N) -> Got<'r> {
    for argument in arguments {
        match argument.get(run, notes) {
            Got::Missing => {}
            got => return got,
        }
    }
    Got::Missing
}

/// All arguments; nothing when one is unknown.
fn gather<'r, N: Notes<'r>>(arguments: &'r [Operand], run: &Run<'r>, notes: &mut N) -> Option<Vec<Argument<'r>>> {
    let mut values = Vec::with_capacity(arguments.len());
    let mut known = true;
    for argument in arguments {
        match argument.get(run, notes) {
            Got::Unknown => known = false,
            Got::Missing => values.push(None),
            Got::Known(value) => values.push(Some(value)),
        }
    }
    known.then_some(values)
}

/// Strings or arrays one after another, without those that are missing; missing when all are, or when
/// it is larger than a value may be.
fn concat(arguments: &[Argument<'_>]) -> Option<Value> {
    let given = || arguments.iter().filter_map(Option::as_deref);
    let bytes = given().fold(0_usize, |sum, value| sum.saturating_add(size(value)));
    if bytes > MOST_BYTES {
        return None;
    }
    if let Value::Array(_) = given().next()? {
        let arrays = given().filter_map(|value| if let Value::Array(array) = value { Some(array) } else { None });
        return Some(Value::Array(arrays.flatten().cloned().collect()));
    }
    let texts = given().filter_map(|value| if let Value::Text(text) = value { Some(text.as_slice()) } else { None });
    Some(Value::Text(texts.collect::<Vec<_>>().concat()))
}

/// A result, unless it is larger than a value may be.
fn small<'r>(value: Option<Value>) -> Got<'r> {
    match value {
        Some(value) if size(&value) <= MOST_BYTES => Got::known(value),
        _ => Got::Missing,
    }
}

/// About how many bytes a value takes.
fn size(value: &Value) -> usize {
    let sum = |sizes: &mut dyn Iterator<Item = usize>| sizes.fold(0_usize, usize::saturating_add);
    match value {
        Value::Text(text) => text.len(),
        Value::Integer(_) | Value::Ip(_) | Value::Boolean(_) => ELEMENT,
        Value::Array(elements) => sum(&mut elements.iter().map(|value| ELEMENT + size(value))),
        Value::Map(elements) => sum(&mut elements.iter().map(|(key, value)| ELEMENT + key.len() + size(value))),
    }
}
