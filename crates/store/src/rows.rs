//! Conversions of rows that several files share.

/// Converts a count of the database, which is never negative.
pub(crate) fn count(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}
