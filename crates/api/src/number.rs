//! Reads integers from JSON numbers.
//!
//! Start with [`parse_integer`].

use serde_json::Value;

/// The largest magnitude of a floating-point number that is converted; up to it, the conversion is exact.
const MAX_EXACT_FLOAT: f64 = 100_000_000_000_000.0;

/// Returns the integer value of a number, even if it is written with a zero fraction, such as `5.0`. In JSON, `5` and
/// `5.0` are the same number, and some clients can only write `5.0` (assumption fraction-of-nothing).
pub fn parse_integer(value: &Value) -> Option<i64> {
    let Value::Number(number) = value else { return None };
    number.as_i64().or_else(|| {
        let exact = number.as_f64().filter(|number| number.fract() == 0.0 && number.abs() <= MAX_EXACT_FLOAT)?;
        // The conversion is exact within these bounds.
        #[allow(clippy::cast_possible_truncation, reason = "the number is an integer and small enough")]
        Some(exact as i64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integer_with_zero_fraction_is_an_integer() {
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
            assert_eq!(parse_integer(&serde_json::from_str(text).unwrap()), expected, "{text}");
        }
    }
}
