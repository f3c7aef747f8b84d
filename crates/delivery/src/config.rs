//! The configuration of log push: what it may reach, and its limits.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;
use zonewright_logpush::Destination;
use zonewright_logpush::destination::Scheme;

/// The configuration of log push. By default it reaches only public addresses over TLS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogPushConfig {
    /// The directory below which `file://` destinations may write; without it, no job may use them.
    pub file_root: Option<PathBuf>,
    /// Whether `http://` destinations are allowed.
    pub allow_http: bool,
    /// Whether destinations may resolve to private, loopback and link-local addresses.
    pub allow_private: bool,
    /// Whether the ownership challenge is required where it is documented.
    pub require_challenge: bool,
    /// Whether a destination must accept a small test upload before a job may use it.
    pub test_destination: bool,
    /// The buckets that the service may write to with its own credentials, for jobs whose destination has none.
    pub own_buckets: Vec<ServiceBucket>,
    /// The name under which the operator sets `own_buckets`, for messages.
    pub own_buckets_option: &'static str,
    /// The maximum number of bytes of undelivered lines, for all zones and accounts together.
    pub max_spool_bytes: u64,
    /// Limits of batches, bodies and waits.
    pub limits: DeliveryLimits,
}

impl Default for LogPushConfig {
    fn default() -> Self {
        LogPushConfig {
            file_root: None,
            allow_http: false,
            allow_private: false,
            require_challenge: false,
            test_destination: false,
            own_buckets: Vec::new(),
            own_buckets_option: "own_buckets",
            max_spool_bytes: 1 << 30,
            limits: DeliveryLimits::default(),
        }
    }
}

/// The schemes of destinations for which a service can have credentials.
const SERVICE_SCHEMES: [Scheme; 2] = [Scheme::S3, Scheme::Gcs];

/// A bucket that the service may write to with its own credentials: `s3://name` or `gs://name`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceBucket {
    scheme: Scheme,
    bucket: String,
}

impl FromStr for ServiceBucket {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, bucket) = text.split_once("://").unwrap_or_default();
        let scheme = SERVICE_SCHEMES.into_iter().find(|scheme| scheme.name() == name);
        match scheme.filter(|_| !bucket.is_empty() && !bucket.contains(['/', '?', '&', '@'])) {
            Some(scheme) => Ok(ServiceBucket { scheme, bucket: bucket.to_owned() }),
            None => Err("expected a bucket without a path, such as `s3://logs` or `gs://logs`".to_owned()),
        }
    }
}

impl ServiceBucket {
    /// Returns whether a destination is in this bucket. A bucket of the same name at another endpoint is a different
    /// bucket.
    fn contains(&self, destination: &Destination) -> bool {
        match destination {
            Destination::S3(other) => {
                self.scheme == other.scheme && self.bucket == other.bucket && other.endpoint.is_none()
            }
            Destination::Gcs { bucket, .. } => self.scheme == Scheme::Gcs && self.bucket == *bucket,
            Destination::File { .. }
            | Destination::Azure { .. }
            | Destination::Https(_)
            | Destination::IbmLogs { .. }
            | Destination::BigQuery { .. }
            | Destination::Kinesis { .. } => false,
        }
    }
}

impl LogPushConfig {
    /// Returns whether writing to a destination needs credentials of the service, because the destination has none.
    pub fn needs_service_keys(destination: &Destination) -> bool {
        match destination {
            Destination::S3(bucket) => bucket.keys.is_none(),
            Destination::Gcs { .. } => true,
            Destination::File { .. }
            | Destination::Azure { .. }
            | Destination::Https(_)
            | Destination::IbmLogs { .. }
            | Destination::BigQuery { .. }
            | Destination::Kinesis { .. } => false,
        }
    }

    /// Returns whether the service may write to a destination with its own credentials.
    pub fn is_service_bucket(&self, destination: &Destination) -> bool {
        LogPushConfig::needs_service_keys(destination) && self.own_buckets.iter().any(|own| own.contains(destination))
    }
}

/// Limits of batches, bodies and waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryLimits {
    /// The time that the first line of a batch waits for more lines, unless the job sets it (documented: 30 s).
    pub batch_interval: Duration,
    /// The maximum number of records of a batch, unless the job sets it (documented: 100,000).
    pub max_batch_records: u64,
    /// The maximum number of bytes of a batch before compression. A job cannot exceed it, because a batch is held in
    /// memory.
    pub max_batch_bytes: u64,
    /// The timeout for connecting to a destination.
    pub connect_timeout: Duration,
    /// The timeout for uploading a whole batch.
    pub upload_timeout: Duration,
    /// The delay after the first failure; it doubles with each further failure.
    pub initial_backoff: Duration,
    /// The maximum delay between two attempts.
    pub max_backoff: Duration,
    /// The time without a success after which a failing job is disabled (documented: about a day).
    pub disable_after: Duration,
    /// The time that uploads may continue after the signal to stop, and an upload after its job was changed.
    pub shutdown_grace: Duration,
    /// The maximum number of bodies of lines that are read concurrently. Each usually holds up to 5 MiB, and up to 10
    /// MiB if its last chunk decompresses extremely well.
    pub max_concurrent_bodies: usize,
    /// The maximum number of bodies of one client that are read concurrently.
    pub max_concurrent_bodies_per_client: usize,
    /// The maximum time that a body waits for its ingest permit.
    pub ingest_permit_timeout: Duration,
    /// The time during which a body may arrive at any rate.
    pub slow_start: Duration,
    /// The minimum average rate after that time, in bytes per second.
    pub min_bytes_per_second: u32,
    /// The maximum number of bytes of a body as sent.
    pub max_body_bytes: u64,
    /// The maximum number of bytes of a body after decompression.
    pub max_decompressed_bytes: u64,
}

impl Default for DeliveryLimits {
    fn default() -> Self {
        DeliveryLimits {
            batch_interval: Duration::from_secs(30),
            max_batch_records: 100_000,
            max_batch_bytes: 32 << 20,
            connect_timeout: Duration::from_secs(10),
            upload_timeout: Duration::from_secs(120),
            initial_backoff: Duration::from_secs(1),
            max_backoff: Duration::from_secs(300),
            disable_after: Duration::from_secs(24 * 60 * 60),
            shutdown_grace: Duration::from_secs(4),
            max_concurrent_bodies: 64,
            max_concurrent_bodies_per_client: 8,
            ingest_permit_timeout: Duration::from_secs(10),
            slow_start: Duration::from_secs(30),
            min_bytes_per_second: 1 << 10,
            max_body_bytes: 64 << 20,
            max_decompressed_bytes: 512 << 20,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn service_bucket_contains_its_paths_and_no_other_bucket_or_destination_with_keys() {
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
            let read = Destination::parse(destination).unwrap();
            assert_eq!(config(own).is_service_bucket(&read), expected, "{own} {destination}");
        }
        for invalid in
            ["logs", "s3://", "s3://logs/a", "r2://logs", "gs://a?endpoint=b", "s3://a?region=b", "s3://a?endpoint="]
        {
            assert!(invalid.parse::<ServiceBucket>().is_err(), "{invalid}");
        }
    }
}
