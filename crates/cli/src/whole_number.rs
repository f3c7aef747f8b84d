//! Parses options that are whole numbers.

use std::num::IntErrorKind;
use std::ops::RangeInclusive;
use zonewright_diagnostic::group_digits;

/// Returns a parser of whole numbers in a range.
pub(crate) fn whole_number<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number: u64 = text.parse().map_err(|error: std::num::ParseIntError| match error.kind() {
            IntErrorKind::PosOverflow => "the number is too large".to_owned(),
            _ => "expected a whole number".to_owned(),
        })?;
        let number = range.contains(&number).then_some(number).and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| match (*range.start(), *range.end()) {
            (0, u64::MAX) => "the number is too large".to_owned(),
            (min, max) => format!("expected a whole number from {} to {}", group_digits(min), group_digits(max)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_number_rejects_other_text_and_numbers_out_of_range() {
        let parse = whole_number::<u32>(1..=1_000_000);
        assert_eq!(parse("1000000"), Ok(1_000_000));
        for text in ["x", "", "-1", "1.5"] {
            assert_eq!(parse(text), Err("expected a whole number".to_owned()), "{text}");
        }
        assert_eq!(parse("0"), Err("expected a whole number from 1 to 1,000,000".to_owned()));
        assert_eq!(parse("18446744073709551616"), Err("the number is too large".to_owned()));
        assert_eq!(whole_number::<u8>(0..=u64::MAX)("256"), Err("the number is too large".to_owned()));
    }
}
