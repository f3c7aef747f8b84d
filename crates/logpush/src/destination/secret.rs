//! Strings that are never logged.

use std::fmt;

/// A string that may contain a secret. Only [`Secret::expose`] returns it.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a string.
    pub fn new(text: impl Into<String>) -> Self {
        Secret(text.into())
    }

    /// Returns the string, for the request that needs it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("***")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Destination;

    #[test]
    fn secrets_are_not_logged() {
        assert_eq!(format!("{:?}", Some(Secret::new("abc"))), "Some(***)");
        let address = "https://host/?header_Authorization=abc&token=def";
        let debug_text = format!("{:?}", Destination::parse(address).unwrap());
        assert!(!debug_text.contains("abc") && !debug_text.contains("def"), "{debug_text}");
    }
}
