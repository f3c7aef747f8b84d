//! Helpers that the tests of the workspace share.
//!
//! The tests are data where they can be: [`markdown`] reads the files, [`expression`] runs what
//! stands in them through the engine. [`fuzz`] holds what is promised for every input.

pub mod evaluation;
pub mod expression;
pub mod fuzz;
pub mod generate;
pub mod generate_condition;
pub mod generate_record;
pub mod markdown;
pub mod naive;
