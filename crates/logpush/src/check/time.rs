//! Points in time.

/// Nanoseconds from 1970 to a time such as `2024-05-01T12:00:00Z` (RFC 3339); `None` for anything else.
pub(super) fn nanoseconds(text: &str) -> Option<i128> {
    let (date, time) = text.split_once(['T', 't', ' '])?;
    let mut parts = date.split('-').map(digits);
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let zone = time.find(['Z', 'z', '+', '-'])?;
    let (clock, zone) = time.split_at_checked(zone)?;
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    let mut parts = clock.split(':').map(digits);
    let (hour, minute, second) = (parts.next()??, parts.next()??, parts.next()??);
    if !((1..=12).contains(&month) && (1..=31).contains(&day) && hour < 24 && minute < 60 && second < 61) {
        return None;
    }
    let nanos = digits(format!("{fraction:0<9}").get(..9)?)?;
    let offset = match zone.strip_prefix(['+', '-']) {
        None => 0,
        Some(offset) => {
            let (hours, minutes) = offset.split_once(':')?;
            let minutes = digits(hours)? * 60 + digits(minutes)?;
            if zone.starts_with('-') { -minutes } else { minutes }
        }
    };
    let seconds = days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second - offset * 60;
    Some(seconds * 1_000_000_000 + nanos)
}

fn digits(text: &str) -> Option<i128> {
    let is_number = !text.is_empty() && text.len() < 10 && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok())?
}

/// Days from 1970-01-01 in the Gregorian calendar, counted in years that begin in March.
fn days(year: i128, month: i128, day: i128) -> i128 {
    let year = if month <= 2 { year - 1 } else { year };
    let month = (month + 9) % 12;
    365 * year + year / 4 - year / 100 + year / 400 + (month * 306 + 5) / 10 + day - 1 - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        let cases = [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("2000-02-29T12:00:00Z", Some(951_825_600_000_000_000)),
            ("2024-05-01T12:00:00.5+02:00", Some(1_714_557_600_500_000_000)),
            ("1969-12-31T23:59:59Z", Some(-1_000_000_000)),
            ("2024-13-01T00:00:00Z", None),
            ("2024-05-01", None),
            ("tomorrow", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(nanoseconds(text), expected, "{text}");
        }
    }
}
