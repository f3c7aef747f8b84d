//! Formats and parses timestamps in UTC, in the proleptic Gregorian calendar without leap seconds.

use crate::Number;

const SECONDS_PER_DAY: i64 = 86_400;
const NANOS_PER_SECOND: i128 = 1_000_000_000;
/// The smallest number that counts as nanoseconds; smaller ones are seconds. As seconds it is in the year 33658, and as
/// nanoseconds it is 17 minutes after the start of 1970 (assumption timestamps).
pub(crate) const MIN_NANOSECOND_TIMESTAMP: i128 = 1_000_000_000_000;

/// A second in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UtcDateTime {
    year: i64,
    month: i64,
    day: i64,
    hour: i64,
    minute: i64,
    second: i64,
}

impl UtcDateTime {
    /// Converts seconds of Unix time.
    pub(crate) fn from_unix_seconds(seconds: i64) -> UtcDateTime {
        let (days, second_of_day) = (seconds.div_euclid(SECONDS_PER_DAY), seconds.rem_euclid(SECONDS_PER_DAY));
        // Years start in March here, so that the leap day comes last. An era has 400 years.
        let (era, day_of_era) = ((days + 719_468).div_euclid(146_097), (days + 719_468).rem_euclid(146_097));
        let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let march_month = (5 * day_of_year + 2) / 153;
        let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
        UtcDateTime {
            year: year_of_era + era * 400 + i64::from(month <= 2),
            month,
            day: day_of_year - (153 * march_month + 2) / 5 + 1,
            hour: second_of_day / 3_600,
            minute: second_of_day / 60 % 60,
            second: second_of_day % 60,
        }
    }

    /// Formats the date as `20240217`.
    pub(crate) fn to_date(self) -> String {
        format!("{:04}{:02}{:02}", self.year, self.month, self.day)
    }

    /// Formats the second as `20240217T235201Z`.
    pub(crate) fn to_basic(self) -> String {
        format!("{}T{:02}{:02}{:02}Z", self.to_date(), self.hour, self.minute, self.second)
    }

    /// Formats the second as `2024-02-17T23:52:01`, without a time zone.
    pub(crate) fn to_rfc3339(self) -> String {
        let UtcDateTime { year, month, day, hour, minute, second } = self;
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")
    }
}

/// Converts a Unix time in seconds or nanoseconds to nanoseconds.
pub(crate) fn to_unix_nanos(number: Number) -> i128 {
    match number {
        Number::Integer(integer) if integer.unsigned_abs() < MIN_NANOSECOND_TIMESTAMP.unsigned_abs() => {
            integer * NANOS_PER_SECOND
        }
        Number::Integer(integer) => integer,
        // The integer part is converted separately, so that the fraction is not rounded away.
        #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)]
        Number::Float(float) if float.abs() < MIN_NANOSECOND_TIMESTAMP as f64 => {
            float.trunc() as i128 * NANOS_PER_SECOND + (float.fract() * NANOS_PER_SECOND as f64).round() as i128
        }
        #[allow(clippy::cast_possible_truncation)]
        Number::Float(float) => float.round() as i128,
    }
}

/// Parses `2026-01-31T12:00:00.123456789Z`, or a time with an offset such as `+01:00`, to nanoseconds of Unix time.
/// Digits of a second after the ninth are ignored.
pub(crate) fn parse_rfc3339(text: &str) -> Option<i128> {
    let (date, time) = text.split_once(['T', 't', ' '])?;
    let (year, month, day) = parse_triple(date, '-', [4, 2, 2])?;
    let index = time.find(['Z', 'z', '+', '-'])?;
    let (clock, zone) = time.split_at_checked(index)?;
    let (clock, fraction) = clock.split_once('.').map_or((clock, None), |(clock, digits)| (clock, Some(digits)));
    let (hour, minute, second) = parse_triple(clock, ':', [2, 2, 2])?;
    let is_valid =
        (1..=12).contains(&month) && (1..=days_in_month(year, month)).contains(&day) && hour < 24 && minute < 60;
    // A leap second is the first second of the next minute.
    if !is_valid || second > 60 {
        return None;
    }
    let seconds = ((days_since_epoch(year, month, day) * 24 + hour) * 60 + minute - parse_offset(zone)?) * 60 + second;
    let nanoseconds = fraction.map_or(Some(0), parse_fraction)?;
    Some(i128::from(seconds) * NANOS_PER_SECOND + nanoseconds)
}

