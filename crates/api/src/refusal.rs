//! Why something is refused, and what is accepted although it could not be checked.

use crate::{ErrorObject, error_code};
use serde::Serialize;
use zonewright_diagnostic::Diagnostic;

/// One reason to refuse a request, at one place of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// One of [`error_code`].
    pub code: u32,
    /// JSON pointer (RFC 6901) to the place, relative to what was judged: `/filter/expression`. A
    /// missing member is pointed at where it should be.
    pub pointer: String,
    /// What is wrong, for people; of several lines when it draws diagnostics.
    pub message: String,
    /// The problems of the expression when it is about one, else empty.
    pub diagnostics: Vec<Diagnostic>,
}

impl Refusal {
    /// A refusal for the shape of the JSON.
    pub fn shape(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Refusal {
            code: error_code::WRONG_SHAPE,
            pointer: pointer.into(),
            message: message.into(),
            diagnostics: Vec::new(),
        }
    }

    /// A refusal for a value of the right type.
    pub fn value(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Refusal { code: error_code::WRONG_VALUE, ..Refusal::shape(pointer, message) }
    }

    /// The same, seen from further out: `prefix` comes before the pointer.
    #[must_use]
    pub fn under(mut self, prefix: &str) -> Self {
        self.pointer.insert_str(0, prefix);
        self
    }
}

/// All of them as [`Refusal::under`].
pub fn under(prefix: &str, refusals: Vec<Refusal>) -> impl Iterator<Item = Refusal> {
    refusals.into_iter().map(move |refusal| refusal.under(prefix))
}

/// A part of a document that is accepted although it could not be checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// JSON pointer (RFC 6901) to the part, relative to the document that was judged.
    pub pointer: String,
    /// What could not be checked, for people: one line without a final period.
    pub message: String,
}

impl Warning {
    /// The same, seen from further out: `prefix` comes before the pointer.
    #[must_use]
    pub fn under(mut self, prefix: &str) -> Self {
        self.pointer.insert_str(0, prefix);
        self
    }
}

impl From<Warning> for ErrorObject {
    fn from(warning: Warning) -> Self {
        ErrorObject::new(error_code::NOT_AVAILABLE, warning.message).at(warning.pointer)
    }
}

impl From<Refusal> for ErrorObject {
    fn from(refusal: Refusal) -> Self {
        ErrorObject::new(refusal.code, refusal.message).at(refusal.pointer)
    }
}
