//! Assigns errors to the fields of a form.

use crate::components::api_error::strip_code_frames;
use zonewright_api::ErrorObject;

/// Returns the error messages of a member and its descendants.
pub(crate) fn errors_at(errors: &[ErrorObject], pointer: &str) -> Vec<String> {
    errors.iter().filter(|error| is_at(error, pointer)).map(|error| strip_code_frames(&error.message)).collect()
}

/// Returns whether an error is about a member or one of its descendants.
pub(crate) fn is_at(error: &ErrorObject, pointer: &str) -> bool {
    let source = error.source.as_ref().map_or("", |source| source.pointer.as_str());
    strip_index(source).strip_prefix(pointer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns the name of the member of an object that a pointer leads to or into; empty for the object itself.
pub(crate) fn member_name(pointer: &str) -> &str {
    strip_index(pointer).split('/').nth(1).unwrap_or_default()
}

/// Removes the index of an object from a pointer. A service that accepts a list of objects prefixes it.
fn strip_index(pointer: &str) -> &str {
    let Some(rest) = pointer.strip_prefix('/') else { return pointer };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    match rest.get(digits..) {
        Some(member) if digits > 0 && (member.is_empty() || member.starts_with('/')) => member,
        _ => pointer,
    }
}
