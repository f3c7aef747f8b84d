//! The time as the service writes it.

/// Now in RFC 3339, whole seconds, UTC: `2026-11-21T02:49:32Z`.
pub(crate) fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// Now in RFC 3339, microseconds, UTC: `2026-11-21T02:49:32.012345Z`.
pub(crate) fn now_exact() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S.%6fZ").to_string()
}

/// A time in RFC 3339, or a date, which is its beginning in UTC.
pub(crate) fn read(text: &str) -> Option<jiff::Timestamp> {
    let date = |text: &str| text.parse::<jiff::civil::Date>().ok()?.to_zoned(jiff::tz::TimeZone::UTC).ok();
    // A time without its distance to UTC would be read as a date.
    let is_date = text.len() == "2027-01-31".len();
    text.parse().ok().or_else(|| date(text).filter(|_| is_date).map(|zoned| zoned.timestamp()))
}

/// What [`read`] reads, as [`now_exact`] writes times.
pub(crate) fn moment(text: &str) -> Option<String> {
    read(text).map(|time| time.strftime("%Y-%m-%dT%H:%M:%S.%6fZ").to_string())
}

/// Whether it is a time as [`now`] writes it.
pub(crate) fn is_written(text: &str) -> bool {
    read(text).is_some_and(|time| time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string() == text)
}

/// Now in milliseconds since 1970.
pub(crate) fn millis() -> u64 {
    u64::try_from(jiff::Timestamp::now().as_millisecond()).unwrap_or_default()
}

/// Milliseconds since 1970 as [`now`] writes times.
pub(crate) fn at_millis(millis: u64) -> String {
    let time = i64::try_from(millis).ok().and_then(|millis| jiff::Timestamp::from_millisecond(millis).ok());
    time.unwrap_or_default().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}
