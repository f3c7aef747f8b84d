//! What is known of the fields of a request beyond their types.

use crate::Assumption;
use zonewright_expression::resolved::{Argument, Index, Operand, Source};
use zonewright_expression::schema::{self, Field};
use zonewright_expression::{KnownValues, has_lower_case_keys, has_named_values, known_values};

/// Fields that every request has, whatever it looks like. Sorted.
const ALWAYS_PRESENT: [&str; 15] = [
    "http.host",
    "http.request.full_uri",
    "http.request.method",
    "http.request.timestamp.msec",
    "http.request.timestamp.sec",
    "http.request.uri",
    "http.request.uri.path",
    "http.request.uri.query",
    "http.request.version",
    "ip.src",
    "raw.http.request.full_uri",
    "raw.http.request.uri",
    "raw.http.request.uri.path",
    "raw.http.request.uri.query",
    "ssl",
];

/// Beginnings of names, and the parts of a request that such fields tell of; the first that fits.
const PARTS: [(&str, &[&str]); 22] = [
    ("http.cookie", &["cookie"]),
    ("http.host", &["host"]),
    ("http.referer", &["referer"]),
    ("http.request.accepted_languages", &["header"]),
    ("http.request.body.", &["body"]),
    ("http.request.cookies", &["cookie"]),
    ("http.request.full_uri", &["scheme", "host", "path", "query"]),
    // There is always a host, whatever it is.
    ("http.request.headers.names", &["header", "cookie", "referer", "user-agent", "x-forwarded-for"]),
    ("http.request.headers", &["header", "host", "cookie", "referer", "user-agent", "x-forwarded-for"]),
    ("http.request.timestamp.", &["time"]),
    ("http.request.uri.args", &["query"]),
    ("http.request.uri.path", &["path"]),
    ("http.request.uri.query", &["query"]),
    ("http.request.uri", &["path", "query"]),
    ("http.response.", &["response"]),
    ("http.user_agent", &["user-agent"]),
    ("http.x_forwarded_for", &["x-forwarded-for"]),
    ("ssl", &["scheme"]),
    ("cf.bot_management.", &["bot"]),
    ("cf.client.bot", &["bot"]),
    ("cf.tls_client_auth.", &["certificate"]),
    ("cf.llm.", &["prompt"]),
];

/// The field under the name that is in use: some have an older name too.
pub(crate) fn current(field: &'static Field) -> &'static Field {
    let replacement = field.deprecated.and_then(|deprecated| deprecated.replacement).and_then(schema::field);
    replacement.filter(|other| other.ty == field.ty).unwrap_or(field)
}

/// Older names of a field.
pub(crate) fn older_names(field: &'static Field) -> impl Iterator<Item = &'static str> {
    schema::FIELDS.iter().filter(|other| other.name != field.name && current(other).name == field.name).map(|f| f.name)
}

pub(crate) fn always_present(field: &Field) -> bool {
    ALWAYS_PRESENT.binary_search(&field.name).is_ok()
}

/// The documented form of a value that a request has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The values, or the elements of an array, are known.
    Known(KnownValues),
    /// An array has at least one element (assumption named-values).
    NotEmpty,
    /// No request has it.
    Nothing,
}

/// The documented form of a value, or of each element of a value with `[*]`.
pub(crate) fn form(operand: &Operand) -> Option<Form> {
    if let Some(array) = array_measured(operand) {
        return match form(array)? {
            Form::NotEmpty => Some(Form::Known(KnownValues::Integers { low: 1, high: i64::MAX })),
            Form::Nothing => Some(Form::Nothing),
            Form::Known(_) => None,
        };
    }
    let Source::Field(field) = operand.source else { return None };
    let field = current(field);
    match operand.indexes.as_slice() {
        [Index::Key(key), ..]
            if has_lower_case_keys(field.name) && key.bytes().any(|byte| byte.is_ascii_uppercase()) =>
        {
            Some(Form::Nothing)
        }
        [Index::Key(_)] if has_named_values(field) => Some(Form::NotEmpty),
        _ => known_values(field.name).map(Form::Known),
    }
}

/// The array whose length a value gives: `a` in `len(a)`.
pub(crate) fn array_measured(operand: &Operand) -> Option<&Operand> {
    let Source::Call(call) = &operand.source else { return None };
    match call.arguments.as_slice() {
        [Argument::Value(of)] if call.function.name == "len" && !call.each && !of.ty.is_scalar() => Some(of),
        _ => None,
    }
}

/// Whether a value is a length, which is never below 0.
pub(crate) fn is_length(operand: &Operand) -> bool {
    matches!(&operand.source, Source::Call(call) if call.function.name == "len" && !call.each)
}

/// The assumption of a proof that uses the form of a value.
pub(crate) fn form_assumption(operand: &Operand) -> Option<Assumption> {
    let inside = array_measured(operand).unwrap_or(operand);
    let Source::Field(field) = inside.source else { return None };
    let field = current(field).name;
    Some(match form(inside)? {
        Form::Known(KnownValues::Text { words, .. }) => Assumption::Form { field, words },
        Form::Known(KnownValues::Integers { low, high }) => Assumption::Range { field, low, high },
        Form::NotEmpty => Assumption::NamedValues(field),
        Form::Nothing => Assumption::Form { field, words: LOWER_CASE_NAMES },
    })
}

const LOWER_CASE_NAMES: &str = "has its names in lower case";

/// Every assumption that a proof may make about a request.
pub(crate) fn assumptions() -> Vec<Assumption> {
    let mut all: Vec<Assumption> = ALWAYS_PRESENT.into_iter().map(Assumption::Present).collect();
    for field in schema::FIELDS {
        let name = field.name;
        if current(field).name != name {
            all.push(Assumption::Same { older: name, current: current(field).name });
        }
        all.extend(known_values(name).map(|known| match known {
            KnownValues::Text { words, .. } => Assumption::Form { field: name, words },
            KnownValues::Integers { low, high } => Assumption::Range { field: name, low, high },
        }));
        all.extend(has_lower_case_keys(name).then_some(Assumption::Form { field: name, words: LOWER_CASE_NAMES }));
        all.extend(has_named_values(field).then_some(Assumption::NamedValues(name)));
    }
    all
}

/// A field, and the parts of a request that a value of it tells of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Told {
    pub(crate) field: &'static str,
    parts: Vec<&'static str>,
}

