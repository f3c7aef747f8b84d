//! Log push: filters, jobs, destinations and rendering, without I/O (`zone-security-service` §2.2, §2.3, §3).
//!
//! A filter is JSON. The functions for filters have the same names as those for expressions of the Rules language.
//! [`parse()`] reads syntax, and [`check()`] resolves names and types against a [`Dataset`]. Only [`check()`]
//! constructs a [`Program`], which evaluates log lines.
//!
//! Read the modules in this order:
//!
//! - `ast`: the syntax tree of a filter.
//! - `member_name`: the names of the members of a filter's objects.
//! - `parse`: the parser of JSON and of its common mistakes; `filter.pest` is the grammar.
//! - `datasets`: the datasets with their fields.
//! - `operator`: the operators of conditions.
//! - `number`: the numbers of conditions.
//! - `time`: timestamps in UTC.
//! - `options`: the options of a check, and its limits.
//! - `check`: the validation of a filter against a dataset.
//! - `predicate`: the resolved tree.
//! - `program`: the checked filter.
//! - `code`: the diagnostic codes and their pages.
//! - `line`: the fields of a log line.
//! - `evaluate`: the evaluation of a compiled filter.
//! - `funnel`: counts of the lines that remain after each condition.
//! - `sample`: sampling of lines.
//! - `algebra`: negation, implication and exclusion of conditions.
//! - `lint`: warnings and hints about valid filters.
//! - `simplify`: equivalent filters with fewer conditions.
//! - `format`: the text of a filter.
//! - `explain`: explanations of filters in English.
//! - `field_mapping`: the fields of the Rules language that correspond to fields of a dataset.
//! - `convert`: conversion to the Rules language and back.
//! - `sql`: conversion to SQL.
//! - `cursor`: the context of the cursor in an unfinished text.
//! - `analyze`: diagnostics, tokens and usage of the limits for editors.
//! - `complete`: completions.
//! - `hover`: descriptions of tokens.
//! - `descriptions`: the texts of completions and hovers.
//! - `known_values`: the values that completions offer.
//! - `destination`: the URL-like strings that name where a job delivers.
//! - `output_options`: the output options of a job.
//! - `record_template`: templates of records.
//! - `render`: the records and batches of a job.
//! - `job`: the validation of whole jobs.
//! - `excerpt`: excerpts of user text for messages.

// Without its `std` feature, pest derives code that refers to the crate `alloc`.
extern crate alloc;

mod algebra;
mod analyze;
pub mod ast;
mod check;
pub mod code;
mod complete;
mod convert;
mod cursor;
pub mod datasets;
mod descriptions;
pub mod destination;
mod evaluate;
mod excerpt;
mod explain;
mod field_mapping;
mod format;
mod funnel;
mod hover;
pub mod job;
mod known_values;
mod line;
mod lint;
mod member_name;
mod number;
mod operator;
mod options;
mod output_options;
mod parse;
mod predicate;
mod program;
mod record_template;
mod render;
mod sample;
mod simplify;
mod sql;
mod time;

pub use analyze::{Analysis, SemanticToken, SemanticTokenKind, Usage, analyze};
pub use check::{CheckOutput, check};
pub use complete::complete;
pub use convert::{Conversion, Loss, from_expression, to_expression};
pub use datasets::{Dataset, Feature, Field, FieldType, Scope};
pub use destination::{Destination, redact};
pub use evaluate::{Trace, TraceStep};
pub use explain::explain;
pub use format::{FormatOptions, FormatOutput, FormatStyle, format, print, print_node};
pub use funnel::{Funnel, FunnelCounts, LineOutcome, LineSample, Stage};
pub use hover::hover;
pub use job::{
    JobRequest, JobRules, JobScope, check_job, read_job, read_job_except_filter, read_update, read_update_except_filter,
};
pub use line::{LineError, MAX_LINE_DEPTH};
pub use number::Number;
pub use operator::Operator;
pub use options::{MAX_FILTER_BYTES, MAX_OPERATORS, Options};
pub use output_options::{fill_output_defaults, output_options, read_logpull_options};
pub use parse::{ParseOutput, parse};
pub use predicate::{Comparison, Operand, Test, TestKind};
pub use program::Program;
pub use record_template::{TemplateProblem, check_template};
pub use render::Renderer;
pub use sample::Sampler;
pub use simplify::simplify;
pub use sql::{Dialect, SqlOptions, SqlQuery, to_sql};
pub use zonewright_expression::{MissingPolicy, Outcome, Truth};
