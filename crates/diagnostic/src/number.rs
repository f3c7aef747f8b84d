//! Formats numbers for messages.

/// Formats a number with a comma between groups of three digits: `1,048,576`. A number outside the range of `u64` is
/// formatted as `u64::MAX`.
pub fn group_digits(number: impl TryInto<u64>) -> String {
    let digits = number.try_into().unwrap_or(u64::MAX).to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a count with its noun: `1 case`, `2 cases`.
pub fn pluralize(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_separate_groups_of_three_digits() {
        for (number, expected) in
            [(0, "0"), (999, "999"), (1000, "1,000"), (10_000, "10,000"), (1_048_576, "1,048,576")]
        {
            assert_eq!(group_digits(number), expected);
        }
    }
}
