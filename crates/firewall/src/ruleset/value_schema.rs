//! What a JSON value has to look like, as data: most actions need no more than this of their parameters.

use super::RulesetContext;
use super::validation::{MAX_ERRORS, check_expression, escaped, invalid, is_enough, wrong};
use serde_json::{Map, Value};
use zonewright_api::{Members, Refusal, check_storable, described, list, under, whole_number};
use zonewright_expression::Kind;

/// A value.
pub(super) enum ValueSchema {
    /// True or false.
    Flag,
    /// True; there is no other value.
    True,
    /// A text of so many characters.
    Text(usize, usize),
    /// A whole number in this range.
    Whole(i64, i64),
    /// One of some names.
    One(&'static [&'static str]),
    /// One of some numbers.
    OneNumber(&'static [i64]),
    /// An array of so many items.
    List(&'static ValueSchema, usize, usize),
    /// An object with members of any name, at most so many.
    Map(&'static ValueSchema, usize),
    /// An object with known members.
    Object(&'static Object),
    /// An expression that gives a value.
    Expression,
    /// A condition that counts requests; it sees the response too.
    Counting,
}

/// An object with known members.
pub(super) struct Object {
    /// What it is called in messages.
    pub(super) noun: &'static str,
    /// Its members.
    pub(super) members: &'static [MemberSchema],
    /// How they go together.
    pub(super) rules: &'static [Constraint],
}

/// A member of an object.
pub(super) struct MemberSchema(pub(super) &'static str, pub(super) ValueSchema);

/// How members go together.
pub(super) enum Constraint {
    /// It has to be there.
    Required(&'static str),
    /// One of them has to be there.
    Any,
    /// Exactly one of these has to be there.
    Exactly(&'static [&'static str]),
    /// Exactly one of these has to be there, unless the first has this value.
    ExactlyUnless(&'static str, &'static str, &'static [&'static str]),
    /// When the first has this value, the second has to be there.
    Needs(&'static str, &'static str, &'static str),
    /// When the first has this value, none of these may be there.
    Excludes(&'static str, &'static str, &'static [&'static str]),
    /// When the first is there, the second has to be, too.
    With(&'static str, &'static str),
}

/// Reads an object; what comes out has no nulls. Takes time in proportion to the value.
pub(super) fn object(
    value: &Value,
    object: &Object,
    context: &RulesetContext<'_>,
) -> Result<Map<String, Value>, Vec<Refusal>> {
    let known: Vec<&str> = object.members.iter().map(|MemberSchema(name, _)| *name).collect();
    let mut members = Members::open(value, object.noun, &known, &[])?;
    let mut read = Map::new();
    for MemberSchema(name, shape) in object.members {
        let Some(value) = members.get(name) else { continue };
        let pointer = format!("/{name}");
        if is_enough(&mut members.refusals, &pointer) {
            break;
        }
        read.extend(
            any(value, shape, &pointer, name, context, &mut members.refusals).map(|it| ((*name).to_owned(), it)),
        );
    }
    for rule in object.rules {
        together(&mut members, rule, object, &known);
    }
    if members.refusals.is_empty() { Ok(read) } else { Err(members.refusals) }
}

fn together(members: &mut Members, rule: &Constraint, object: &Object, known: &[&str]) {
    let is = |members: &Members, name: &str, value: &str| members.get(name).and_then(Value::as_str) == Some(value);
    match rule {
        Constraint::Required(name) => {
            members.required(name);
        }
        Constraint::Any if members.refusals.is_empty() && known.iter().all(|name| members.get(name).is_none()) => {
            let message = format!("{} must have at least one of {}", object.noun, list(known));
            members.refusals.push(Refusal::shape("", message));
        }
        Constraint::Exactly(names) => exactly(members, names, object),
        Constraint::ExactlyUnless(name, value, names) if !is(members, name, value) => exactly(members, names, object),
        Constraint::Needs(name, value, needed) if is(members, name, value) && members.get(needed).is_none() => {
            let message = format!("`{needed}` is missing: `{name}` is `{value}`");
            members.refusals.push(Refusal::shape(format!("/{needed}"), message));
        }
        Constraint::Excludes(name, value, others) if is(members, name, value) => {
            for other in *others {
                if members.get(other).is_some() {
                    let message = format!("`{other}` cannot stand here: `{name}` is `{value}`");
                    members.refusals.push(wrong(format!("/{other}"), message));
                }
            }
        }
        Constraint::With(name, needed) if members.get(name).is_some() && members.get(needed).is_none() => {
            let message = format!("`{needed}` is missing: `{name}` needs it");
            members.refusals.push(Refusal::shape(format!("/{needed}"), message));
        }
        _ => {}
    }
}

fn exactly(members: &mut Members, names: &[&str], object: &Object) {
    let there: Vec<&str> = names.iter().copied().filter(|name| members.get(name).is_some()).collect();
    match there.as_slice() {
        [_] => {}
        [] => {
            let message = format!("{} must have one of {}", object.noun, list(names));
            members.refusals.push(Refusal::shape("", message));
        }
        [first, other, ..] => {
            members
                .refusals
                .push(wrong(format!("/{other}"), format!("`{other}` cannot stand together with `{first}`")));
        }
    }
}

/// Reads any value; nothing when it is refused.
fn any(
    value: &Value,
    shape: &ValueSchema,
    pointer: &str,
    name: &str,
    context: &RulesetContext<'_>,
    refusals: &mut Vec<Refusal>,
) -> Option<Value> {
    let mut refuse = |expected: &str| {
        let message = format!("`{name}` must be {expected}, not {}", described(value));
        refusals.push(Refusal::shape(pointer, message));
        None
    };
    match (shape, value) {
        (ValueSchema::Flag, Value::Bool(_)) | (ValueSchema::True, Value::Bool(true)) => Some(value.clone()),
        (ValueSchema::Flag, _) => refuse("true or false"),
        (ValueSchema::True, _) => refuse("true"),
        (ValueSchema::Whole(least, most), Value::Number(number)) => {
            let whole = whole_number(value).filter(|number| (*least..=*most).contains(number));
            if whole.is_none() {
                let reason = format!("it must be a whole number from {least} to {most}");
                refusals.push(invalid(pointer, name, &number.to_string(), reason));
            }
            whole.map(Value::from)
        }
        (ValueSchema::OneNumber(numbers), Value::Number(number)) => {
            let whole = whole_number(value).filter(|number| numbers.contains(number));
            if whole.is_none() {
                let names: Vec<String> = numbers.iter().map(i64::to_string).collect();
                let reason = format!("it must be one of {}", names.join(", "));
                refusals.push(invalid(pointer, name, &number.to_string(), reason));
            }
            whole.map(Value::from)
        }
        (ValueSchema::Whole(..) | ValueSchema::OneNumber(_), _) => refuse("a whole number"),
        (
            ValueSchema::Text(..) | ValueSchema::One(_) | ValueSchema::Expression | ValueSchema::Counting,
            Value::String(text),
        ) => {
            let found = words(text, shape, pointer, name, context);
            let fits = found.is_empty();
            refusals.extend(found);
            fits.then(|| value.clone())
        }
        (ValueSchema::Text(..) | ValueSchema::One(_) | ValueSchema::Expression | ValueSchema::Counting, _) => {
            refuse("a string")
        }
        (ValueSchema::List(of, least, most), Value::Array(items)) => {
            listed(items, of, (*least, *most), pointer, name, context, refusals)
        }
        (ValueSchema::List(..), _) => refuse("an array"),
        (ValueSchema::Map(of, most), Value::Object(items)) => {
            mapped(items, of, *most, pointer, name, context, refusals)
        }
        (ValueSchema::Map(..), _) => refuse("an object"),
        (ValueSchema::Object(shape), _) => match object(value, shape, context) {
            Ok(read) => Some(Value::Object(read)),
            Err(found) => {
                refusals.extend(under(pointer, found));
                None
            }
        },
    }
}

fn words(text: &str, shape: &ValueSchema, pointer: &str, name: &str, context: &RulesetContext<'_>) -> Vec<Refusal> {
    let reason = match shape {
        ValueSchema::Expression => return check_expression(pointer, name, text, Kind::Value, context),
        ValueSchema::Counting => return check_expression(pointer, name, text, Kind::Counting, context),
        ValueSchema::One(names) if names.contains(&text) => return Vec::new(),
        ValueSchema::One(names) => format!("it must be one of {}", list(names)),
        ValueSchema::Text(least, most) => {
            let length = text.chars().count();
            let stored = check_storable(name, text).map(|refusal| Refusal { pointer: pointer.to_owned(), ..refusal });
            if (*least..=*most).contains(&length) {
                return stored.into_iter().collect();
            }
            let bound = if length < *least { format!("at least {least}") } else { format!("at most {most}") };
            format!("it has {length} characters, {bound} are allowed")
        }
        _ => return Vec::new(),
    };
    vec![invalid(pointer, name, text, reason)]
}

fn listed(
    items: &[Value],
    of: &ValueSchema,
    (least, most): (usize, usize),
    pointer: &str,
    name: &str,
    context: &RulesetContext<'_>,
    refusals: &mut Vec<Refusal>,
) -> Option<Value> {
    if items.len() < least || items.len() > most {
        let message = format!("`{name}` has {} items, from {least} to {most} are allowed", items.len());
        refusals.push(wrong(pointer, message));
        return None;
    }
    let mut read = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let pointer = format!("{pointer}/{index}");
        if refusals.len() < MAX_ERRORS || !is_enough(refusals, &pointer) {
            read.extend(any(item, of, &pointer, name, context, refusals));
        } else {
            break;
        }
    }
    (read.len() == items.len()).then_some(Value::Array(read))
}

fn mapped(
    items: &Map<String, Value>,
    of: &ValueSchema,
    most: usize,
    pointer: &str,
    name: &str,
    context: &RulesetContext<'_>,
    refusals: &mut Vec<Refusal>,
) -> Option<Value> {
    let there: Vec<(&String, &Value)> = items.iter().filter(|(_, value)| !value.is_null()).collect();
    if there.is_empty() || there.len() > most {
        let message = format!("`{name}` has {} members, from 1 to {most} are allowed", there.len());
        refusals.push(wrong(pointer, message));
        return None;
    }
    let mut read = Map::new();
    for (key, value) in &there {
        let pointer = format!("{pointer}/{}", escaped(key));
        if is_enough(refusals, &pointer) {
            break;
        }
        let length = key.chars().count();
        if !(1..=256).contains(&length) || key.chars().any(char::is_control) {
            refusals.push(wrong(pointer, format!("a name in `{name}` must be 1 to 256 visible characters")));
            continue;
        }
        read.extend(any(value, of, &pointer, name, context, refusals).map(|value| ((*key).clone(), value)));
    }
    (read.len() == there.len()).then_some(Value::Object(read))
}
