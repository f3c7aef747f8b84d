//! Log push: filters, jobs, destinations and rendering (`zone-security-service` §2.2, §2.3, §3).
//!
//! A filter is JSON; its verbs are those of the Rules language: [`parse`] reads syntax, [`check`] knows
//! the datasets and is the only maker of a [`Program`], which evaluates itself on a log line. [`simplify`]
//! says the same in fewer conditions, [`explain`] in plain English, [`to_expression`] in the Rules language.

// What pest derives without its `std` feature names this crate.
extern crate alloc;

mod analyze;
pub mod ast;
mod check;
pub mod code;
mod complete;
mod convert;
mod cursor;
pub mod datasets;
mod explain;
mod format;
mod hover;
mod lint;
mod meaning;
mod number;
mod operator;
mod parse;
mod program;
mod simplify;

pub use analyze::{Analysis, Meters, Token, TokenKind, analyze};
pub use check::{Checked, MAX_BYTES, MAX_OPERATORS, Options, check};
pub use complete::complete;
pub use convert::{Conversion, Loss, from_expression, to_expression};
pub use datasets::{Dataset, Field, FieldType, Scope};
pub use explain::explain;
pub use format::{FormatOptions, Formatted, Style, format, print, print_node};
pub use hover::hover;
pub use number::Number;
pub use operator::Operator;
pub use parse::{Parsed, parse};
pub use program::{Comparison, Operand, Program, Test, TestKind};
pub use simplify::simplify;
