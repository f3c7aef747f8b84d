//! Shared helpers of the workspace tests.
//!
//! Tests are data where possible: [`markdown`] reads case files, [`expression`] and [`format_explain`] run their blocks
//! through the engine, and [`equivalence`] compares pairs of expressions. [`fuzz`] asserts the guarantees that hold
//! for every input. The modules in reading order:
//!
//! - [`markdown`]: reads and writes the Markdown of case files.
//! - [`case_files`]: the runner that the suites of case files share.
//! - [`expression`], [`format_explain`], [`evaluation`], [`equivalence`]: the blocks about expressions.
//! - [`filter_case`], `filter_rewrites`, [`logpush`], [`logpush_jobs`]: the blocks about log push filters and jobs.
//! - [`migration`]: the blocks about migrations; [`migration_promises`]: the invariants of every plan.
//! - [`generate`], [`generate_condition`], [`generate_record`], [`lint_triggers`]: random expressions and records.
//! - [`generate_filter`], [`log_lines`], [`generate_zone`]: random filters, log lines and configurations.
//! - [`mistakes`], [`hostile`]: common user errors, and filters that try to be slow, deep or large.
//! - [`naive`], [`tree`]: a second evaluator, and the comparison of syntax trees.
//! - [`fuzz`], [`fuzz_filter`]: fuzz targets.

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
