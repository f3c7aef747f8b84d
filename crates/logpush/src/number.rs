//! The numbers of filters and log lines. Comparisons are exact.

use std::cmp::Ordering;

/// A JSON number.
#[derive(Clone, Copy, Debug)]
pub enum Number {
    /// An integer. A JSON integer that needs more than 128 bits is a [`Number::Float`].
    Integer(i128),
    /// Any other number; never NaN.
    Float(f64),
}

impl Number {
    /// Parses a JSON number; `None` if the text is not a number, or not finite.
    pub fn parse(text: &str) -> Option<Number> {
        if let Ok(integer) = text.parse() {
            return Some(Number::Integer(integer));
        }
        let is_json = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
        let float = text.parse::<f64>().ok().filter(|float| is_json && float.is_finite())?;
        Some(Number::Float(float))
    }

    /// Returns the number as an integer: any [`Number::Integer`], or a float without a fraction that fits in 64 bits.
    #[allow(clippy::cast_possible_truncation)]
    pub(crate) fn to_integer(self) -> Option<i128> {
        match self {
            Number::Integer(integer) => Some(integer),
            Number::Float(float) => (float.fract() == 0.0 && !self.is_beyond_64_bits()).then_some(float as i128),
        }
    }

    /// Returns whether the number is outside the range of 64-bit integers.
    pub(crate) fn is_beyond_64_bits(self) -> bool {
        self > Number::Integer(u64::MAX.into()) || self < Number::Integer(i64::MIN.into())
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Number) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Number) -> Option<Ordering> {
        match (*self, *other) {
            (Number::Integer(a), Number::Integer(b)) => Some(a.cmp(&b)),
            (Number::Float(a), Number::Float(b)) => a.partial_cmp(&b),
            (Number::Integer(a), Number::Float(b)) => Some(compare(a, b)),
            (Number::Float(a), Number::Integer(b)) => Some(compare(b, a).reverse()),
        }
    }
}

/// Compares an integer with a float without rounding.
fn compare(integer: i128, float: f64) -> Ordering {
    // The range of `i128` is from -2^127 to below 2^127.
    if float >= 2f64.powi(127) {
        return Ordering::Less;
    }
    if float < -(2f64.powi(127)) {
        return Ordering::Greater;
    }
    #[allow(clippy::cast_possible_truncation)]
    let floor = float.floor() as i128;
    integer.cmp(&floor).then(if float.fract() == 0.0 { Ordering::Equal } else { Ordering::Less })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_compare_without_rounding() {
        let read = |text: &str| Number::parse(text).unwrap();
        let min = i128::MIN.to_string();
        let cases = [
            ("1", "1.5"),
            ("-1.5", "-1"),
            ("9007199254740992", "9007199254740993"),
            ("2", "1e3"),
            ("9e37", "100000000000000000000000000000000000000"),
            ("-100000000000000000000000000000000000000", "-9e37"),
            ("100000000000000000000000000000000000000", "1.8e38"),
            ("-1.8e38", min.as_str()),
        ];
        for (low, high) in cases {
            assert!(read(low) < read(high), "{low} {high}");
        }
        for (a, b) in [("1", "1.0"), ("1e3", "1000"), ("-0", "0"), ("-2.0", "-2")] {
            assert_eq!(read(a), read(b));
        }
        assert!(Number::parse("1e999").is_none() && Number::parse("inf").is_none() && Number::parse("").is_none());
    }
}
