//! Writes objects to the buckets and containers of cloud providers.

use crate::egress::{EgressClient, root_cause};
use bytes::Bytes;
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt, RetryConfig};
use std::net::IpAddr;
use std::sync::Arc;
use zonewright_logpush::destination::S3Bucket;

type SinkResult = Result<Arc<dyn ObjectStore>, String>;

/// Disables retries of requests, because the worker retries the whole batch.
fn no_retries() -> RetryConfig {
    RetryConfig { max_retries: 0, ..RetryConfig::default() }
}

/// Opens a bucket of S3 or of a compatible service. Without keys in the destination, it uses the keys in the
/// environment of the service, never those of the machine.
pub(super) fn open_s3(bucket: &S3Bucket, egress: &EgressClient, allow_http: bool) -> SinkResult {
    let mut builder = AmazonS3Builder::new()
        .with_bucket_name(&bucket.bucket)
        .with_region(&bucket.region)
        .with_allow_http(allow_http)
        .with_retry(no_retries())
        .with_http_connector(egress.clone());
    builder = match &bucket.keys {
        Some(keys) => builder.with_access_key_id(keys.id.expose()).with_secret_access_key(keys.secret.expose()),
        None => {
            let (Some(id), Some(secret)) = (env_var("AWS_ACCESS_KEY_ID"), env_var("AWS_SECRET_ACCESS_KEY")) else {
                return Err("the destination has no access keys, and none are configured for this service".to_owned());
            };
            let builder = builder.with_access_key_id(id).with_secret_access_key(secret);
            match env_var("AWS_SESSION_TOKEN") {
                Some(token) => builder.with_token(token),
                None => builder,
            }
        }
    };
    if let Some(endpoint) = &bucket.endpoint {
        let scheme = if allow_http && is_loopback(endpoint) { "http" } else { "https" };
        builder = builder.with_endpoint(format!("{scheme}://{endpoint}"));
    }
    if let Some(encryption) = &bucket.encryption {
        let key: Result<AmazonS3ConfigKey, _> = "aws_server_side_encryption".parse();
        builder = builder.with_config(key.map_err(|error| root_cause(&error))?, encryption);
    }
    to_sink_result(builder.build())
}

