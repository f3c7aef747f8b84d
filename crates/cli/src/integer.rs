//! Parses options that are integers.

use std::num::IntErrorKind;
use std::ops::RangeInclusive;
use zonewright_diagnostic::group_digits;

/// Returns a parser of integers in a range.
pub(crate) fn integer_parser<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number: u64 = text.parse().map_err(|error: std::num::ParseIntError| match error.kind() {
            IntErrorKind::PosOverflow => "the number is too large".to_owned(),
            _ => "expected an integer".to_owned(),
        })?;
        let number = range.contains(&number).then_some(number).and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| match (*range.start(), *range.end()) {
            (0, u64::MAX) => "the number is too large".to_owned(),
            (min, max) => format!("expected an integer from {} to {}", group_digits(min), group_digits(max)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integer_parser_rejects_other_text_and_numbers_out_of_range() {
        let parse = integer_parser::<u32>(1..=1_000_000);
        assert_eq!(parse("1000000"), Ok(1_000_000));
        for text in ["x", "", "-1", "1.5"] {
            assert_eq!(parse(text), Err("expected an integer".to_owned()), "{text}");
        }
        assert_eq!(parse("0"), Err("expected an integer from 1 to 1,000,000".to_owned()));
        assert_eq!(parse("18446744073709551616"), Err("the number is too large".to_owned()));
        assert_eq!(integer_parser::<u8>(0..=u64::MAX)("256"), Err("the number is too large".to_owned()));
    }
}
