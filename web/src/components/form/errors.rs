//! Assigns errors to the fields of a form.

use crate::components::api_error::strip_code_frames;
use zonewright_api::ErrorObject;

/// Returns the error messages of a member and its descendants.
pub(crate) fn errors_at(errors: &[ErrorObject], pointer: &str) -> Vec<String> {
    errors.iter().filter(|error| is_at(error, pointer)).map(|error| strip_code_frames(&error.message)).collect()
}

/// Returns whether an error is about a member or one of its descendants.
pub(crate) fn is_at(error: &ErrorObject, pointer: &str) -> bool {
    member_pointer(error).strip_prefix(pointer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns the pointer of an error within its object. A service that accepts a list of objects prefixes it with an
/// index.
fn member_pointer(error: &ErrorObject) -> &str {
    let pointer = error.source.as_ref().map_or("", |source| source.pointer.as_str());
    let Some(rest) = pointer.strip_prefix('/') else { return pointer };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    match rest.get(digits..) {
        Some(member) if digits > 0 && (member.is_empty() || member.starts_with('/')) => member,
        _ => pointer,
    }
}
