//! Exports the engine to JavaScript, as functions from plain values to plain values.
//!
//! [`arguments`] reads the values that JavaScript passes, [`convert`] turns results of the engine into the
//! [`types`] that JavaScript receives, and the verbs connect the two. Each verb belongs to a [`part`]; JavaScript loads
//! all parts but the language part on first use. The entry points of the package are in `js/`.
//!
//! No verb throws because of its arguments: an invalid argument is a diagnostic of the result. All
//! offsets are converted to UTF-16 code units.
//!
//! The modules in reading order:
//!
//! - [`types`]: the results that JavaScript receives.
//! - [`arguments`]: the arguments that JavaScript passes.
//! - [`convert`]: results of the engine as these types.
//! - [`call`]: a call, its arguments and its result.
//! - [`language`]: the verbs that every program loads.
//! - [`help`]: explanations, completions, and descriptions.
//! - [`evaluate`]: evaluation and sample requests.
//! - [`test`]: test files.
//! - [`prove`]: relations of expressions, and rules that never fire.
//! - [`logpush`]: log push filters and jobs.
//! - [`migration`]: plans and simulations of migrations.
//! - [`trace`]: requests on their way through all rules of a zone.
//! - [`part`]: the exported functions, one for each part.

// The macro of wasm-bindgen creates public functions that only JavaScript calls.
#![allow(unreachable_pub)]

mod arguments;
mod call;
mod convert;
mod evaluate;
mod help;
mod language;
mod logpush;
mod migration;
mod part;
mod prove;
mod test;
mod trace;
mod types;