impl Told {
    /// What a value tells of.
    pub(crate) fn by(field: &'static Field, indexes: &[Index]) -> Told {
        let field = current(field).name;
        let name = field.strip_prefix("raw.").unwrap_or(field);
        let known = PARTS.iter().find(|(start, _)| name.starts_with(start));
        let parts = known.map(|(_, parts)| *parts).unwrap_or_default();
        let parts = match indexes.first() {
            // One header is of no other field, unless it has a field of its own.
            Some(Index::Key(key)) if name == "http.request.headers" => {
                parts.iter().copied().filter(|part| part == key).chain(["header"]).collect()
            }
            _ => parts.to_vec(),
        };
        Told { field, parts }
    }

    /// Whether two values of a request cannot be chosen freely, because they tell of the same thing.
    /// (The country of an address is taken to be free: no one can tell it from the address.)
    pub(crate) fn depends_on(&self, other: &Told) -> bool {
        let (one, two) = (self.field, other.field);
        let inside = |whole: &str, part: &str| {
            whole != "ip.src" && part.strip_prefix(whole).is_some_and(|rest| rest.starts_with('.'))
        };
        // Earlier rules may have changed what is not raw.
        let raw = one.starts_with("raw.") == two.starts_with("raw.");
        let place = |name: &str| name.starts_with("ip.src.") && name != "ip.src.asnum";
        let shared = raw && self.parts.iter().any(|part| other.parts.contains(part));
        one != two && (shared || inside(one, two) || inside(two, one) || place(one) && place(two))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_fields_exist() {
        assert!(ALWAYS_PRESENT.is_sorted());
        assert!(ALWAYS_PRESENT.iter().all(|name| schema::field(name).is_some()));
        for (start, _) in PARTS {
            assert!(schema::FIELDS.iter().any(|field| field.name.starts_with(start)), "{start}");
        }
    }

    #[test]
    fn fields_that_tell_of_the_same_thing() {
        let cases = [
            ("http.request.uri", "http.request.uri.path", true),
            ("http.request.full_uri", "http.host", true),
            ("http.request.full_uri", "ssl", true),
            ("http.request.uri.args", "http.request.uri.query", true),
            ("http.request.uri.path", "http.request.uri.query", false),
            ("http.host", "http.request.uri.path", false),
            ("http.request.uri.path", "raw.http.request.uri.path", false),
            ("raw.http.request.uri", "raw.http.request.uri.path", true),
            ("http.cookie", "http.request.headers", true),
            ("http.cookie", "http.request.headers.names", true),
            ("http.host", "http.request.headers.values", true),
            ("http.host", "http.request.headers.names", false),
            ("ip.src", "ip.src.country", false),
            ("ip.src.country", "ip.src.continent", true),
            ("ip.src.asnum", "ip.src.country", false),
            ("cf.waf.score", "cf.waf.score.class", true),
        ];
        for (one, other, expected) in cases {
            let [one, other] = [one, other].map(|name| Told::by(schema::field(name).unwrap(), &[]));
            assert_eq!(one.depends_on(&other), expected, "{one:?} {other:?}");
            assert_eq!(other.depends_on(&one), expected, "{other:?} {one:?}");
        }
    }
}
