//! The service over HTTP, typed. Every call gives a value or a [`ApiError`] that says what happened.

mod firewall;
mod log_push;
pub(crate) mod waf;
mod write;

pub(crate) use firewall::{FirewallDeletion, RuleWriteProbe, is_same_rule};
pub(crate) use log_push::{JobDeletion, JobWriteProbe};
pub(crate) use write::{InDoubtWrite, ObservedState, WriteOutcome, WriteProbe};

use crate::connection::Connection;
use gloo_net::http::{Request, RequestBuilder, Response};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use web_sys::AbortSignal;
use zonewright_api::firewall::Deleted;
use zonewright_api::relay::RelaySession;
use zonewright_api::zone::Zone;
use zonewright_api::{Envelope, ErrorObject, ResultInfo};

/// A service that has not answered by now will not: milliseconds.
const REQUEST_TIMEOUT_MS: u32 = 30_000;

/// Items on a page of a list.
pub(crate) const PER_PAGE: u64 = 25;
/// Items on the largest page there is.
const MAX_PER_PAGE: u64 = 100;
/// More pages than this are not read of a list; no zone has so many.
const MAX_PAGES: u64 = 200;

/// Why a call gave no result.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ApiError {
    /// The browser gave no answer: no network, no such host, or the service does not allow this site
    /// to read its answers. The browser does not tell which.
    Unreachable,
    /// No answer in time.
    TimedOut,
    /// The page was left; nothing to show.
    Cancelled,
    /// The base URL is not one.
    InvalidBaseUrl,
    /// The service answered with an error.
    Response {
        /// HTTP status.
        status: u16,
        /// What the service says.
        errors: Vec<ErrorObject>,
    },
    /// The answer is not one of such a service.
    UnexpectedBody {
        /// HTTP status.
        status: u16,
        /// What the answer says it is.
        content_type: String,
    },
}

/// A page of a list.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Page<T> {
    /// The items.
    pub(crate) items: Vec<T>,
    /// Its place in the whole.
    pub(crate) info: Option<ResultInfo>,
}

/// A connection with the signal that ends its calls.
#[derive(Clone)]
pub(crate) struct Client {
    connection: Connection,
    signal: AbortSignal,
}

impl Client {
    /// A client whose calls end when `signal` says so, or after [`REQUEST_TIMEOUT_MS`].
    pub(crate) fn new(connection: Connection, signal: &AbortSignal) -> Self {
        let signals = js_sys::Array::of2(signal, &AbortSignal::timeout_with_u32(REQUEST_TIMEOUT_MS));
        Client { connection, signal: AbortSignal::any(&signals) }
    }

    /// A client whose calls end after [`REQUEST_TIMEOUT_MS`] only: a write goes on when its page is left.
    pub(crate) fn detached(connection: Connection) -> Self {
        Client { connection, signal: AbortSignal::timeout_with_u32(REQUEST_TIMEOUT_MS) }
    }

    /// The zones that the credentials may see.
    pub(crate) async fn zones(&self) -> Result<Vec<Zone>, ApiError> {
        Ok(self.call::<Vec<Zone>>(Request::get(&self.url("/zones?per_page=50"))).await?.result.unwrap_or_default())
    }

    /// The session of this browser at a server that keeps the credentials.
    pub(crate) async fn session(&self) -> Result<RelaySession, ApiError> {
        let url = self.connection.session_url();
        Ok(self.call::<RelaySession>(Request::get(&url)).await?.result.unwrap_or_default())
    }

    /// Logs in there.
    pub(crate) async fn log_in(&self, passphrase: &str) -> Result<RelaySession, ApiError> {
        let body = [("passphrase".to_owned(), Value::from(passphrase))].into_iter().collect();
        self.send(Request::post(&self.connection.session_url()), &body).await
    }

    /// Logs out there.
    pub(crate) async fn log_out(&self) -> Result<(), ApiError> {
        self.call::<RelaySession>(Request::delete(&self.connection.session_url())).await.map(drop)
    }

    async fn send<T: DeserializeOwned>(
        &self,
        request: RequestBuilder,
        body: &Map<String, Value>,
    ) -> Result<T, ApiError> {
        let request = self.request(request).json(body).map_err(|_| ApiError::InvalidBaseUrl)?;
        read::<T>(request.send().await).await?.result.ok_or_else(nothing)
    }

    async fn delete(&self, path: &str) -> Result<(), ApiError> {
        self.call::<Deleted>(Request::delete(&self.zone_url(path))).await.map(drop)
    }

    async fn list<T: DeserializeOwned>(&self, path: &str, page: u64, per_page: u64) -> Result<Page<T>, ApiError> {
        let url = self.zone_url(&format!("{path}?page={page}&per_page={per_page}"));
        let envelope = self.call::<Vec<T>>(Request::get(&url)).await?;
        Ok(Page { items: envelope.result.unwrap_or_default(), info: envelope.result_info })
    }

    /// All pages of a list.
    async fn list_all<T: DeserializeOwned>(&self, path: &str) -> Result<Vec<T>, ApiError> {
        let mut all = Vec::new();
        for page in 1..=MAX_PAGES {
            let Page { items, info } = self.list::<T>(path, page, MAX_PER_PAGE).await?;
            let empty = items.is_empty();
            all.extend(items);
            let complete =
                info.is_none_or(|info| usize::try_from(info.total_count).is_ok_and(|all_of| all.len() >= all_of));
            if empty || complete {
                break;
            }
        }
        Ok(all)
    }

    async fn call<T: DeserializeOwned>(&self, request: RequestBuilder) -> Result<Envelope<T>, ApiError> {
        read(self.request(request).send().await).await
    }

    fn request(&self, request: RequestBuilder) -> RequestBuilder {
        let request = request.abort_signal(Some(&self.signal));
        let headers = self.connection.credentials.headers();
        headers.iter().fold(request, |request, (name, value)| request.header(name, value))
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.connection.root())
    }

    fn zone_url(&self, path: &str) -> String {
        self.url(&format!("/zones/{}{path}", encode(&self.connection.zone)))
    }
}

fn encode(text: &str) -> String {
    js_sys::encode_uri_component(text).into()
}

/// An envelope without the result that it should have.
fn nothing() -> ApiError {
    ApiError::UnexpectedBody { status: 200, content_type: "application/json".to_owned() }
}

async fn read<T: DeserializeOwned>(answer: Result<Response, gloo_net::Error>) -> Result<Envelope<T>, ApiError> {
    let response = answer.map_err(transport_error)?;
    let status = response.status();
    let content_type = response.headers().get("content-type").unwrap_or_default();
    let text = response.text().await.map_err(transport_error)?;
    // The result of a failure is null or nothing this call knows: read the frame first.
    let frame: Result<Envelope<Value>, _> = serde_json::from_str(&text);
    match frame {
        Ok(frame) if !frame.success => Err(ApiError::Response { status, errors: frame.errors }),
        Ok(_) => serde_json::from_str(&text).map_err(|_| ApiError::UnexpectedBody { status, content_type }),
        Err(_) => Err(ApiError::UnexpectedBody { status, content_type }),
    }
}

fn transport_error(error: gloo_net::Error) -> ApiError {
    match error {
        gloo_net::Error::JsError(error) if error.name == "AbortError" => ApiError::Cancelled,
        gloo_net::Error::JsError(error) if error.name == "TimeoutError" => ApiError::TimedOut,
        gloo_net::Error::JsError(error) if error.message.contains("URL") => ApiError::InvalidBaseUrl,
        _ => ApiError::Unreachable,
    }
}
