//! Destinations of jobs: parses the URL-like string `destination_conf` of every documented provider.
//!
//! Start with [`Destination`] and [`Scheme`]. A destination contains secrets. [`Destination`] stores credentials as
//! [`Secret`]s, and [`redact()`] hides the secrets of any text, valid or not.
//!
//! Invariant: `Debug` shows no more than [`redact()`], which hides every part that its scheme does not list as safe.

mod endpoint;
mod parser;
mod placeholder;
mod providers;
mod redact;
mod scheme;
mod secret;

pub use endpoint::HEADER_PREFIX;
pub(crate) use parser::percent_decode_lossy;
pub use redact::{REDACTED, redact};
pub use scheme::{Parameter, Scheme, Transport};
pub use secret::Secret;

use crate::time::UtcDateTime;
use redact::secret_values;
use scheme::OwnershipChallenge;
use std::fmt;
use zonewright_api::ValidationError;

/// A parsed destination. Paths have no leading or trailing slash, may contain `{DATE}`, and are empty if absent.
#[derive(Clone, PartialEq, Eq)]
pub enum Destination {
    /// `file://`: a directory on the machine of the service (assumption own-destinations).
    File {
        /// The directory, relative to the one that the service allows.
        path: String,
    },
    /// `s3://`, `r2://`: a bucket of S3 or of a compatible service.
    S3(S3Bucket),
    /// `gs://`: a bucket of Google Cloud Storage.
    Gcs {
        /// The name of the bucket.
        bucket: String,
        /// The path in the bucket.
        path: String,
    },
    /// `azure://`: a container of Azure Blob Storage.
    Azure {
        /// The host of the account.
        host: String,
        /// The name of the container.
        container: String,
        /// The path in the container.
        path: String,
        /// The query that authorizes access, verbatim: `sv=…&sig=…`.
        signature: Secret,
    },
    /// `https://`, `datadog://` and others: an endpoint that accepts batches by `POST` ([`Transport::Post`]).
    Https(HttpEndpoint),
    /// `ibmcl://`: IBM Cloud Logs.
    IbmLogs {
        /// The URL to which batches are posted.
        url: String,
        /// The API key, which is exchanged for a token.
        api_key: Secret,
    },
    /// `bq://`: a table of BigQuery.
    BigQuery {
        /// The project.
        project: String,
        /// The dataset.
        dataset: String,
        /// The table.
        table: String,
        /// The credentials: `base64:…` or `url:…`.
        credentials: Secret,
    },
    /// `kinesis://`: a stream of Kinesis.
    Kinesis {
        /// The name of the stream.
        stream: String,
        /// The region.
        region: String,
        /// The role or the keys that may write.
        credentials: KinesisCredentials,
    },
}

impl fmt::Debug for Destination {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Destination({})", self.redacted())
    }
}

/// A bucket of S3 or of a compatible service.
#[derive(Clone, PartialEq, Eq)]
pub struct S3Bucket {
    /// The scheme: [`Scheme::S3`] or [`Scheme::R2`].
    pub scheme: Scheme,
    /// The name of the bucket.
    pub bucket: String,
    /// The path in the bucket.
    pub path: String,
    /// The region; `auto` for R2.
    pub region: String,
    /// The host of a compatible service, with an optional port and path. R2 always has one.
    pub endpoint: Option<String>,
    /// The access keys. Without keys, the bucket must allow the service to write.
    pub keys: Option<Keys>,
    /// The encryption at rest that the job requests: `AES256`.
    pub encryption: Option<String>,
}

impl S3Bucket {
    /// Returns the bucket for display, without parameters and secrets.
    fn redacted(&self) -> String {
        let slash = if self.path.is_empty() { "" } else { "/" };
        redact(&format!("{}://{}{slash}{}", self.scheme, self.bucket, self.path))
    }
}

impl fmt::Debug for S3Bucket {
    // The endpoint is omitted, because that of R2 contains the account.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "S3Bucket({}, keys: {})", self.redacted(), self.keys.is_some())
    }
}

