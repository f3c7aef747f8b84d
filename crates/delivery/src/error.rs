//! Errors of the delivery.

use crate::job_source::JobSourceError;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// The message of [`Error::NoLease`].
pub(crate) const LEASE_NOT_HELD_MESSAGE: &str = "the service is waiting for the lease of its data directory";

/// An error of a call of [`Delivery`](crate::Delivery).
#[derive(Debug)]
pub enum Error {
    /// The jobs cannot be read.
    Jobs(JobSourceError),
    /// This process does not hold the lease on its spools.
    NoLease,
    /// Lines cannot be written to the disk.
    Unwritable(io::Error),
    /// Too many bodies of lines are being read, of this client or in total.
    TooManyBodies,
    /// A task panicked or was canceled, which is a bug of the service.
    Task(tokio::task::JoinError),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Jobs(error) => write!(f, "cannot read the log push jobs: {error}"),
            Error::NoLease => f.write_str(LEASE_NOT_HELD_MESSAGE),
            Error::Unwritable(error) => write!(f, "cannot write log lines: {error}"),
            Error::TooManyBodies => f.write_str("too many concurrent uploads of log lines"),
            Error::Task(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

/// An error of [`Delivery::open`](crate::Delivery::open).
#[derive(Debug)]
pub enum OpenError {
    /// The directory of the spools cannot be used.
    Path(PathBuf, io::Error),
    /// The HTTP client cannot be created, for example because there are no trusted certificates.
    Client(String),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenError::Path(path, error) => write!(f, "cannot use {}: {error}", path.display()),
            OpenError::Client(reason) => write!(f, "cannot create the HTTP client for log delivery: {reason}"),
        }
    }
}

impl std::error::Error for OpenError {}
