//! Log push that pushes: lines come in, wait on disk, and go to the destinations of the jobs.

mod config;

pub use config::{LogPushConfig, Pace};
