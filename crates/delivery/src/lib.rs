//! Log push: accepts log lines, stores them in a spool on disk, and delivers them to the destinations of the jobs.
//!
//! Start with [`Delivery`], which owns the spools and the workers. A body of lines passes [`IngestLimit`] and
//! [`BodyDecoder`] into a [`Spool`]. A worker for each job reads the spool, renders batches and uploads them. Jobs come
//! from a [`JobSource`], which also receives the results. The crate knows neither accounts nor the HTTP API.
//!
//! Modules in reading order:
//!
//! - `config`: the configuration and its limits.
//! - `metrics`: metrics.
//! - `error`: errors.
//! - `job_source`: the interface to the store of jobs.
//! - `private_file`: files that only this user can read.
//! - `quota`: per-client quotas.
//! - `ingest_limit`: how many bodies are read concurrently.
//! - `body_decoder`: decodes a body into lines.
//! - `spool`: the queue on disk, with segments, frames and cursors.
//! - `batch`: gathers and compresses the lines of one object.
//! - `job_spec`: a job that is ready to run.
//! - `egress`: the HTTP client with the egress policy.
//! - `worker`: the task that delivers one job.
//! - `writer`: writes one object to a destination.
//! - `delivery`: the supervisor and the shared state.
//!
//! Invariant: an accepted line is delivered at least once to every job that was enabled when it arrived and still is. A
//! line is durable before it is acknowledged. A cursor moves only after the destination accepted every line before it
//! that the job sends.

mod config;
mod error;
mod job_source;
mod metrics;
mod private_file;
mod quota;

mod body_decoder;
mod ingest_limit;
mod spool;

mod batch;
mod egress;
mod job_spec;
mod worker;
mod writer;

mod delivery;

#[cfg(test)]
mod testing;

pub use body_decoder::{BodyDecoder, DecodeError, LineSplitter, RejectedLine, RejectionReason};
pub use config::{DeliveryLimits, LogPushConfig, ServiceBucket};
pub use delivery::Delivery;
pub use error::{Error, OpenError};
pub use ingest_limit::{IngestLimit, IngestPermit};
pub use job_source::{JobSource, JobSourceError, OwnerKey};
pub use metrics::{DeliveryMetrics, StateLabel};
pub use quota::Quota;
pub use spool::{AppendOutcome, FrameBuilder, Position, Spool};
pub use writer::{is_supported, unsupported_reason};
