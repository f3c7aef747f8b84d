//! Buckets and containers of the clouds.

use crate::delivery::net::{Net, reason};
use axum::body::Bytes;
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt, RetryConfig};
use std::net::IpAddr;
use std::sync::Arc;
use zonewright_logpush::destination::Bucket;

type Store = Result<Arc<dyn ObjectStore>, String>;

/// A batch is tried again as a whole, so a request is not.
fn once() -> RetryConfig {
    RetryConfig { max_retries: 0, ..RetryConfig::default() }
}

/// A bucket of S3, or of what speaks as S3 does. Without keys of its own it is written to with those of
/// the service's environment, never with those of the machine it runs on.
pub(super) fn s3(bucket: &Bucket, net: &Net, plain: bool) -> Store {
    let mut builder = AmazonS3Builder::new()
        .with_bucket_name(&bucket.bucket)
        .with_region(&bucket.region)
        .with_allow_http(plain)
        .with_retry(once())
        .with_http_connector(net.clone());
    builder = match &bucket.keys {
        Some(keys) => builder.with_access_key_id(keys.id.expose()).with_secret_access_key(keys.secret.expose()),
        None => {
            let (Some(id), Some(secret)) = (variable("AWS_ACCESS_KEY_ID"), variable("AWS_SECRET_ACCESS_KEY")) else {
                return Err("the destination has no keys, and this service has none of its own".to_owned());
            };
            let builder = builder.with_access_key_id(id).with_secret_access_key(secret);
            match variable("AWS_SESSION_TOKEN") {
                Some(token) => builder.with_token(token),
                None => builder,
            }
        }
    };
    if let Some(endpoint) = &bucket.endpoint {
        let scheme = if plain && is_loopback(endpoint) { "http" } else { "https" };
        builder = builder.with_endpoint(format!("{scheme}://{endpoint}"));
    }
    if let Some(encryption) = &bucket.encryption {
        let key: Result<AmazonS3ConfigKey, _> = "aws_server_side_encryption".parse();
        builder = builder.with_config(key.map_err(|error| reason(&error))?, encryption);
    }
    made(builder.build())
}

/// Whether a host with a port and a path is this machine: what is tried out there has no certificate.
fn is_loopback(endpoint: &str) -> bool {
    let authority = endpoint.split('/').next().unwrap_or(endpoint);
    let host = authority.rsplit_once(':').map_or(authority, |(host, _)| host);
    host == "localhost" || host.trim_matches(['[', ']']).parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

/// A bucket of Google Cloud Storage, with the service account that the environment names.
pub(super) fn gcs(bucket: &str, net: &Net) -> Store {
    let Some(account) = variable("GOOGLE_APPLICATION_CREDENTIALS") else {
        return Err("this service has no account of Google's".to_owned());
    };
    let builder = GoogleCloudStorageBuilder::new()
        .with_bucket_name(bucket)
        .with_service_account_path(account)
        .with_retry(once())
        .with_http_connector(net.clone());
    made(builder.build())
}

/// A container of Azure, with a shared access signature.
pub(super) fn azure(host: &str, container: &str, signature: &str, net: &Net) -> Store {
    let account = host.split('.').next().unwrap_or(host);
    let builder = MicrosoftAzureBuilder::new()
        .with_account(account)
        .with_endpoint(format!("https://{host}"))
        .with_container_name(container)
        .with_config(AzureConfigKey::SasKey, signature)
        .with_retry(once())
        .with_http_connector(net.clone());
    made(builder.build())
}

fn made<S: ObjectStore>(store: object_store::Result<S>) -> Store {
    match store {
        Ok(store) => Ok(Arc::new(store)),
        Err(error) => Err(reason(&error)),
    }
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Puts an object under a name.
pub(super) async fn put(store: &dyn ObjectStore, name: &str, body: Bytes) -> Result<(), String> {
    let put = store.put(&Path::from(name), body.into()).await;
    put.map(drop).map_err(|error| short(&reason(&error)))
}

/// The status of an answer and the code in its XML; the rest is long and says where and by whom.
fn short(reason: &str) -> String {
    let between = |start: &str, end: &str| Some(reason.split_once(start)?.1.split_once(end)?.0.to_owned());
    let text = reason.split_once('<').map_or(reason, |(text, _)| text).trim_end_matches([' ', ':']);
    match between("<Code>", "</Code>") {
        Some(code) => format!("{text} ({code})"),
        None => text.to_owned(),
    }
}
