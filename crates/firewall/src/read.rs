//! From JSON to values, with every problem of the shape.

use crate::Refusal;
use crate::refusal::under;
use serde_json::{Map, Value};
use zonewright_diagnostic::similar;

/// Most items of one request; the largest quota of rules (assumption batch-limits).
pub const MOST_ITEMS: usize = 1000;
/// After this many problems the rest of a request is not judged, so that a hostile one costs little
/// (assumption batch-limits).
const MOST_PROBLEMS: usize = 100;

/// The items of a request body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch<T> {
    /// The items, in the order of the body; at least one.
    pub items: Vec<T>,
    /// Whether the body was one object instead of an array.
    single: bool,
}

impl<T> Batch<T> {
    /// JSON pointer to an item of the body.
    pub fn pointer(&self, index: usize) -> String {
        item_pointer(self.single, index)
    }

    /// Reads a body: an array, or a single object, which generated clients send, as an array of one.
    pub(crate) fn read(
        body: &Value,
        mut read: impl FnMut(&Value) -> Result<T, Vec<Refusal>>,
    ) -> Result<Batch<T>, Vec<Refusal>> {
        let (values, single) = match body {
            Value::Array(values) if values.is_empty() => {
                return refuse("the array is empty: there is nothing to create");
            }
            Value::Array(values) if values.len() > MOST_ITEMS => {
                return refuse(format!("the array has {} items, at most {MOST_ITEMS} are allowed", values.len()));
            }
            Value::Array(values) => (values.as_slice(), false),
            Value::Object(_) => (std::slice::from_ref(body), true),
            other => return refuse(format!("the body must be an array of objects, not {}", described(other))),
        };
        let mut items = Vec::new();
        let mut refusals = Vec::new();
        for (index, value) in values.iter().enumerate() {
            if refusals.len() >= MOST_PROBLEMS {
                let message = "there are many problems already: the items from here on were not judged";
                refusals.push(Refusal::shape(item_pointer(single, index), message));
                break;
            }
            match read(value) {
                Ok(item) => items.push(item),
                Err(found) => refusals.extend(under(&item_pointer(single, index), found)),
            }
        }
        if refusals.is_empty() { Ok(Batch { items, single }) } else { Err(refusals) }
    }
}

fn item_pointer(single: bool, index: usize) -> String {
    if single { String::new() } else { format!("/{index}") }
}

fn refuse<T>(message: impl Into<String>) -> Result<T, Vec<Refusal>> {
    Err(vec![Refusal::shape("", message)])
}

/// The members of a JSON object while it is read, and what was wrong with them so far.
///
/// `null` counts as absent: clients send it for what is not set (assumption empty-text).
pub(crate) struct Members<'a> {
    members: &'a Map<String, Value>,
    pub(crate) refusals: Vec<Refusal>,
}

impl<'a> Members<'a> {
    /// Opens `value`, called `noun` in messages. Members in `ignored` are read-only ones that
    /// clients send back; any that is neither there nor in `known` is refused.
    pub(crate) fn open(value: &'a Value, noun: &str, known: &[&str], ignored: &[&str]) -> Result<Self, Vec<Refusal>> {
        let Value::Object(members) = value else {
            return refuse(format!("{noun} must be an object, not {}", described(value)));
        };
        let is_unknown = |name: &&String| !known.contains(&name.as_str()) && !ignored.contains(&name.as_str());
        let mut unknown = members.keys().filter(is_unknown);
        let listed = unknown.by_ref().take(MOST_PROBLEMS);
        let mut refusals: Vec<Refusal> = listed.map(|name| unknown_member(name, noun, known)).collect();
        let more = unknown.count();
        if more > 0 {
            refusals.push(Refusal::shape("", format!("{noun} has no member of {more} more names")));
        }
        Ok(Members { members, refusals })
    }

    /// A member that is there and not `null`.
    pub(crate) fn get(&self, name: &str) -> Option<&'a Value> {
        self.members.get(name).filter(|value| !value.is_null())
    }

    /// A member that has to be there.
    pub(crate) fn required(&mut self, name: &str) -> Option<&'a Value> {
        let value = self.get(name);
        if value.is_none() {
            self.refusals.push(Refusal::shape(format!("/{name}"), format!("`{name}` is missing")));
        }
        value
    }

    /// Notes that `value` is not what `name` has to be, and gives nothing.
    pub(crate) fn wrong_type<T>(&mut self, name: &str, expected: &str, value: &Value) -> Option<T> {
        let message = format!("`{name}` must be {expected}, not {}", described(value));
        self.refusals.push(Refusal::shape(format!("/{name}"), message));
        None
    }

    /// An optional string; the empty one counts as absent, since clients send it for what is not set.
    pub(crate) fn text(&mut self, name: &str) -> Option<String> {
        match self.get(name)? {
            Value::String(text) if text.is_empty() => None,
            Value::String(text) => Some(text.clone()),
            other => self.wrong_type(name, "a string", other),
        }
    }

    /// An optional boolean; false when it is absent.
    pub(crate) fn flag(&mut self, name: &str) -> bool {
        match self.get(name) {
            None => false,
            Some(Value::Bool(flag)) => *flag,
            Some(other) => self.wrong_type(name, "true or false", other).unwrap_or_default(),
        }
    }
}

fn unknown_member(name: &str, noun: &str, known: &[&str]) -> Refusal {
    let shown: String = name.chars().take(64).collect();
    let close = similar(name, known.iter().copied());
    let hint = match close.first() {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("it may have {}", list(known)),
    };
    let pointer = format!("/{}", name.replace('~', "~0").replace('/', "~1"));
    Refusal::shape(pointer, format!("{noun} has no member `{shown}`; {hint}"))
}

/// Names as a sentence shows them: `a`, `b` and `c`.
pub(crate) fn list(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, first)) => format!("{} and {last}", first.join(", ")),
        None => String::new(),
    }
}

/// What a JSON value is: a number as it is, since another number may be expected; of any other the
/// kind, with its article.
pub(crate) fn described(value: &Value) -> String {
    match value {
        Value::Number(number) => return number.to_string(),
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
    .to_owned()
}

/// Problems of the two free texts that filters and rules have (limits observed).
pub(crate) fn check_texts(description: Option<&str>, reference: Option<&str>) -> Vec<Refusal> {
    let limits = [("description", description, 500), ("ref", reference, 50)];
    let mut refusals = Vec::new();
    for (name, text, limit) in limits {
        let text = text.unwrap_or_default();
        let length = text.chars().count();
        if length > limit {
            let message = format!("`{name}` has {length} characters, at most {limit} are allowed");
            refusals.push(Refusal::value(format!("/{name}"), message));
        }
        refusals.extend(check_storable(name, text));
    }
    refusals
}

/// The problem of a text that not every database can store: one with a NUL character.
pub(crate) fn check_storable(name: &str, text: &str) -> Option<Refusal> {
    let message = || format!("`{name}` contains a NUL character, which cannot be stored");
    text.contains('\0').then(|| Refusal::value(format!("/{name}"), message()))
}
