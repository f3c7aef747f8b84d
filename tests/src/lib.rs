//! Shared helpers of the workspace tests.
//!
//! Tests are data where possible: [`markdown`] reads case files, [`expression`] and [`format_explain`] run their blocks
//! through the engine, and [`equivalence`] compares pairs of expressions. [`fuzz`] asserts the guarantees that hold
//! for every input.

pub mod case_files;
pub mod equivalence;
pub mod evaluation;
pub mod expression;
pub mod filter_case;
mod filter_rewrites;
pub mod format_explain;
pub mod fuzz;
pub mod fuzz_filter;
pub mod generate;
pub mod generate_condition;
pub mod generate_filter;
pub mod generate_record;
pub mod generate_zone;
pub mod hostile;
pub mod lint_triggers;
pub mod log_lines;
pub mod logpush;
pub mod logpush_jobs;
pub mod markdown;
pub mod migration;
pub mod migration_promises;
pub mod mistakes;
pub mod naive;
pub mod tree;
