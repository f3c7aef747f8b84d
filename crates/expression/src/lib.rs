//! Parser, checker and evaluator of the Rules language, with completion, hover and signature help for editors.
//!
//! ```
//! use zonewright_expression::{Options, check};
//!
//! let checked = check("http.hots eq \"example.com\"", &Options::default());
//! assert!(checked.program.is_none());
//! assert_eq!(checked.diagnostics[0].code, "unknown-field");
//! ```
//!
//! Start with [`check()`]: it parses a source, checks it against the [`schema`] and returns a [`Program`] and its
//! diagnostics. A [`Program`] is evaluated on a [`Record`]. [`parse()`] alone reads syntax and needs no schema.
//!
//! Invariants: every function that reads a source accepts any text, never panics, and takes time and memory linear in
//! the length of the text. One call reports all problems of a source, not only the first. Only [`check()`] constructs a
//! [`Program`].
//!
//! The modules, in reading order:
//!
//! - [`ast`]: the syntax tree.
//! - `parse`: lowers the output of the grammar `expression.pest` to the syntax tree and reports syntax errors.
//! - `types`: the types of values.
//! - `value`: the values of fields, literals and calls, and the items of named lists.
//! - [`schema`]: fields, functions, operators, phases and plans.
//! - `options`: the settings of a check, such as phase, plan and named lists.
//! - `number`: integers, IP addresses, networks, ranges and byte literals.
//! - `check`: semantic analysis; the only constructor of a [`Program`].
//! - [`code`]: the diagnostic codes and their documentation pages.
//! - `edit`: deletion edits that keep words apart.
//! - `program`: the checked expression.
//! - [`resolved`]: the typed tree with names and literals resolved.
//! - `record`: the values that an expression is evaluated against.
//! - `evaluate`: compilation and evaluation of a program, and traces.
//! - `functions`: the functions of the language.
//! - `search`: substring search.
//! - `sets`: sets and named lists, prepared for lookups.
//! - `lint`: lints of valid expressions.
//! - `format`: the formatter.
//! - `explain`: expressions in plain English.
//! - `analyze`: diagnostics, semantic tokens and usage of limits in one call.
//! - `cursor`: the error-tolerant tokenizer and the syntactic context of a cursor.
//! - `complete`: completions at a cursor.
//! - `hover`: the documentation of the token at a cursor.
//! - `signature`: the parameters of the call around a cursor.

// Without its `std` feature, pest derives code that refers to the crate `alloc`.
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
mod value;

pub use analyze::{Analysis, SemanticToken, SemanticTokenKind, Usage, analyze};
pub use check::{CheckOutput, check, is_list_name};
pub use complete::{Completion, CompletionKind, Completions, complete};
pub use evaluate::{Outcome, Ternary, Trace, TraceStep, Truth};
pub use explain::{Explanation, OutlineKind, OutlineNode, Sentence, explain, format_inline_text};
pub use format::{FormatOptions, FormatOutput, FormatStyle, Spelling, format};
pub use hover::{Hover, hover};
pub use lint::lint;
pub use options::{Kind, LintOptions, ListKind, Options};
pub use parse::{ParseOutput, parse};
pub use program::Program;
pub use record::{MissingPolicy, Record, RecordError};
pub use signature::{Parameter, SignatureHelp, signature};
pub use types::{Container, Scalar, Type};
pub use value::{ListItem, Value};
