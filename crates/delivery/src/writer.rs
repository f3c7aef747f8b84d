//! Writes one object to a destination.
//!
//! Start with [`DestinationWriter::open_sink`] and [`DestinationWriter::put`]. A writer makes one attempt; only the
//! worker retries.
//!
//! Invariant: no error contains a secret of the destination.

mod files;
mod object_stores;

use crate::config::LogPushConfig;
use crate::egress::EgressClient;
use bytes::Bytes;
use object_store::ObjectStore;
use std::path::PathBuf;
use std::sync::Arc;
use zonewright_logpush::Destination;
use zonewright_logpush::destination::HttpEndpoint;

/// The maximum length of an error in characters.
const MAX_REASON_CHARS: usize = 400;
/// The minimum length in bytes of a secret that errors hide.
const MIN_SECRET_BYTES: usize = 6;

/// A writer for all kinds of destinations.
#[derive(Clone, Debug)]
pub(crate) struct DestinationWriter {
    egress: EgressClient,
    config: Arc<LogPushConfig>,
}

/// A destination that is ready to be written to.
pub(crate) struct Sink {
    kind: SinkKind,
    /// Texts that no error may contain.
    secrets: Vec<String>,
}

enum SinkKind {
    /// Files below this directory.
    Files(PathBuf),
    Store(Arc<dyn ObjectStore>),
    Post(HttpEndpoint),
}

/// Returns whether this service implements deliveries to this kind of destination (assumption not-delivered).
pub fn is_supported(destination: &Destination) -> bool {
    match destination {
        Destination::File { .. }
        | Destination::S3(_)
        | Destination::Gcs { .. }
        | Destination::Azure { .. }
        | Destination::Https(_) => true,
        Destination::IbmLogs { .. } | Destination::BigQuery { .. } | Destination::Kinesis { .. } => false,
    }
}

/// Returns the reason why a job with this destination would never deliver. Either its kind is not implemented
/// (assumption not-delivered), or it needs keys that the service does not have (assumption own-keys).
pub fn unsupported_reason(destination: &Destination, config: &LogPushConfig) -> Option<String> {
    if !is_supported(destination) {
        return Some(format!("this service does not deliver to {}://", destination.scheme()));
    }
    // Otherwise, anyone who may create jobs could write wherever the keys of the service allow it.
    if LogPushConfig::needs_service_keys(destination) && !config.is_service_bucket(destination) {
        let option = config.own_buckets_option;
        return Some(format!(
            "the destination has no access keys, and this service uses its own keys only for the buckets set with \
             {option}"
        ));
    }
    None
}

impl DestinationWriter {
    pub(crate) fn new(config: &Arc<LogPushConfig>) -> Result<DestinationWriter, reqwest::Error> {
        Ok(DestinationWriter { egress: EgressClient::new(config)?, config: Arc::clone(config) })
    }

    /// Prepares writing to a destination. The error is the reason why the destination cannot be written to at all.
    pub(crate) fn open_sink(&self, destination: &Destination) -> Result<Sink, String> {
        if let Some(reason) = unsupported_reason(destination, &self.config) {
            return Err(reason);
        }
        let secrets = secrets(destination);
        let kind = match destination {
            Destination::File { .. } => match &self.config.file_root {
                Some(root) => Ok(SinkKind::Files(root.clone())),
                None => Err("this service does not write to files".to_owned()),
            },
            Destination::S3(bucket) => {
                object_stores::open_s3(bucket, &self.egress, self.config.allow_http).map(SinkKind::Store)
            }
            Destination::Gcs { bucket, .. } => object_stores::open_gcs(bucket, &self.egress).map(SinkKind::Store),
            Destination::Azure { host, container, signature, .. } => {
                object_stores::open_azure(host, container, signature.expose(), &self.egress).map(SinkKind::Store)
            }
            Destination::Https(endpoint) => Ok(SinkKind::Post(endpoint.clone())),
            // `unsupported_reason` has rejected them.
            Destination::IbmLogs { .. } | Destination::BigQuery { .. } | Destination::Kinesis { .. } => {
                Err(format!("this service does not deliver to {}://", destination.scheme()))
            }
        };
        let kind = kind.map_err(|problem| redact(&problem, &secrets))?;
        Ok(Sink { kind, secrets })
    }

    /// Writes an object in one attempt. An object whose name ends in `.gz` is gzip. The error is for the owner of the
    /// job and contains no secrets. Canceling this cancels a request, but not the write of
    /// a file.
    pub(crate) async fn put(&self, sink: &Sink, name: &str, body: Bytes) -> Result<(), String> {
        let result = match &sink.kind {
            SinkKind::Files(root) => files::write(root.clone(), name.to_owned(), body).await,
            SinkKind::Store(store) => object_stores::put(store.as_ref(), name, body).await,
            SinkKind::Post(endpoint) => self.post(endpoint, name, body).await,
        };
        result.map_err(|problem| redact(&problem, &sink.secrets))
    }

    async fn post(&self, endpoint: &HttpEndpoint, name: &str, body: Bytes) -> Result<(), String> {
        let mut headers: Vec<(&str, &str)> =
            endpoint.headers.iter().map(|(name, value)| (name.as_str(), value.expose())).collect();
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type")) {
            headers.push(("content-type", "text/plain; charset=utf-8"));
        }
        if name.ends_with(".gz") {
            headers.push(("content-encoding", "gzip"));
        }
        self.egress.post(endpoint.url.expose(), &headers, endpoint.verify_tls, body).await
    }
}

/// Returns the secrets of a destination, the longest first, so that a secret that contains another one is hidden whole.
fn secrets(destination: &Destination) -> Vec<String> {
    // Short texts are not secrets, and hiding them would make errors unreadable.
    let mut secrets: Vec<String> = destination
        .secrets()
        .into_iter()
        .filter(|secret| secret.len() >= MIN_SECRET_BYTES)
        .map(str::to_owned)
        .collect();
    secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
    secrets
}

/// Returns an error in one line of limited length, with all secrets hidden. Control characters separate words, because
/// the text of a destination may contain any, and PostgreSQL cannot store U+0000.
fn redact(problem: &str, secrets: &[String]) -> String {
    let hidden = secrets.iter().fold(problem.to_owned(), |text, secret| text.replace(secret.as_str(), "***"));
    let words = hidden.split(|character: char| character.is_whitespace() || character.is_control());
    let line = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    line.chars().take(MAX_REASON_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redacted_error_is_one_line_without_control_characters_and_secrets() {
        let secrets = ["abcdefgh".to_owned()];
        for (problem, expected) in [
            ("a\0b\u{1b}[31m \r\n c\u{85}", "a b [31m c"),
            ("\0\u{7f}", ""),
            ("the key abcdefgh is wrong", "the key *** is wrong"),
        ] {
            assert_eq!(redact(problem, &secrets), expected, "{problem:?}");
        }
        assert_eq!(redact(&"a".repeat(MAX_REASON_CHARS + 1), &[]).len(), MAX_REASON_CHARS);
    }
}
