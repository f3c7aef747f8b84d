//! Whole numbers in JSON.

use serde_json::Value;

/// From here on a floating point number stands for several whole ones.
const MOST_EXACT: f64 = 9_007_199_254_740_992.0;

/// The whole number that a value is. Clients that keep numbers as floating point write 5 as `5.0`, which is the same
/// number (observed).
pub fn whole_number(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| {
        let number = value.as_f64().filter(|number| value.is_f64() && number.fract() == 0.0)?;
        // Within these bounds nothing is lost.
        (number.abs() <= MOST_EXACT).then_some(number as i64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_have_several_forms() {
        for (text, expected) in [
            ("5", Some(5)),
            ("5.0", Some(5)),
            ("5.000", Some(5)),
            ("-5.0", Some(-5)),
            ("-0.0", Some(0)),
            ("5e2", Some(500)),
            ("9007199254740992.0", Some(9_007_199_254_740_992)),
            ("9223372036854775807", Some(i64::MAX)),
            ("9223372036854775808", None),
            ("1e300", None),
            ("5.5", None),
            ("\"5\"", None),
            ("null", None),
            ("[5]", None),
        ] {
            assert_eq!(whole_number(&serde_json::from_str(text).unwrap()), expected, "{text}");
        }
    }
}
