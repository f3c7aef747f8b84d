//! What log push may do, and how fast.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;
use zonewright_logpush::Destination;

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
    /// Where the service may write with credentials of its own, for jobs whose destination has none.
    pub own_buckets: Vec<OwnBucket>,
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
            own_buckets: Vec::new(),
            spool_bytes: 1 << 30,
            pace: Pace::default(),
        }
    }
}

/// A bucket that the service may write to with credentials of its own: `s3://name` or `gs://name`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnBucket {
    scheme: &'static str,
    bucket: String,
}

impl FromStr for OwnBucket {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (scheme, bucket) = text.split_once("://").unwrap_or_default();
        let scheme = ["s3", "gs"].into_iter().find(|known| *known == scheme);
        match scheme.filter(|_| !bucket.is_empty() && !bucket.contains(['/', '?', '&', '@'])) {
            Some(scheme) => Ok(OwnBucket { scheme, bucket: bucket.to_owned() }),
            None => Err("a bucket without a folder is expected, such as `s3://logs` or `gs://logs`".to_owned()),
        }
    }
}

impl OwnBucket {
    /// Whether a destination is in this bucket. At another endpoint, a bucket of this name is another one.
    fn has(&self, destination: &Destination) -> bool {
        match destination {
            Destination::S3(other) => {
                self.scheme == other.scheme.name() && self.bucket == other.bucket && other.endpoint.is_none()
            }
            Destination::Gcs { bucket, .. } => self.scheme == "gs" && self.bucket == *bucket,
            _ => false,
        }
    }
}

impl LogPushConfig {
    /// Whether a destination would be written to with credentials of the service: it has none of its own.
    pub fn needs_own_keys(destination: &Destination) -> bool {
        match destination {
            Destination::S3(bucket) => bucket.keys.is_none(),
            Destination::Gcs { .. } => true,
            _ => false,
        }
    }

    /// Whether a destination is one that the service may write to with credentials of its own.
    pub fn is_own(&self, destination: &Destination) -> bool {
        LogPushConfig::needs_own_keys(destination) && self.own_buckets.iter().any(|own| own.has(destination))
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
            bodies: 64,
            bodies_of_account: 8,
            turn: Duration::from_secs(10),
            grace: Duration::from_secs(30),
            least_rate: 1 << 10,
            body_bytes: 64 << 20,
            unpacked_bytes: 512 << 20,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_buckets() {
        let config = |own: &str| LogPushConfig { own_buckets: vec![own.parse().unwrap()], ..LogPushConfig::default() };
        let keys = "access-key-id=a&secret-access-key=b";
        for (own, destination, expected) in [
            ("s3://logs", "s3://logs?region=eu-1", true),
            ("s3://logs", "s3://logs/any/folder?region=eu-1", true),
            ("s3://logs", "s3://logs-2?region=eu-1", false),
            ("s3://logs", "gs://logs", false),
            ("gs://logs", "gs://logs/a", true),
            ("s3://logs", &format!("s3://logs?region=eu-1&{keys}"), false),
            ("s3://logs", "https://logs/", false),
        ] {
            let read = Destination::read(destination).unwrap();
            assert_eq!(config(own).is_own(&read), expected, "{own} {destination}");
        }
        for wrong in
            ["logs", "s3://", "s3://logs/a", "r2://logs", "gs://a?endpoint=b", "s3://a?region=b", "s3://a?endpoint="]
        {
            assert!(wrong.parse::<OwnBucket>().is_err(), "{wrong}");
        }
    }
}