/// Returns whether an endpoint is on this machine. Local test servers have no certificate.
fn is_loopback(endpoint: &str) -> bool {
    let authority = endpoint.split('/').next().unwrap_or(endpoint);
    let host = authority.rsplit_once(':').map_or(authority, |(host, _)| host);
    host == "localhost" || host.trim_matches(['[', ']']).parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

/// Opens a bucket of Google Cloud Storage with the service account that the environment names.
pub(super) fn open_gcs(bucket: &str, egress: &EgressClient) -> SinkResult {
    match env_var("GOOGLE_APPLICATION_CREDENTIALS") {
        Some(account) => open_gcs_with_credentials(account, bucket, egress),
        None => Err("no Google service account is configured for this service".to_owned()),
    }
}

fn open_gcs_with_credentials(account: String, bucket: &str, egress: &EgressClient) -> SinkResult {
    let builder = GoogleCloudStorageBuilder::new()
        .with_bucket_name(bucket)
        .with_service_account_path(account)
        .with_retry(no_retries())
        .with_http_connector(egress.clone());
    to_sink_result(builder.build())
}

/// Opens a container of Azure with a shared access signature.
pub(super) fn open_azure(host: &str, container: &str, signature: &str, egress: &EgressClient) -> SinkResult {
    open_azure_with_endpoint(format!("https://{host}"), host, container, signature, egress)
}

fn open_azure_with_endpoint(
    endpoint: String,
    host: &str,
    container: &str,
    signature: &str,
    egress: &EgressClient,
) -> SinkResult {
    let account = host.split('.').next().unwrap_or(host);
    let builder = MicrosoftAzureBuilder::new()
        .with_account(account)
        .with_allow_http(endpoint.starts_with("http:"))
        .with_endpoint(endpoint)
        .with_container_name(container)
        .with_config(AzureConfigKey::SasKey, signature)
        .with_retry(no_retries())
        .with_http_connector(egress.clone());
    to_sink_result(builder.build())
}

fn to_sink_result<S: ObjectStore>(store: object_store::Result<S>) -> SinkResult {
    match store {
        Ok(store) => Ok(Arc::new(store)),
        Err(error) => Err(root_cause(&error)),
    }
}

fn env_var(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Writes an object.
pub(super) async fn put(store: &dyn ObjectStore, name: &str, body: Bytes) -> Result<(), String> {
    let put = store.put(&Path::from(name), body.into()).await;
    put.map(drop).map_err(|error| error_summary(&root_cause(&error)))
}

/// Returns the status of a response and the code in its XML. The rest is long and contains host and request IDs.
fn error_summary(reason: &str) -> String {
    let text_between = |start: &str, end: &str| Some(reason.split_once(start)?.1.split_once(end)?.0.to_owned());
    let text = reason.split_once('<').map_or(reason, |(text, _)| text).trim_end_matches([' ', ':']);
    match text_between("<Code>", "</Code>") {
        Some(code) => format!("{text} ({code})"),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::LogPushConfig;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    /// Starts a server that responds to one request with this status line. Returns its URL, and a task that returns the
    /// request.
    async fn start_receiver(status: &'static str) -> (String, tokio::task::JoinHandle<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let request = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = Vec::new();
            while !request.ends_with(b"lines") {
                assert!(stream.read_buf(&mut request).await.unwrap() > 0);
            }
            let response =
                format!("HTTP/1.1 {status}\r\netag: \"a\"\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
            stream.write_all(response.as_bytes()).await.unwrap();
            String::from_utf8(request).unwrap()
        });
        (endpoint, request)
    }

    #[tokio::test]
    async fn azure_upload_sends_the_signature_verbatim() {
        let config = LogPushConfig { allow_http: true, allow_private: true, ..LogPushConfig::default() };
        let egress = EgressClient::new(&config).unwrap();
        let signature = "sv=2022-11-02&sr=c&sp=cw&se=2030-01-01T00%3A00%3A00Z&sig=a%2Bb%2Fc%3D";
        for (status, expected) in [("201 Created", true), ("403 Forbidden", false)] {
            let (endpoint, request) = start_receiver(status).await;
            let store = open_azure_with_endpoint(endpoint, "account.blob.core.windows.net", "logs", signature, &egress)
                .unwrap();
            let result = put(store.as_ref(), "date=20260102/a.log.gz", Bytes::from_static(b"lines")).await;
            assert_eq!(result.is_ok(), expected, "{result:?}");
            let request = request.await.unwrap();
            let (path, query) = request.split_once(' ').unwrap().1.split_once(' ').unwrap().0.split_once('?').unwrap();
            assert!(request.starts_with("PUT ") && path.ends_with("/logs/date=20260102/a.log.gz"), "{request}");
            for pair in signature.split('&') {
                assert!(query.split('&').any(|sent| sent == pair), "{pair} is not in {query}");
            }
            assert!(request.to_lowercase().contains("x-ms-blob-type: blockblob"), "{request}");
        }
    }

    #[tokio::test]
    async fn google_upload_sends_the_object() {
        let config = LogPushConfig { allow_http: true, allow_private: true, ..LogPushConfig::default() };
        let egress = EgressClient::new(&config).unwrap();
        let folder = tempfile::TempDir::new().unwrap();
        let account = folder.path().join("account.json");
        for (status, expected) in [("200 OK", true), ("404 Not Found", false)] {
            let (endpoint, request) = start_receiver(status).await;
            // The format of the provider's emulators.
            let text = serde_json::json!({
                "gcs_base_url": endpoint, "disable_oauth": true, "client_email": "", "private_key": "",
                "private_key_id": "",
            });
            std::fs::write(&account, text.to_string()).unwrap();
            let store = open_gcs_with_credentials(account.to_str().unwrap().to_owned(), "logs", &egress).unwrap();
            let result = put(store.as_ref(), "date=20260102/a.log.gz", Bytes::from_static(b"lines")).await;
            let request = request.await.unwrap();
            assert_eq!(result.is_ok(), expected, "{result:?}");
            assert!(request.starts_with("PUT /logs/date%3D20260102%2Fa%2Elog%2Egz "), "{request}");
        }
    }
}