/// A pair of access keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keys {
    /// `access-key-id`.
    pub id: Secret,
    /// `secret-access-key`.
    pub secret: Secret,
}

/// An endpoint that accepts batches by `POST`.
#[derive(Clone, PartialEq, Eq)]
pub struct HttpEndpoint {
    /// The scheme of the destination, such as `datadog://`.
    pub scheme: Scheme,
    /// The URL with the forwarded parameters: `https://…`, or `http://…` for the scheme `http`.
    pub url: Secret,
    /// The headers from `header_…` parameters, in their order.
    pub headers: Vec<(String, Secret)>,
    /// Whether the certificate of the host is verified.
    pub verify_tls: bool,
}

impl fmt::Debug for HttpEndpoint {
    // The names of headers are omitted: if a `=` is missing, a secret is part of a name.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (scheme, headers) = (self.scheme, self.headers.len());
        write!(formatter, "Endpoint {{ scheme: {scheme:?}, headers: {headers}, verify: {} }}", self.verify_tls)
    }
}

/// The authorization to write to a Kinesis stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KinesisCredentials {
    /// A role that the service assumes.
    Role {
        /// `sts-assume-role-arn`.
        arn: Secret,
        /// `sts-external-id`.
        external_id: Option<Secret>,
    },
    /// A pair of access keys.
    Keys(Keys),
}

impl Destination {
    /// Parses a destination, or returns every reason why it is invalid. No message contains a secret.
    ///
    /// The pointer of an error names the part: `/host` (also for a bucket in the position of the host), `/path`,
    /// `/container`, `/table`, `/headers/0`, or a parameter such as `/region`. It is empty for the destination as a
    /// whole. `file://` and `http://` are accepted here; [`check_job`](crate::check_job) decides whether a job may use
    /// them.
    pub fn parse(destination_conf: &str) -> Result<Destination, Vec<ValidationError>> {
        providers::parse(destination_conf)
    }

    /// Returns the scheme.
    pub fn scheme(&self) -> Scheme {
        match self {
            Destination::File { .. } => Scheme::File,
            Destination::S3(bucket) => bucket.scheme,
            Destination::Gcs { .. } => Scheme::Gcs,
            Destination::Azure { .. } => Scheme::Azure,
            Destination::Https(endpoint) => endpoint.scheme,
            Destination::IbmLogs { .. } => Scheme::IbmLogs,
            Destination::BigQuery { .. } => Scheme::BigQuery,
            Destination::Kinesis { .. } => Scheme::Kinesis,
        }
    }

    /// Returns whether the destination contains the credentials to write with. An HTTP endpoint always counts, because
    /// it may need none.
    pub fn has_keys(&self) -> bool {
        match self {
            Destination::S3(bucket) => bucket.keys.is_some(),
            Destination::Kinesis { credentials, .. } => matches!(credentials, KinesisCredentials::Keys(_)),
            Destination::Azure { .. }
            | Destination::Https(_)
            | Destination::IbmLogs { .. }
            | Destination::BigQuery { .. } => true,
            Destination::File { .. } | Destination::Gcs { .. } => false,
        }
    }

    /// Returns whether the owner must pass an ownership challenge: read a token from a file that the service writes to
    /// the destination, and send it back (documented).
    pub fn requires_ownership_challenge(&self) -> bool {
        match self.scheme().challenge() {
            OwnershipChallenge::Never => false,
            OwnershipChallenge::WithoutKeys => !self.has_keys(),
            OwnershipChallenge::Always => true,
        }
    }