/// Parses three numbers of these lengths in digits.
fn parse_triple(text: &str, separator: char, lengths: [usize; 3]) -> Option<(i64, i64, i64)> {
    let mut parts = text.split(separator).zip(lengths).map(|(part, length)| parse_digits(part, length));
    let triple = (parts.next()??, parts.next()??, parts.next()??);
    (text.len() == lengths.iter().sum::<usize>() + 2).then_some(triple)
}

fn parse_digits(text: &str, length: usize) -> Option<i64> {
    let is_valid = text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_valid)
}

/// Parses the digits after the decimal point of a second to nanoseconds.
fn parse_fraction(digits: &str) -> Option<i128> {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let nine = digits.bytes().chain(std::iter::repeat(b'0')).take(9);
    Some(nine.fold(0, |sum, digit| sum * 10 + i128::from(digit - b'0')))
}

/// Parses a time zone, such as `+01:00`, to minutes east of Greenwich.
fn parse_offset(zone: &str) -> Option<i64> {
    if let "Z" | "z" = zone {
        return Some(0);
    }
    let (hours, minutes) = zone.get(1..)?.split_once(':')?;
    let (hours, minutes) =
        (parse_digits(hours, 2).filter(|hours| *hours < 24)?, parse_digits(minutes, 2).filter(|m| *m < 60)?);
    let east = hours * 60 + minutes;
    Some(if zone.starts_with('-') { -east } else { east })
}

fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Returns the days from 1970-01-01 to a date of the Gregorian calendar. Years start in March, so that the leap day is
/// their last day.
fn days_since_epoch(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + day_of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_are_formatted() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00"),
            (1_709_251_199, "2024-02-29T23:59:59"),
            (951_868_800, "2000-03-01T00:00:00"),
            (-1, "1969-12-31T23:59:59"),
            (9_223_372_036, "2262-04-11T23:47:16"),
        ] {
            assert_eq!(UtcDateTime::from_unix_seconds(seconds).to_rfc3339(), text);
        }
        assert_eq!(UtcDateTime::from_unix_seconds(1_709_251_199).to_basic(), "20240229T235959Z");
    }

    #[test]
    fn dates_round_trip() {
        for day in (-700_000..900_000).step_by(11) {
            let text = format!("{}Z", UtcDateTime::from_unix_seconds(day * SECONDS_PER_DAY).to_rfc3339());
            assert_eq!(parse_rfc3339(&text), Some(i128::from(day * SECONDS_PER_DAY) * 1_000_000_000), "{text}");
        }
    }

    #[test]
    fn timestamps_are_parsed_to_nanoseconds() {
        for (text, expected) in [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("2023-11-14T22:13:20Z", Some(1_700_000_000_000_000_000)),
            ("2023-11-14T23:13:20.5+01:00", Some(1_700_000_000_500_000_000)),
            ("2023-11-14t17:43:20.123456789999-04:30", Some(1_700_000_000_123_456_789)),
            ("2024-02-29T00:00:00Z", Some(1_709_164_800_000_000_000)),
            ("2016-12-31T23:59:60Z", Some(1_483_228_800_000_000_000)),
            ("1969-12-31T23:59:59Z", Some(-1_000_000_000)),
            ("0000-03-01T00:00:00Z", Some(-62_162_035_200_000_000_000)),
            ("2023-02-29T00:00:00Z", None),
            ("2023-11-14T22:13:20", None),
            ("2023-11-14", None),
            ("2023-11-14T22:13:20.Z", None),
            ("2023-11-14T22:13:20+1:00", None),
            ("2023-11-14T24:00:00Z", None),
            ("+023-11-14T22:13:20Z", None),
            ("2023-11-14-01T22:13:20Z", None),
            ("", None),
            ("é", None),
        ] {
            assert_eq!(parse_rfc3339(text), expected, "{text}");
        }
    }

    #[test]
    fn small_numbers_are_parsed_as_seconds() {
        for (text, expected) in [
            ("0", 0),
            ("1700000000", 1_700_000_000_000_000_000),
            ("1700000000.25", 1_700_000_000_250_000_000),
            ("1700000000000000000", 1_700_000_000_000_000_000),
            ("-5", -5_000_000_000),
            ("-170141183460469231731687303715884105728", i128::MIN),
        ] {
            assert_eq!(to_unix_nanos(Number::parse(text).unwrap()), expected, "{text}");
        }
    }
}
