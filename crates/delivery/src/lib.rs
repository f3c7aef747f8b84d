//! Log push that pushes: lines come in, wait on disk, and go to the destinations of the jobs, each job at its own pace.
//!
//! Start with [`Delivery`], which owns the spools and the workers. A body of lines passes [`IngestLimit`] and
//! [`Intake`] into a [`Spool`]; a worker reads the spool, renders batches as its job says, and writes them to the
//! destination. Jobs come from a [`JobSource`], which the results are reported to. The crate knows neither accounts nor
//! HTTP.
//!
//! Invariant: a line that was accepted is delivered at least once to every job that was enabled then and still is. It
//! is on disk before it is acknowledged, and a cursor moves only after the destination took what lies before it.

// In reading order.
mod config;
mod counts;
mod error;
mod job_source;
mod private_file;
mod quota;

mod ingest_limit;
mod intake;
mod spool;

mod batch;
mod job_spec;
mod net;
mod worker;
mod writer;

mod delivery;

#[cfg(test)]
mod testing;

pub use config::{LogPushConfig, OwnBucket, Pace};
pub use counts::{Counts, State};
pub use delivery::Delivery;
pub use error::{Error, OpenError};
pub use ingest_limit::{IngestLimit, IngestPermit};
pub use intake::{Broken, Intake, Lines, RejectedLine};
pub use job_source::{JobSource, JobSourceError, OwnerKey};
pub use quota::Quota;
pub use spool::{Appended, FrameBuilder, Position, Spool};
pub use writer::{is_delivered, undelivered};
