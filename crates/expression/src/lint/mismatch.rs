//! Why a text does not occur in a value.

use crate::code;

/// Why a text is never found in a field, and what was probably meant.
pub(super) struct Mismatch {
    /// `never-matches`, or the code of what is only likely wrong.
    pub(super) code: &'static str,
    /// The reason, for a message.
    pub(super) why: String,
    pub(super) help: Option<String>,
    /// The text that was probably meant.
    pub(super) better: Option<Vec<u8>>,
}

impl Mismatch {
    pub(super) fn never(why: impl Into<String>) -> Self {
        Mismatch { code: code::NEVER_MATCHES, why: why.into(), help: None, better: None }
    }

    pub(super) fn with_better(self, better: impl Into<Vec<u8>>) -> Self {
        Mismatch { better: Some(better.into()), ..self }
    }

    pub(super) fn with_help(self, help: impl Into<String>) -> Self {
        Mismatch { help: Some(help.into()), ..self }
    }
}
