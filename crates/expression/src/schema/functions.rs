//! stub
use super::Function;
/// All functions, sorted by name.
pub static FUNCTIONS: &[Function] = &[];
