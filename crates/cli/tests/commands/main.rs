//! The subcommands of the binary, each as a process: its output, its errors, and its exit codes.
//!
//! One module tests one subcommand; [`support`] runs the binary. [`exit_codes`] and [`input`] test all of them.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "tests may panic"
)]

mod admin;
mod cases;
mod check;
mod equivalent;
mod evaluate;
mod exit_codes;
mod explain;
mod format;
mod input;
mod logpush;
mod migrate;
mod ndjson;
mod never_fires;
mod operations;
mod serve;
mod startup;
mod support;
mod trace;
