//! Where jobs come from, and who is told of their results.

use async_trait::async_trait;
use zonewright_api::logpush::Job;

/// An error of whoever implements [`JobSource`].
pub type JobSourceError = Box<dyn std::error::Error + Send + Sync>;

/// Names the owner of jobs and lines: `KIND-IDENTIFIER`. It is also the name of a folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OwnerKey(String);

impl OwnerKey {
    /// The key of an owner; its kind and identifier have letters and digits only.
    pub fn new(kind: &str, id: &str) -> OwnerKey {
        OwnerKey(format!("{kind}-{id}"))
    }

    /// The owner of a folder; none when the name has another form.
    pub(crate) fn from_folder(name: &str) -> Option<OwnerKey> {
        let (kind, id) = name.split_once('-')?;
        let is_word = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        (is_word(kind) && is_word(id)).then(|| OwnerKey(name.to_owned()))
    }

    /// The name of its folder.
    pub(crate) fn folder(&self) -> &str {
        &self.0
    }
}

/// The jobs, which several processes may share, and the claim of this process on its spools.
#[async_trait]
pub trait JobSource: Send + Sync {
    /// A number that is another one after any process has changed a job.
    async fn revision(&self) -> Result<i64, JobSourceError>;

    /// Every enabled job with its owner, in the order of creation.
    async fn enabled_jobs(&self) -> Result<Vec<(OwnerKey, Job)>, JobSourceError>;

    /// Whether the spools belong to this process. Without the lease, another process may have them.
    fn holds_lease(&self) -> bool;

    /// Notes that a job has delivered every line up to this time, in milliseconds since 1970.
    async fn delivered(&self, job: u64, until_ms: u64) -> Result<(), JobSourceError>;

    /// Notes that a job could not deliver. The problem is shown to the owner of the job and has no secrets.
    async fn failed(&self, job: u64, problem: &str) -> Result<(), JobSourceError>;

    /// Disables a job that could not deliver for too long, and notes why.
    async fn disable(&self, job: u64, problem: &str) -> Result<(), JobSourceError>;
}
