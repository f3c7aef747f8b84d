//! The Rules language: what an edge rule's expression says, and what is wrong with it.
//!
//! ```
//! use zonewright_expression::{Options, check};
//!
//! let checked = check("http.hots eq \"example.com\"", &Options::default());
//! assert!(checked.program.is_none());
//! assert_eq!(checked.diagnostics[0].code, "unknown-field");
//! ```
//!
//! [`parse`] reads syntax and knows no schema; [`check`] knows the schema and is the only maker of a
//! [`Program`], which evaluates itself on a [`Record`]; [`format()`] lays an expression out anew,
//! [`explain`] puts it into plain English; [`analyze`] gives all that an editor shows, [`complete`]
//! what may stand at a cursor, [`hover`] what stands there, [`signature`] the call around it; [`lint()`] says what is right and suspicious.
//! Each gives every problem of the source at once, takes time and memory linear in the source, and
//! never panics.

// What pest derives without its `std` feature names this crate.
extern crate alloc;

mod analyze;
pub mod ast;
mod check;
pub mod code;
mod complete;
mod cursor;
mod edit;
mod evaluate;
mod explain;
mod format;
mod functions;
mod hover;
mod lint;
mod number;
mod options;
mod parse;
mod program;
mod record;
pub mod resolved;
pub mod schema;
mod search;
mod sets;
mod signature;
mod types;

pub use analyze::{Analysis, Meters, Token, TokenKind, analyze};
pub use check::{Checked, check, is_list_name};
pub use complete::{Completion, CompletionKind, Completions, complete};
pub use evaluate::{Outcome, Step, Trace, Truth};
pub use explain::{Explained, Outline, OutlineKind, Sentence, explain, shown_text};
pub use format::{FormatOptions, Formatted, Spelling, Style, format};
pub use hover::{Hover, hover};
pub use lint::{Lint, lint};
pub use options::{Kind, ListKind, Options};
pub use parse::{Parsed, parse};
pub use program::Program;
pub use record::{ListItem, Missing, Record, RecordError, Value};
pub use signature::{Parameter, SignatureHelp, signature};
pub use types::{Container, Scalar, Type};
