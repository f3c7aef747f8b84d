//! Timestamps in the formats of the service.

use jiff::Timestamp;
use jiff::fmt::temporal::Pieces;
use jiff::tz::TimeZone;

/// Returns the current time in RFC 3339 with seconds, in UTC: `2026-11-21T02:49:32Z`.
pub fn now() -> String {
    format_seconds(Timestamp::now())
}

/// Formats a timestamp like [`now`].
pub(crate) fn format_seconds(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// Returns the current time in RFC 3339 with microseconds, in UTC: `2026-11-21T02:49:32.012345Z`.
pub(crate) fn now_micros_text() -> String {
    Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S.%6fZ").to_string()
}

/// Parses a timestamp in RFC 3339, or a date, which means its start in UTC. Times outside the range of [`Timestamp`],
/// near the years 9999 and -9999, become its last or first value.
pub fn parse(text: &str) -> Option<Timestamp> {
    if let Ok(time) = text.parse() {
        return Some(time);
    }
    let pieces = Pieces::parse(text).ok()?;
    let date = pieces.date();
    // A time without a UTC offset would be read as a date.
    let is_date = text.len() == "2027-01-31".len() && pieces.time().is_none();
    let is_time = pieces.time().is_some() && pieces.offset().is_some();
    match date.to_zoned(TimeZone::UTC) {
        Ok(zoned) if is_date => Some(zoned.timestamp()),
        _ if !is_date && !is_time => None,
        _ if date >= Timestamp::MAX.to_zoned(TimeZone::UTC).date() => Some(Timestamp::MAX),
        _ if date <= Timestamp::MIN.to_zoned(TimeZone::UTC).date() => Some(Timestamp::MIN),
        _ => None,
    }
}

/// Parses like [`parse`] and formats like [`now_micros_text`].
pub fn to_micros_text(text: &str) -> Option<String> {
    parse(text).map(|time| time.strftime("%Y-%m-%dT%H:%M:%S.%6fZ").to_string())
}

/// Returns whether the text is a timestamp in the format of [`now`].
pub(crate) fn is_canonical(text: &str) -> bool {
    parse(text).is_some_and(|time| format_seconds(time) == text)
}

/// Returns the current time in milliseconds since 1970.
pub fn now_millis() -> u64 {
    u64::try_from(Timestamp::now().as_millisecond()).unwrap_or_default()
}

/// Formats milliseconds since 1970 like [`now`]; values beyond the range of [`Timestamp`] become its last value.
pub fn format_millis(millis: u64) -> String {
    let time = i64::try_from(millis).ok().and_then(|millis| Timestamp::from_millisecond(millis).ok());
    format_seconds(time.unwrap_or(Timestamp::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_dates_are_normalized_to_microseconds() {
        for (text, expected) in [
            ("2027-01-31", Some("2027-01-31T00:00:00.000000Z")),
            ("2027-01-31T12:00:00.5+02:00", Some("2027-01-31T10:00:00.500000Z")),
            ("9999-12-30", Some("9999-12-30T00:00:00.000000Z")),
            ("9999-12-31", Some("9999-12-30T22:00:00.999999Z")),
            ("9999-12-31T23:59:59Z", Some("9999-12-30T22:00:00.999999Z")),
            ("9999-12-31T23:59:60Z", Some("9999-12-30T22:00:00.999999Z")),
            ("9999-12-31T23:59:59", None),
            ("9999-12-32", None),
            ("10000-01-01", None),
            ("2027-01-31T12:00:00", None),
            ("2027-01-31T", None),
            ("2027-13-31", None),
            ("yesterday", None),
            ("", None),
        ] {
            assert_eq!(to_micros_text(text).as_deref(), expected, "{text}");
        }
        assert_eq!(format_millis(0), "1970-01-01T00:00:00Z");
        assert_eq!(format_millis(u64::MAX), "9999-12-30T22:00:00Z");
        assert!(to_micros_text("-009999-01-01T00:00:00Z").is_some_and(|first| first.as_str() < "0"));
    }
}
