//! stub
use super::Field;
/// All fields, sorted by name.
pub static FIELDS: &[Field] = &[];
