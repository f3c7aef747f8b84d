//! Where logs go: the address of a job (`destination_conf`), of every documented provider.
//!
//! An address holds secrets. Inside a [`Destination`] they are [`Secret`]s, which `Debug` never shows,
//! and [`redact`] hides those of a text, also of one that is no address.

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

use crate::time::Civil;
use redact::secret_values;
use scheme::OwnershipChallenge;
use std::fmt;
use zonewright_api::Refusal;

/// A destination. Folders have no slash at their ends, may hold `{DATE}`, and are empty when there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// `file://`: a folder of the service's own machine (assumption own-destinations).
    File {
        /// The folder, below the one that the service allows.
        path: String,
    },
    /// `s3://`, `r2://`: a bucket of S3, or of what speaks as S3 does.
    S3(Bucket),
    /// `gs://`: a bucket of Google Cloud Storage.
    Gcs {
        /// The bucket.
        bucket: String,
        /// The folder in it.
        path: String,
    },
    /// `azure://`: a container of Azure Blob Storage.
    Azure {
        /// The host of the account.
        host: String,
        /// The container.
        container: String,
        /// The folder in it.
        path: String,
        /// The query that allows access, as it was written: `sv=…&sig=…`.
        signature: Secret,
    },
    /// What takes batches by `POST`: `https://`, `http://`, `datadog://`, `splunk://`, `sumo://`.
    Https(Endpoint),
    /// `ibmcl://`: IBM Cloud Logs.
    IbmLogs {
        /// Where batches are posted.
        url: String,
        /// The key, which is exchanged for a token.
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
        /// `base64:…` or `url:…`.
        credentials: Secret,
    },
    /// `kinesis://`: a stream of Kinesis.
    Kinesis {
        /// The stream.
        stream: String,
        /// The region.
        region: String,
        /// Who writes.
        access: KinesisAccess,
    },
}

/// A bucket of S3, or of what speaks as S3 does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// [`Scheme::S3`] or [`Scheme::R2`].
    pub scheme: Scheme,
    /// The bucket.
    pub bucket: String,
    /// The folder in it.
    pub path: String,
    /// The region; `auto` for R2.
    pub region: String,
    /// The host, with a port and a path when they were written, of what is not S3 itself; R2 always has one.
    pub endpoint: Option<String>,
    /// The keys; without them the bucket has to allow the service to write.
    pub keys: Option<Keys>,
    /// The encryption at rest that is asked for: `AES256`.
    pub encryption: Option<String>,
}

/// A pair of keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keys {
    /// `access-key-id`.
    pub id: Secret,
    /// `secret-access-key`.
    pub secret: Secret,
}

/// What takes batches by `POST`.
#[derive(Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// The scheme of the address, such as `datadog://`.
    pub scheme: Scheme,
    /// Where to, `https://…` (only for `http` `http://…`), with the parameters that are passed on.
    pub url: Secret,
    /// The headers, by `header_…` parameters, in their order.
    pub headers: Vec<(String, Secret)>,
    /// Whether the certificate of the host is looked at.
    pub verify: bool,
}

impl fmt::Debug for Endpoint {
    // Where `=` is missing, a secret is a part of a header's name.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (scheme, headers) = (self.scheme, self.headers.len());
        write!(formatter, "Endpoint {{ scheme: {scheme:?}, headers: {headers}, verify: {} }}", self.verify)
    }
}

/// Who writes to a stream of Kinesis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KinesisAccess {
    /// A role that is taken.
    Role {
        /// `sts-assume-role-arn`.
        arn: String,
        /// `sts-external-id`.
        external_id: Option<Secret>,
    },
    /// Keys.
    Keys(Keys),
}

impl Destination {
    /// Reads an address; the error holds every reason to refuse it, none of which shows a secret. Their
    /// pointers name the part: `/host` (also of what stands in its place, such as a bucket), `/path`,
    /// `/container`, `/table`, `/headers/0`, or a parameter, such as `/region`; empty for the address as a whole.
    /// `file://` and `http://` are read too: whether they are allowed is the job's question.
    pub fn read(address: &str) -> Result<Destination, Vec<Refusal>> {
        providers::parse(address)
    }

    /// The scheme.
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

    /// Whether the address holds the keys to write with.
    pub fn has_keys(&self) -> bool {
        match self {
            Destination::S3(bucket) => bucket.keys.is_some(),
            Destination::Kinesis { access, .. } => matches!(access, KinesisAccess::Keys(_)),
            Destination::Azure { .. }
            | Destination::Https(_)
            | Destination::IbmLogs { .. }
            | Destination::BigQuery { .. } => true,
            Destination::File { .. } | Destination::Gcs { .. } => false,
        }
    }

