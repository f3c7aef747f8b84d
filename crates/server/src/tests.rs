//! Tests of the composed service.

mod assets;
mod settled_answers;
