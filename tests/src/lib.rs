//! Shared helpers of the workspace tests.
//!
//! Tests are data where possible: [`markdown`] reads case files, [`expression`] and [`format_explain`] run their blocks
//! through the engine, and [`equivalence`] compares pairs of expressions. [`fuzz`] asserts the guarantees that hold
//! for every input. The modules in reading order:
//!
//! - [`markdown`]: reads and writes the Markdown of case files.
//! - [`case_files`]: the runner that the suites of case files share.
//! - [`expression`]: the blocks that check expressions.
//! - [`format_explain`]: the blocks that format and explain expressions.
//! - [`evaluation`]: the blocks that evaluate expressions.
//! - [`equivalence`]: the blocks that compare expressions.
//! - [`filter_case`]: reads the blocks about log push filters.
//! - `filter_rewrites`: the blocks that rewrite filters.
//! - [`logpush`]: the blocks that check and evaluate filters.
//! - [`logpush_jobs`]: the blocks about log push jobs.
//! - [`migration`]: the blocks about migrations.
//! - [`migration_invariants`]: the invariants of every plan.
//! - [`generate`]: random expressions.
//! - [`generate_condition`]: random conditions.
//! - [`generate_record`]: random records.
//! - [`lint_triggers`]: conditions that lints report.
//! - [`generate_filter`]: random log push filters.
//! - [`log_lines`]: random log lines.
//! - [`generate_zone`]: random configurations of zones.
//! - [`mistakes`]: common user errors.
//! - [`hostile`]: filters that try to be slow, deep, or large.
//! - [`naive`]: a second evaluator.
//! - [`tree`]: the comparison of syntax trees.
//! - [`fuzz`]: fuzz targets for expressions.
//! - [`fuzz_filter`]: fuzz targets for filters.

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
pub mod migration_invariants;
pub mod mistakes;
pub mod naive;
pub mod tree;
