//! The interface to the store of jobs: reads the enabled jobs, and receives the results of deliveries.

use async_trait::async_trait;
use zonewright_api::logpush::Job;

/// An error of an implementation of [`JobSource`].
pub type JobSourceError = Box<dyn std::error::Error + Send + Sync>;

/// The key of the owner of jobs and lines: `KIND-IDENTIFIER`. It is also a directory name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OwnerKey(String);

impl OwnerKey {
    /// Creates the key of an owner. Kind and identifier must be ASCII letters and digits.
    pub fn new(kind: &str, id: &str) -> OwnerKey {
        OwnerKey(format!("{kind}-{id}"))
    }

    /// Returns the owner of a directory; `None` if the name does not have this format.
    pub(crate) fn from_folder(name: &str) -> Option<OwnerKey> {
        let (kind, id) = name.split_once('-')?;
        let is_word = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        (is_word(kind) && is_word(id)).then(|| OwnerKey(name.to_owned()))
    }

    /// Returns the name of the owner's directory.
    pub(crate) fn folder(&self) -> &str {
        &self.0
    }
}

/// The jobs, which several processes may share, and the lease of this process on its spools.
#[async_trait]
pub trait JobSource: Send + Sync {
    /// Returns a number that changes whenever any process changes a job.
    async fn revision(&self) -> Result<i64, JobSourceError>;

    /// Returns every enabled job with its owner, in the order of creation.
    async fn enabled_jobs(&self) -> Result<Vec<(OwnerKey, Job)>, JobSourceError>;

    /// Returns whether this process holds the lease on its spools. Without it, another process may own them.
    fn holds_lease(&self) -> bool;

    /// Records that a job has delivered every line up to this time, in milliseconds since 1970.
    async fn record_delivered(&self, job: u64, until_ms: u64) -> Result<(), JobSourceError>;

    /// Records that a job could not deliver. The owner of the job sees the problem, so it must not contain secrets.
    async fn record_failed(&self, job: u64, problem: &str) -> Result<(), JobSourceError>;

    /// Disables a job that could not deliver for too long, and records the reason.
    async fn disable(&self, job: u64, problem: &str) -> Result<(), JobSourceError>;
}
