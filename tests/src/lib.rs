//! Helpers that the tests of the workspace share.
//!
//! The tests are data where they can be: [`markdown`] reads the files, [`expression`] and [`words`] run
//! what stands in them through the engine, [`equivalence`] asks it about pairs. [`fuzz`] holds what is
//! promised for every input.

pub mod case_files;
pub mod equivalence;
pub mod evaluation;
pub mod expression;
pub mod fuzz;
pub mod fuzz_filter;
pub mod generate;
pub mod generate_condition;
pub mod generate_filter;
pub mod generate_record;
pub mod generate_zone;
pub mod hostile;
pub mod log_lines;
pub mod logpush;
pub mod logpush_jobs;
pub mod markdown;
mod meaning;
pub mod migration;
pub mod migration_promises;
pub mod mistakes;
pub mod naive;
pub mod suspicious;
pub mod tree;
pub mod words;
