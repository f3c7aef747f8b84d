//! Writes one value of a line in the format of a job.

use super::zero_value;
use crate::line::RawString;
use crate::time::{UtcDateTime, parse_rfc3339, to_unix_nanos};
use crate::{FieldType, Number};
use std::borrow::Cow;
use zonewright_api::logpush::{BoolOrString, OutputOptions, OutputType, TimestampFormat};

/// The smallest integer that is a Unix time in nanoseconds, in 1973. Smaller integers above the range of seconds are
/// ambiguous and are copied unchanged (assumption line-times).
const MIN_TIMESTAMP_NANOS: i128 = 100_000_000_000_000_000;
/// The smallest integer above the range of Unix times in seconds.
const TIMESTAMP_SECONDS_END: i128 = 1_000_000_000_000;

/// Writes values in the format of a job.
#[derive(Clone, Copy, Debug)]
pub(super) struct ValueWriter {
    is_csv: bool,
    stringifies_objects: bool,
    /// Whether escaped `$` and `{` are decoded, so that no escape hides a `${`.
    unescapes_log4j: bool,
    timestamp_format: TimestampFormat,
}

impl ValueWriter {
    pub(super) fn new(options: &OutputOptions) -> ValueWriter {
        ValueWriter {
            is_csv: options.output_type_or_default() == OutputType::Csv,
            stringifies_objects: options.stringify_object == Some(true),
            unescapes_log4j: options.cve_2021_44228.as_ref().is_some_and(BoolOrString::is_set),
            timestamp_format: options.timestamp_format_or_default(),
        }
    }

    /// Writes the value of a field of this type; `raw` is its JSON text, empty if the line lacks it.
    pub(super) fn write(&self, ty: FieldType, raw: &str, out: &mut Vec<u8>) {
        let raw = if raw.is_empty() { zero_value(ty) } else { raw };
        let time = if ty == FieldType::Timestamp { parse_timestamp(raw) } else { None };
        if let Some(time) = time {
            return out.extend_from_slice(self.format_timestamp(time).as_bytes());
        }
        let raw = if self.unescapes_log4j { unescape_dollar_brace(raw) } else { Cow::Borrowed(raw) };
        let is_object = matches!(ty, FieldType::Object | FieldType::Objects);
        match raw.as_bytes().first() {
            Some(b'"') if self.is_csv => {
                write_csv_field(&RawString::from_json(&raw).map_or("".into(), RawString::decode), out)
            }
            Some(b'{' | b'[') if self.is_csv => write_csv_field(&raw, out),
            Some(b'n') if self.is_csv => {}
            Some(b'{' | b'[') if self.stringifies_objects && is_object => {
                out.extend_from_slice(serde_json::Value::from(raw.as_ref()).to_string().as_bytes());
            }
            _ => out.extend_from_slice(raw.as_bytes()),
        }
    }

    /// Formats a timestamp. JSON and CSV quote RFC 3339 in the same way.
    fn format_timestamp(&self, nanoseconds: i128) -> String {
        let (seconds, rest) = (nanoseconds.div_euclid(1_000_000_000), nanoseconds.rem_euclid(1_000_000_000));
        let digits = match self.timestamp_format {
            TimestampFormat::UnixNano => return nanoseconds.to_string(),
            TimestampFormat::Unix => return seconds.to_string(),
            TimestampFormat::Rfc3339 => 0,
            TimestampFormat::Rfc3339Ms => 3,
            TimestampFormat::Rfc3339Ns => 9,
        };
        let text = UtcDateTime::from_unix_seconds(i64::try_from(seconds).unwrap_or_default()).to_rfc3339();
        let fraction = format!("{rest:09}");
        let point = if digits > 0 { "." } else { "" };
        format!("\"{text}{point}{}Z\"", fraction.get(..digits).unwrap_or_default())
    }
}

/// Returns a timestamp in nanoseconds of Unix time; `None` if it is ambiguous and must be copied unchanged.
fn parse_timestamp(json: &str) -> Option<i128> {
    if let Some(text) = RawString::from_json(json) {
        return parse_rfc3339(&text.decode());
    }
    match Number::parse(json)? {
        Number::Integer(integer)
            if (TIMESTAMP_SECONDS_END..MIN_TIMESTAMP_NANOS).contains(&integer.saturating_abs()) =>
        {
            None
        }
        Number::Float(float) if float.abs() >= 1e12 => None,
        number => Some(to_unix_nanos(number)).filter(|nanoseconds| i64::try_from(*nanoseconds).is_ok()),
    }
}

/// Writes a string as a CSV field.
fn write_csv_field(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    out.extend_from_slice(text.replace('"', "\"\"").as_bytes());
    out.push(b'"');
}

/// Decodes the escapes of `$` and `{` in a JSON text.
fn unescape_dollar_brace(raw: &str) -> Cow<'_, str> {
    if !raw.contains("\\u00") {
        return Cow::Borrowed(raw);
    }
    let mut plain = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((before, escape)) = rest.find('\\').and_then(|offset| rest.split_at_checked(offset)) {
        plain.push_str(before);
        let (decoded, length) = match escape.get(..6) {
            Some("\\u0024") => ("$", 6),
            Some("\\u007b" | "\\u007B") => ("{", 6),
            _ => (escape.get(..2).unwrap_or_default(), 2),
        };
        plain.push_str(decoded);
        rest = escape.get(length..).unwrap_or_default();
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}