    /// Whether the owner has to prove that the destination is theirs, by reading a file that is written there
    /// (documented).
    pub fn needs_challenge(&self) -> bool {
        match self.scheme().challenge() {
            OwnershipChallenge::Never => false,
            OwnershipChallenge::WithoutKeys => !self.has_keys(),
            OwnershipChallenge::Always => true,
        }
    }

    /// The texts of the address that no message may show, such as keys, values of headers and forwarded parameters.
    pub fn secrets(&self) -> Vec<&str> {
        fn of_keys(keys: &Keys) -> [&str; 2] {
            [keys.id.expose(), keys.secret.expose()]
        }
        match self {
            Destination::File { .. } | Destination::Gcs { .. } => Vec::new(),
            Destination::S3(bucket) => bucket.keys.iter().flat_map(of_keys).collect(),
            Destination::Azure { signature, .. } => secret_values(Scheme::Azure, signature.expose()).collect(),
            Destination::Https(endpoint) => {
                let url = endpoint.url.expose();
                let (place, query) = url.split_once('?').unwrap_or((url, ""));
                let headers = endpoint.headers.iter().map(|(_, value)| value.expose());
                // Sumo Logic's path ends in the secret code of the collector.
                let code = place.rsplit('/').next().filter(|_| endpoint.scheme == Scheme::SumoLogic);
                secret_values(endpoint.scheme, query).chain(headers).chain(code).chain([url]).collect()
            }
            Destination::IbmLogs { api_key, .. } => vec![api_key.expose()],
            Destination::BigQuery { credentials, .. } => vec![credentials.expose()],
            Destination::Kinesis { access: KinesisAccess::Keys(keys), .. } => of_keys(keys).to_vec(),
            Destination::Kinesis { access: KinesisAccess::Role { arn, external_id }, .. } => {
                external_id.iter().map(Secret::expose).chain([arn.as_str()]).collect()
            }
        }
    }

    /// Where it goes, for people: the address without its parameters and without a secret.
    pub fn redacted(&self) -> String {
        let joined =
            |parts: &[&str]| parts.iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join("/");
        let place = match self {
            Destination::File { path } => format!("/{path}"),
            Destination::S3(bucket) => joined(&[&bucket.bucket, &bucket.path]),
            Destination::Gcs { bucket, path } => joined(&[bucket, path]),
            Destination::Azure { host, container, path, .. } => joined(&[host, container, path]),
            // It is not known then where the host begins; `redact` hides the whole.
            Destination::Https(endpoint) if endpoint.url.expose().contains('@') => "@".to_owned(),
            Destination::Https(endpoint) => {
                let (url, _) = endpoint.url.expose().split_once('?').unwrap_or((endpoint.url.expose(), ""));
                url.split_once("://").map_or(String::new(), |(_, place)| place.to_owned())
            }
            Destination::IbmLogs { url, .. } => url.trim_start_matches("https://").to_owned(),
            Destination::BigQuery { project, dataset, table, .. } => {
                format!("projects/{project}/datasets/{dataset}/tables/{table}")
            }
            Destination::Kinesis { stream, .. } => stream.clone(),
        };
        redact(&format!("{}://{place}", self.scheme()))
    }

    /// The folder of a batch that starts at `start` (seconds since 1970), `{DATE}` filled in with its day in
    /// UTC, `YYYYMMDD`; empty for what has no folders.
    pub fn folder(&self, start: i64) -> String {
        match self {
            Destination::File { path }
            | Destination::S3(Bucket { path, .. })
            | Destination::Gcs { path, .. }
            | Destination::Azure { path, .. } => path.replace(placeholder::DATE_PLACEHOLDER, &Civil::at(start).date()),
            _ => String::new(),
        }
    }

    /// The name of a batch's object, folder included: `logs/20240217/20240217T235201Z_20240217T235301Z_<hash>.log.gz`
    /// (assumption object-names). `start` and `end` are seconds since 1970.
    pub fn key(&self, start: i64, end: i64, hash: &str) -> String {
        let (folder, slash) = (self.folder(start), if self.folder(start).is_empty() { "" } else { "/" });
        format!("{folder}{slash}{}_{}_{hash}.log.gz", Civil::at(start).compact(), Civil::at(end).compact())
    }

    /// The most bytes of an upload before compression that it takes, whatever the job says (documented).
    pub fn max_upload_bytes(&self) -> Option<u64> {
        self.scheme().max_upload_bytes()
    }

    /// The most records of an upload that it takes, whatever the job says (documented).
    pub fn max_upload_records(&self) -> Option<u64> {
        self.scheme().max_upload_records()
    }
}

#[cfg(test)]
mod tests;
