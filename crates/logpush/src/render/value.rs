//! One value of a line, as a job writes it.

use super::{scan::unquoted, zero};
use crate::{FieldType, time::Civil, time::nanoseconds};
use std::borrow::Cow;

/// The smallest whole number that can only be nanoseconds since 1970, from 1973 on: nobody writes
/// seconds, milliseconds or microseconds that large (assumption line-times).
const LEAST_NANOSECONDS: u64 = 100_000_000_000_000_000;

/// How values are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Writer {
    csv: bool,
    stringify: bool,
    /// Whether `$` and `{` must not hide behind escapes.
    plain: bool,
    times: Times,
}

#[derive(Clone, Copy, Debug)]
enum Times {
    Nanoseconds,
    Seconds,
    /// RFC 3339 with this many digits after the second.
    Text(usize),
}

impl Writer {
    pub(super) fn new(csv: bool, stringify: bool, plain: bool, timestamp_format: Option<&str>) -> Writer {
        let times = match timestamp_format {
            Some("unix") => Times::Seconds,
            Some("rfc3339") => Times::Text(0),
            Some("rfc3339ms") => Times::Text(3),
            Some("rfc3339ns") => Times::Text(9),
            _ => Times::Nanoseconds,
        };
        Writer { csv, stringify, plain, times }
    }

    /// Writes the value of a field of this type; `raw` is its JSON text, nothing when the line lacks it.
    pub(super) fn write(&self, ty: FieldType, raw: Option<&str>, out: &mut Vec<u8>) {
        let raw = raw.unwrap_or_else(|| zero(ty));
        if let Some(time) = instant(raw).filter(|_| ty == FieldType::Timestamp) {
            return out.extend_from_slice(self.time(time).as_bytes());
        }
        let raw = if self.plain { without_hidden(raw) } else { Cow::Borrowed(raw) };
        let is_object = matches!(ty, FieldType::Object | FieldType::Objects);
        match raw.as_bytes().first() {
            Some(b'"') if self.csv => quoted(&unquoted(&raw), out),
            Some(b'{' | b'[') if self.csv => quoted(&raw, out),
            Some(b'n') if self.csv => {}
            Some(b'{' | b'[') if self.stringify && is_object => {
                out.extend_from_slice(serde_json::Value::from(raw.as_ref()).to_string().as_bytes());
            }
            _ => out.extend_from_slice(raw.as_bytes()),
        }
    }

    /// A time as the job writes it; quotes are the same in JSON and CSV.
    fn time(&self, nanoseconds: i128) -> String {
        let (seconds, rest) = (nanoseconds.div_euclid(1_000_000_000), nanoseconds.rem_euclid(1_000_000_000));
        let digits = match self.times {
            Times::Nanoseconds => return nanoseconds.to_string(),
            Times::Seconds => return seconds.to_string(),
            Times::Text(digits) => digits,
        };
        let text = Civil::at(i64::try_from(seconds).unwrap_or_default()).rfc3339();
        let fraction = format!("{rest:09}");
        let point = if digits > 0 { "." } else { "" };
        format!("\"{text}{point}{}Z\"", fraction.get(..digits).unwrap_or_default())
    }
}

/// The nanoseconds since 1970 that a value says; nothing when that is unclear, and it is left as it is.
fn instant(raw: &str) -> Option<i128> {
    if raw.starts_with('"') {
        return nanoseconds(&unquoted(raw));
    }
    let number: i64 = raw.parse().ok()?;
    (number == 0 || number.unsigned_abs() >= LEAST_NANOSECONDS).then_some(i128::from(number))
}

/// A text as a CSV field.
fn quoted(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    out.extend_from_slice(text.replace('"', "\"\"").as_bytes());
    out.push(b'"');
}

/// A JSON text in which no `$` and no `{` is written as an escape.
fn without_hidden(raw: &str) -> Cow<'_, str> {
    if !raw.contains("\\u00") {
        return Cow::Borrowed(raw);
    }
    let mut plain = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((before, escape)) = rest.find('\\').and_then(|at| rest.split_at_checked(at)) {
        plain.push_str(before);
        let (hidden, length) = match escape.get(..6) {
            Some("\\u0024") => ("$", 6),
            Some("\\u007b" | "\\u007B") => ("{", 6),
            _ => (escape.get(..2).unwrap_or_default(), 2),
        };
        plain.push_str(hidden);
        rest = escape.get(length..).unwrap_or_default();
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}
