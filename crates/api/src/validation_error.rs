//! Defines validation errors, and warnings about parts that could not be checked.
//!
//! Start with [`ValidationError`].

use crate::{ErrorObject, error_code};
use serde::{Deserialize, Serialize};
use zonewright_diagnostic::Diagnostic;

/// One validation error at one location of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidationError {
    /// One of the constants in [`error_code`].
    pub code: u32,
    /// The JSON pointer (RFC 6901) relative to the validated value: `/filter/expression`. For a missing member, it
    /// points to where the member should be.
    pub pointer: String,
    /// The message for the user. It has several lines if it draws diagnostics.
    pub message: String,
    /// The diagnostics of an expression; empty for other errors.
    pub diagnostics: Vec<Diagnostic>,
}

impl ValidationError {
    /// Creates an error about the shape of the JSON.
    pub fn invalid_shape(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        ValidationError {
            code: error_code::WRONG_SHAPE,
            pointer: pointer.into(),
            message: message.into(),
            diagnostics: Vec::new(),
        }
    }

    /// Creates an error about an invalid value of the correct type.
    pub fn invalid_value(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        ValidationError { code: error_code::INVALID_VALUE, ..ValidationError::invalid_shape(pointer, message) }
    }

    /// Returns the error with `prefix` before its pointer.
    #[must_use]
    pub fn with_pointer_prefix(mut self, prefix: &str) -> Self {
        self.pointer.insert_str(0, prefix);
        self
    }
}

/// Escapes the name of a member as a segment of a JSON pointer.
pub fn escape_pointer_segment(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// Applies [`ValidationError::with_pointer_prefix`] to all errors.
pub fn prefix_pointers(prefix: &str, errors: Vec<ValidationError>) -> impl Iterator<Item = ValidationError> {
    errors.into_iter().map(move |error| error.with_pointer_prefix(prefix))
}

/// A warning about a part of a document that is accepted although it could not be checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValidationWarning {
    /// The JSON pointer (RFC 6901) relative to the validated document.
    pub pointer: String,
    /// The message for the user: one line without a final period.
    pub message: String,
}

impl ValidationWarning {
    /// Returns the warning with `prefix` before its pointer.
    #[must_use]
    pub fn with_pointer_prefix(mut self, prefix: &str) -> Self {
        self.pointer.insert_str(0, prefix);
        self
    }
}

impl From<ValidationWarning> for ErrorObject {
    fn from(warning: ValidationWarning) -> Self {
        ErrorObject::new(error_code::NOT_SUPPORTED, warning.message).with_pointer(warning.pointer)
    }
}

impl From<ValidationError> for ErrorObject {
    fn from(error: ValidationError) -> Self {
        ErrorObject::new(error.code, error.message).with_pointer(error.pointer)
    }
}
