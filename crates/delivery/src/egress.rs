//! The egress policy: one HTTP client for all destinations that connects only to allowed addresses.
//!
//! Start with [`EgressClient`]. It resolves names itself and connects to the addresses that it checked, so a name that
//! changes in between has no effect. It neither follows redirects nor uses proxies of the environment, because the
//! address behind a proxy cannot be checked.

mod public_address;

use crate::config::LogPushConfig;
use bytes::Bytes;
use http_body_util::{BodyExt, Limited};
use object_store::ClientOptions;
use object_store::client::{HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse};
use object_store::client::{HttpResponseBody, HttpService};
use public_address::is_public;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::Policy;
use reqwest::{Client, Url};
use std::error::Error;
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// The maximum number of bytes of a response that are read. Only the status and the code in the body of an error
/// matter.
const MAX_RESPONSE_BYTES: usize = 256 << 10;
/// The time to wait for the body of a response. The status has already arrived.
const RESPONSE_BODY_TIMEOUT: Duration = Duration::from_millis(500);

/// The egress policy.
#[derive(Clone, Copy, Debug)]
struct EgressPolicy {
    allow_http: bool,
    allow_private: bool,
}

/// The HTTP client, with a variant that does not verify certificates.
#[derive(Clone, Debug)]
pub(crate) struct EgressClient {
    policy: EgressPolicy,
    verifying: Client,
    insecure: Client,
}

/// A reason not to connect to a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
enum EgressError {
    /// The URL is malformed.
    Malformed,
    /// The scheme is `http`, which is not allowed.
    PlainHttp,
    /// The host is or resolves to this private address.
    PrivateAddress(String, IpAddr),
    /// The host resolves to no address.
    UnresolvedHost(String),
}

impl fmt::Display for EgressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EgressError::Malformed => f.write_str("the URL is malformed"),
            EgressError::PlainHttp => f.write_str("this service delivers to https:// only, not to http://"),
            EgressError::PrivateAddress(host, address) if *host == address.to_string() => {
                write!(f, "{address} is a private address; this service delivers to public addresses only")
            }
            EgressError::PrivateAddress(host, address) => {
                write!(
                    f,
                    "{host} resolves to {address}, a private address; this service delivers to public addresses \
                    only"
                )
            }
            EgressError::UnresolvedHost(host) => write!(f, "{host} does not resolve to an address"),
        }
    }
}

impl Error for EgressError {}

impl EgressClient {
    pub(crate) fn new(config: &LogPushConfig) -> Result<EgressClient, reqwest::Error> {
        // This fails if the process already has a provider, which is sufficient.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let policy = EgressPolicy { allow_http: config.allow_http, allow_private: config.allow_private };
        let builder = || {
            Client::builder()
                .no_proxy()
                .redirect(Policy::none())
                .referer(false)
                .user_agent(concat!("zonewright/", env!("CARGO_PKG_VERSION")))
                .connect_timeout(config.limits.connect_timeout)
                .timeout(config.limits.upload_timeout)
                .pool_max_idle_per_host(2)
                .dns_resolver(Arc::new(PolicyResolver(policy)))
        };
        let insecure = builder().tls_danger_accept_invalid_certs(true).build()?;
        Ok(EgressClient { policy, verifying: builder().build()?, insecure })
    }

    /// Posts a body to a URL. Only a status from 200 to 299 is a success. `verify_tls` is whether the certificate of
    /// the destination must be trusted.
    pub(crate) async fn post(
        &self,
        url: &str,
        headers: &[(&str, &str)],
        verify_tls: bool,
        body: Bytes,
    ) -> Result<(), String> {
        let url = Url::parse(url).map_err(|_| EgressError::Malformed.to_string())?;
        self.policy.check(&url).map_err(|error| error.to_string())?;
        let client = if verify_tls { &self.verifying } else { &self.insecure };
        let mut request = client.post(url);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = request.body(body).send().await.map_err(|error| root_cause(&error.without_url()))?;
        let status = response.status();
        // Short bodies are read to the end, so that the connection can be reused.
        let body = reqwest::Body::from(response);
        let _ = timeout(RESPONSE_BODY_TIMEOUT, Limited::new(body, MAX_RESPONSE_BYTES).collect()).await;
        match status.as_u16() {
            200..=299 => Ok(()),
            300..=399 => Err(format!("the destination responded with {status}; redirects are not followed")),
            _ => Err(format!("the destination responded with {status}")),
        }
    }
}

impl EgressPolicy {
    /// Checks the scheme and a literal address; names are checked when they are resolved.
    fn check(self, url: &Url) -> Result<(), EgressError> {
        match url.scheme() {
            "https" => {}
            "http" if self.allow_http => {}
            "http" => return Err(EgressError::PlainHttp),
            _ => return Err(EgressError::Malformed),
        }
        let host = url.host_str().ok_or(EgressError::Malformed)?;
        let literal = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        match literal {
            Ok(address) if !self.allow_private && !is_public(address) => {
                Err(EgressError::PrivateAddress(address.to_string(), address))
            }
            _ => Ok(()),
        }
    }
}

/// A resolver that returns only allowed addresses.
struct PolicyResolver(EgressPolicy);

impl Resolve for PolicyResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let policy = self.0;
        Box::pin(async move {
            let host = name.as_str().to_owned();
            let resolved: Vec<SocketAddr> = tokio::net::lookup_host((host.as_str(), 0)).await?.collect();
            let is_allowed = |address: &SocketAddr| policy.allow_private || is_public(address.ip());
            let Some(first) = resolved.first().copied() else { return Err(EgressError::UnresolvedHost(host).into()) };
            let allowed: Vec<SocketAddr> = resolved.into_iter().filter(is_allowed).collect();
            if allowed.is_empty() {
                return Err(EgressError::PrivateAddress(host, first.ip()).into());
            }
            Ok(Box::new(allowed.into_iter()) as Addrs)
        })
    }
}

/// Makes the object stores use this client.
impl HttpConnector for EgressClient {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(self.clone()))
    }
}

#[async_trait::async_trait]
impl HttpService for EgressClient {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let refused = |error: EgressError| HttpError::new(HttpErrorKind::Unknown, error);
        let url = Url::parse(&request.uri().to_string()).map_err(|_| refused(EgressError::Malformed))?;
        self.policy.check(&url).map_err(refused)?;
        let (parts, body) = self.verifying.call(request).await?.into_parts();
        let body = Limited::new(body, MAX_RESPONSE_BYTES).map_err(|error| match error.downcast::<HttpError>() {
            Ok(error) => *error,
            Err(error) => HttpError::new_boxed(HttpErrorKind::Decode, error),
        });
        Ok(HttpResponse::from_parts(parts, HttpResponseBody::new(body)))
    }
}

/// Returns the root cause of an error, with its context if that adds information.
pub(crate) fn root_cause(error: &(dyn Error + 'static)) -> String {
    let mut texts: Vec<String> = Vec::new();
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(policy_error) = error.downcast_ref::<EgressError>() {
            return policy_error.to_string();
        }
        if error.downcast_ref::<reqwest::Error>().is_some_and(|error| error.is_timeout()) {
            return "the destination timed out".to_owned();
        }
        texts.push(error.to_string());
        next = error.source();
    }
    let last = texts.pop().unwrap_or_default();
    if texts.iter().any(|text| text.contains("certificate")) && !last.contains("certificate") {
        return format!("the certificate of the destination is not trusted: {last}");
    }
    last
}