    /// Returns the parts that no message may show, such as keys, header values and forwarded parameters.
    pub fn secrets(&self) -> Vec<&str> {
        fn key_secrets(keys: &Keys) -> [&str; 2] {
            [keys.id.expose(), keys.secret.expose()]
        }
        match self {
            Destination::File { .. } | Destination::Gcs { .. } => Vec::new(),
            Destination::S3(bucket) => bucket.keys.iter().flat_map(key_secrets).collect(),
            Destination::Azure { signature, .. } => secret_values(Scheme::Azure, signature.expose()).collect(),
            Destination::Https(endpoint) => {
                let url = endpoint.url.expose();
                let (location, query) = url.split_once('?').unwrap_or((url, ""));
                let headers = endpoint.headers.iter().map(|(_, value)| value.expose());
                // The path of Sumo Logic ends with the secret code of the collector.
                let code = location.rsplit('/').next().filter(|_| endpoint.scheme == Scheme::SumoLogic);
                secret_values(endpoint.scheme, query).chain(headers).chain(code).chain([url]).collect()
            }
            Destination::IbmLogs { api_key, .. } => vec![api_key.expose()],
            Destination::BigQuery { credentials, .. } => vec![credentials.expose()],
            Destination::Kinesis { credentials: KinesisCredentials::Keys(keys), .. } => key_secrets(keys).to_vec(),
            Destination::Kinesis { credentials: KinesisCredentials::Role { arn, external_id }, .. } => {
                external_id.iter().map(Secret::expose).chain([arn.expose()]).collect()
            }
        }
    }

    /// Returns the destination for display, without parameters and secrets.
    pub fn redacted(&self) -> String {
        let joined =
            |parts: &[&str]| parts.iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join("/");
        let location = match self {
            Destination::File { path } => format!("/{path}"),
            Destination::S3(bucket) => return bucket.redacted(),
            Destination::Gcs { bucket, path } => joined(&[bucket, path]),
            Destination::Azure { host, container, path, .. } => joined(&[host, container, path]),
            // With an `@`, it is unknown where the host starts, and `redact` hides everything.
            Destination::Https(endpoint) if endpoint.url.expose().contains('@') => "@".to_owned(),
            Destination::Https(endpoint) => {
                let (url, _) = endpoint.url.expose().split_once('?').unwrap_or((endpoint.url.expose(), ""));
                url.split_once("://").map_or(String::new(), |(_, location)| location.to_owned())
            }
            Destination::IbmLogs { url, .. } => url.trim_start_matches("https://").to_owned(),
            Destination::BigQuery { project, dataset, table, .. } => {
                format!("projects/{project}/datasets/{dataset}/tables/{table}")
            }
            Destination::Kinesis { stream, .. } => stream.clone(),
        };
        redact(&format!("{}://{location}", self.scheme()))
    }

    /// Returns the directory of a batch that starts at `start`, in seconds of Unix time. `{DATE}` becomes the day in
    /// UTC, `YYYYMMDD`. The result is empty for destinations without directories.
    pub fn folder(&self, start: i64) -> String {
        match self {
            Destination::File { path }
            | Destination::S3(S3Bucket { path, .. })
            | Destination::Gcs { path, .. }
            | Destination::Azure { path, .. } => {
                path.replace(placeholder::DATE_PLACEHOLDER, &UtcDateTime::from_unix_seconds(start).to_date())
            }
            _ => String::new(),
        }
    }

    /// Returns the object key of a batch, including the directory:
    /// `logs/20240217/20240217T235201Z_20240217T235301Z_<hash>.log.gz` (assumption object-names). `start` and `end` are
    /// seconds of Unix time.
    pub fn object_key(&self, start: i64, end: i64, hash: &str) -> String {
        let (folder, slash) = (self.folder(start), if self.folder(start).is_empty() { "" } else { "/" });
        format!(
            "{folder}{slash}{}_{}_{hash}.log.gz",
            UtcDateTime::from_unix_seconds(start).to_basic(),
            UtcDateTime::from_unix_seconds(end).to_basic()
        )
    }

    /// Returns the destination's maximum size of an upload in bytes before compression, independent of the job
    /// (documented).
    pub fn max_upload_bytes(&self) -> Option<u64> {
        self.scheme().max_upload_bytes()
    }

    /// Returns the destination's maximum number of records of an upload, independent of the job (documented).
    pub fn max_upload_records(&self) -> Option<u64> {
        self.scheme().max_upload_records()
    }
}

#[cfg(test)]
mod tests;
