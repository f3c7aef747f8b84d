//! Mismatches: texts that never occur in a value.

use crate::code;

/// The reason why a text never occurs in a field, and the probable intention.
pub(super) struct Mismatch {
    /// `never-matches`, or the code of a less certain lint.
    pub(super) code: &'static str,
    /// The reason, as part of a message.
    pub(super) reason: String,
    pub(super) help: Option<String>,
    /// The text that was probably intended.
    pub(super) replacement: Option<Vec<u8>>,
}

impl Mismatch {
    /// Creates the mismatch of a text that no value matches.
    pub(super) fn never_matches(reason: impl Into<String>) -> Self {
        Mismatch { code: code::NEVER_MATCHES, reason: reason.into(), help: None, replacement: None }
    }

    pub(super) fn with_replacement(self, replacement: impl Into<Vec<u8>>) -> Self {
        Mismatch { replacement: Some(replacement.into()), ..self }
    }

    pub(super) fn with_help(self, help: impl Into<String>) -> Self {
        Mismatch { help: Some(help.into()), ..self }
    }
}
