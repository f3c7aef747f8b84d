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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00"),
            (1_709_251_199, "2024-02-29T23:59:59"),
            (951_868_800, "2000-03-01T00:00:00"),
            (-1, "1969-12-31T23:59:59"),
            (9_223_372_036, "2262-04-11T23:47:16"),
        ] {
            assert_eq!(Civil::at(seconds).rfc3339(), text);
        }
        assert_eq!(Civil::at(1_709_251_199).compact(), "20240229T235959Z");
    }

    #[test]
    fn every_day_comes_back() {
        for day in (-700_000..900_000).step_by(11) {
            let text = format!("{}Z", Civil::at(day * DAY).rfc3339());
            assert_eq!(crate::line::rfc3339(&text), Some(i128::from(day * DAY) * 1_000_000_000), "{text}");
        }
    }
}
