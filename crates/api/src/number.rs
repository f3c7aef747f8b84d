//! Whole numbers in JSON.

use serde_json::Value;

/// Up to here numbers with a fraction are read exactly.
const EXACT: f64 = 100_000_000_000_000.0;

/// The whole number that a value is, also when it is written with a fraction of nothing, as `5.0`: to JSON that is the
/// same number, and some clients know no other way to write it (assumption fraction-of-nothing).
pub fn whole_number(value: &Value) -> Option<i64> {
    let Value::Number(number) = value else { return None };
    number.as_i64().or_else(|| {
        let exact = number.as_f64().filter(|number| number.fract() == 0.0 && number.abs() <= EXACT)?;
        // Within these bounds nothing is lost.
        #[allow(clippy::cast_possible_truncation, reason = "it is whole and small enough")]
        Some(exact as i64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fraction_of_nothing_is_a_whole_number() {
        let cases = [
            ("5", Some(5)),
            ("5.0", Some(5)),
            ("-0.0", Some(0)),
            ("1e3", Some(1_000)),
            ("-7.00", Some(-7)),
            ("9223372036854775807", Some(i64::MAX)),
            ("9223372036854775808", None),
            ("100000000000000.0", Some(100_000_000_000_000)),
            ("1e18", None),
            ("5.5", None),
            ("1e-3", None),
            ("\"5\"", None),
            ("true", None),
            ("null", None),
        ];
        for (text, expected) in cases {
            assert_eq!(whole_number(&serde_json::from_str(text).unwrap()), expected, "{text}");
        }
    }
}
