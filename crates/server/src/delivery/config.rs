//! What log push may do, and how fast.

use std::path::PathBuf;
use std::time::Duration;

/// What log push may do. By default it reaches nothing but public addresses over TLS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogPushConfig {
    /// Folder below which `file://` may write; none: no job may.
    pub files: Option<PathBuf>,
    /// Whether `http://` may be delivered to.
    pub allow_http: bool,
    /// Whether private, loopback and link-local addresses may be delivered to.
    pub allow_private: bool,
    /// Whether destinations ask for the ownership challenge where it is documented.
    pub require_challenge: bool,
    /// Whether a destination is tried with a small upload before a job may use it.
    pub test_destination: bool,
    /// Most bytes of lines that wait for their delivery, of all zones and accounts together.
    pub spool_bytes: u64,
    /// How fast.
    pub pace: Pace,
}

impl Default for LogPushConfig {
    fn default() -> Self {
        LogPushConfig {
            files: None,
            allow_http: false,
            allow_private: false,
            require_challenge: false,
            test_destination: false,
            spool_bytes: 1 << 30,
            pace: Pace::default(),
        }
    }
}

/// Bounds of batches, bodies and waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pace {
    /// How long lines wait for others of their batch where the job does not say it (documented: 30 s).
    pub interval: Duration,
    /// Most records of a batch where the job does not say it (documented: 100,000).
    pub records: u64,
    /// Most bytes of a batch before compression, whatever the job says: a batch is held in memory.
    pub bytes: u64,
    /// How long a destination may take to take the connection.
    pub connect: Duration,
    /// How long a destination may take for a whole batch.
    pub upload: Duration,
    /// The wait after the first failure; it doubles with each further one.
    pub first_retry: Duration,
    /// The longest wait between two attempts.
    pub last_retry: Duration,
    /// How long a job may fail without a success in between until it is disabled (documented: about a day).
    pub give_up: Duration,
    /// How long deliveries may go on after the signal to stop, and one after its job was changed.
    pub farewell: Duration,
    /// Most bytes of a body that comes in, as sent.
    pub body_bytes: u64,
    /// Most bytes of a body that comes in, after decompression.
    pub unpacked_bytes: u64,
}

impl Default for Pace {
    fn default() -> Self {
        Pace {
            interval: Duration::from_secs(30),
            records: 100_000,
            bytes: 32 << 20,
            connect: Duration::from_secs(10),
            upload: Duration::from_secs(120),
            first_retry: Duration::from_secs(1),
            last_retry: Duration::from_secs(300),
            give_up: Duration::from_secs(24 * 60 * 60),
            farewell: Duration::from_secs(4),
            body_bytes: 64 << 20,
            unpacked_bytes: 512 << 20,
        }
    }
}
    /// Most bodies of lines that are read at a time; each holds up to 5 MiB.
    pub bodies: usize,
    /// Most of them of one account.
    pub bodies_of_account: usize,
    /// How long a body waits for its turn.
    pub turn: Duration,
    /// How long a body may come as slowly as it likes.
    pub grace: Duration,
    /// Bytes a second that have to come after that, on average.
    pub least_rate: u32,
            bodies: 64,
            bodies_of_account: 8,
            turn: Duration::from_secs(10),
            grace: Duration::from_secs(30),
            least_rate: 1 << 10,
