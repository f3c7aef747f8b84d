//! Log push: filters, jobs, destinations and rendering (`zone-security-service` §2.2, §2.3, §3).
//!
//! A filter is JSON; its verbs are those of the Rules language: [`parse`] reads syntax, [`check`] knows
//! the datasets and is the only maker of a [`Program`], which evaluates itself on a log line.

// What pest derives without its `std` feature names this crate.
extern crate alloc;

pub mod ast;
mod check;
pub mod code;
pub mod datasets;
pub mod destination;
mod evaluate;
mod format;
pub mod job;
mod line;
mod logpull;
mod number;
mod operator;
mod output;
mod parse;
mod program;
mod render;
mod sample;
mod time;

pub use check::{Checked, MAX_BYTES, MAX_OPERATORS, Options, check};
pub use datasets::{Dataset, Field, FieldType, Scope};
pub use destination::{Destination, redact};
pub use evaluate::{Step, Trace};
pub use format::{FormatOptions, Formatted, Style, format, print, print_node};
pub use job::{JobRules, JobScope, NewJob, check_job, read_job, read_update};
pub use line::{LineError, MAX_LINE_DEPTH};
pub use logpull::read_logpull_options;
pub use number::Number;
pub use operator::Operator;
pub use output::{OUTPUT_TYPES, TIMESTAMP_FORMATS, output_options};
pub use parse::{Parsed, parse};
pub use program::{Comparison, Operand, Program, Test, TestKind};
pub use render::{Renderer, TemplateProblem, check_template};
pub use sample::Sampler;
pub use zonewright_expression::{Missing, Outcome, Truth};
