//! Points in time as jobs write them: UTC, the proleptic Gregorian calendar, no leap seconds.

const DAY: i64 = 86_400;

/// A second in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Civil {
    year: i64,
    month: i64,
    day: i64,
    hour: i64,
    minute: i64,
    second: i64,
}

impl Civil {
    /// The second of this number since 1970.
    pub(crate) fn at(seconds: i64) -> Civil {
        let (days, rest) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
        // Years start in March here, so that the leap day comes last; 400 of them are one era.
        let (era, of_era) = ((days + 719_468).div_euclid(146_097), (days + 719_468).rem_euclid(146_097));
        let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let day_of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let march_month = (5 * day_of_year + 2) / 153;
        let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
        Civil {
            year: year_of_era + era * 400 + i64::from(month <= 2),
            month,
            day: day_of_year - (153 * march_month + 2) / 5 + 1,
            hour: rest / 3_600,
            minute: rest / 60 % 60,
            second: rest % 60,
        }
    }

    /// `20240217`.
    pub(crate) fn date(self) -> String {
        format!("{:04}{:02}{:02}", self.year, self.month, self.day)
    }

    /// `20240217T235201Z`.
    pub(crate) fn compact(self) -> String {
        format!("{}T{:02}{:02}{:02}Z", self.date(), self.hour, self.minute, self.second)
    }

    /// `2024-02-17T23:52:01`.
    pub(crate) fn rfc3339(self) -> String {
        let Civil { year, month, day, hour, minute, second } = self;
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")
    }
}

/// Nanoseconds since 1970 of an RFC 3339 time; nothing when it is none.
pub(crate) fn nanoseconds(text: &str) -> Option<i128> {
    let (date, time) = text.split_once(['T', 't', ' '])?;
    let [year, month, day] = numbers(date, '-', [4, 2, 2])?;
    let zone = time.find(['Z', 'z', '+', '-'])?;
    let (clock, zone) = time.split_at_checked(zone)?;
    let (clock, fraction) = clock.split_once('.').map_or((clock, ""), |(clock, fraction)| (clock, fraction));
    let [hour, minute, second] = numbers(clock, ':', [2, 2, 2])?;
    let is_wrong_fraction = fraction.is_empty() && time.contains('.');
    if is_wrong_fraction || fraction.len() > 18 || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let nanos: i128 = format!("{:0<9}", fraction.get(..9).unwrap_or(fraction)).parse().ok()?;
    let seconds = days(year, month, day)? * DAY + clock_seconds(hour, minute, second)? - offset(zone)?;
    Some(i128::from(seconds) * 1_000_000_000 + nanos)
}

/// Seconds by which the clocks of a zone are ahead: `Z`, `+01:00`.
fn offset(zone: &str) -> Option<i64> {
    if zone.eq_ignore_ascii_case("z") {
        return Some(0);
    }
    let (sign, rest) = zone.split_at_checked(1)?;
    let [hours, minutes] = numbers(rest, ':', [2, 2])?;
    (hours < 24 && minutes < 60).then_some((hours * 3_600 + minutes * 60) * if sign == "-" { -1 } else { 1 })
}

fn clock_seconds(hour: i64, minute: i64, second: i64) -> Option<i64> {
    // A leap second is the last one of its minute here.
    (hour < 24 && minute < 60 && second <= 60).then_some(hour * 3_600 + minute * 60 + second.min(59))
}

/// Days since 1970; nothing when the month has no such day.
fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let most = match month {
        2 => 28 + i64::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if !(1..=most).contains(&day) {
        return None;
    }
    let year = year - i64::from(month <= 2);
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let march_month = if month > 2 { month - 3 } else { month + 9 };
    let day_of_year = (153 * march_month + 2) / 5 + day - 1;
    Some(era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468)
}

/// Numbers of exactly these lengths between separators.
fn numbers<const N: usize>(text: &str, separator: char, lengths: [usize; N]) -> Option<[i64; N]> {
    let mut parts = text.split(separator);
    let mut numbers = [0; N];
    for (number, length) in numbers.iter_mut().zip(lengths) {
        let part = parts.next().filter(|part| part.len() == length)?;
        *number = part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse().ok())??;
    }
    parts.next().is_none().then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_and_written() {
        for (text, seconds) in [
            ("1970-01-01T00:00:00", 0),
            ("2024-02-29T23:59:59", 1_709_251_199),
            ("2000-03-01T00:00:00", 951_868_800),
            ("1969-12-31T23:59:59", -1),
            ("2262-04-11T23:47:16", 9_223_372_036),
        ] {
            assert_eq!(Civil::at(seconds).rfc3339(), text);
            assert_eq!(nanoseconds(&format!("{text}Z")), Some(i128::from(seconds) * 1_000_000_000), "{text}");
        }
        assert_eq!(Civil::at(1_709_251_199).compact(), "20240229T235959Z");
        assert_eq!(nanoseconds("2024-02-29T23:59:59.5+01:30"), Some(1_709_245_799_500_000_000));
        assert_eq!(nanoseconds("2024-02-29t23:59:60.123456789z"), Some(1_709_251_199_123_456_789));
    }

    #[test]
    fn what_is_no_time_is_not_read() {
        for text in [
            "",
            "2024-02-30T00:00:00Z",
            "2023-02-29T00:00:00Z",
            "2024-13-01T00:00:00Z",
            "2024-01-01",
            "2024-01-01T00:00:00",
            "2024-01-01T24:00:00Z",
            "2024-01-01T00:00:00.Z",
            "2024-01-01T00:00:00+1:00",
            "2024-01-01T00:00:00.1é+01:00",
            "24-01-01T00:00:00Z",
        ] {
            assert_eq!(nanoseconds(text), None, "{text}");
        }
    }

    #[test]
    fn every_day_comes_back() {
        for day in (-200_000..200_000).step_by(7) {
            let text = format!("{}Z", Civil::at(day * DAY).rfc3339());
            if text.len() == 20 {
                assert_eq!(nanoseconds(&text), Some(i128::from(day * DAY) * 1_000_000_000), "{text}");
            }
        }
    }
}
