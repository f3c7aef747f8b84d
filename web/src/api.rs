//! The typed HTTP client of the service.
//!
//! Start with [`Client`] for calls and [`ApiError`] for their failures. Writes return a [`WriteOutcome`], because the
//! response to a write can be lost.

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
use zonewright_api::firewall::DeletedObject;
use zonewright_api::relay::RelaySession;
use zonewright_api::zone::Zone;
use zonewright_api::{Envelope, ErrorObject, ResultInfo};

/// Time limit of each request and its response, in milliseconds.
const REQUEST_TIMEOUT_MS: u32 = 30_000;

/// Number of items on a page of a list.
pub(crate) const PER_PAGE: u64 = 25;
/// Number of items on the largest page that the service returns.
const MAX_PER_PAGE: u64 = 100;
/// Number of zones on the largest page that the service returns.
const MAX_ZONES_PER_PAGE: u64 = 50;
/// Largest number of pages that [`Client::zones`] and [`Client::list_all`] read.
const MAX_PAGES: u64 = 200;

/// The reason why a call returned no result.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ApiError {
    /// The browser reported no response: no network, an unknown host, or a service whose CORS policy does not allow
    /// this site. Browsers do not report which.
    Unreachable,
    /// The time limit passed before the whole response arrived.
    TimedOut,
    /// The call was aborted, for example because the user left its page.
    Cancelled,
    /// The base URL is not a URL.
    InvalidBaseUrl,
    /// The service responded with an error.
    Response {
        /// The HTTP status.
        status: u16,
        /// The errors of the envelope.
        errors: Vec<ErrorObject>,
    },
    /// The body of the response is not an envelope with the expected result.
    UnexpectedBody {
        /// The HTTP status.
        status: u16,
        /// The content type of the response.
        content_type: String,
    },
}

/// One page of a list.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Page<T> {
    /// The items.
    pub(crate) items: Vec<T>,
    /// The position of the page in the list.
    pub(crate) info: Option<ResultInfo>,
}

/// A connection with the signal that aborts its calls. Each request also has a time limit of its own, so a call that
/// reads several pages may take longer.
#[derive(Clone)]
pub(crate) struct Client {
    connection: Connection,
    signal: Option<AbortSignal>,
}

impl Client {
    /// Creates a client whose calls are aborted by `signal`.
    pub(crate) fn new(connection: Connection, signal: &AbortSignal) -> Self {
        Client { connection, signal: Some(signal.clone()) }
    }

    /// Creates a client whose calls only end with a response or at their time limit. Writes use it, so that a write
    /// continues when the user leaves its page.
    pub(crate) fn detached(connection: Connection) -> Self {
        Client { connection, signal: None }
    }

    /// Lists all zones that the credentials can access.
    pub(crate) async fn zones(&self) -> Result<Vec<Zone>, ApiError> {
        self.read_pages(&self.url("/zones"), MAX_ZONES_PER_PAGE).await
    }

    /// Reads this browser's session at a relay, which stores the credentials.
    pub(crate) async fn session(&self) -> Result<RelaySession, ApiError> {
        let url = self.connection.session_url();
        Ok(self.call::<RelaySession>(Request::get(&url)).await?.result.unwrap_or_default())
    }

    /// Logs in to the relay.
    pub(crate) async fn log_in(&self, passphrase: &str) -> Result<RelaySession, ApiError> {
        let body = [("passphrase".to_owned(), Value::from(passphrase))].into_iter().collect();
        self.send(Request::post(&self.connection.session_url()), &body).await
    }

    /// Logs out of the relay.
    pub(crate) async fn log_out(&self) -> Result<(), ApiError> {
        self.call::<RelaySession>(Request::delete(&self.connection.session_url())).await.map(drop)
    }

    /// Sends a request with a JSON body, and returns the result of its envelope.
    async fn send<T: DeserializeOwned>(
        &self,
        request: RequestBuilder,
        body: &Map<String, Value>,
    ) -> Result<T, ApiError> {
        let request = self.prepare(request).json(body).map_err(|_| ApiError::InvalidBaseUrl)?;
        parse_response::<T>(request.send().await).await?.result.ok_or_else(missing_result)
    }

    async fn delete(&self, path: &str) -> Result<(), ApiError> {
        self.call::<DeletedObject>(Request::delete(&self.zone_url(path))).await.map(drop)
    }

    async fn list<T: DeserializeOwned>(&self, path: &str, page: u64, per_page: u64) -> Result<Page<T>, ApiError> {
        self.read_page(&self.zone_url(path), page, per_page).await
    }

    /// Reads all pages of a list of the zone, at most [`MAX_PAGES`].
    async fn list_all<T: DeserializeOwned>(&self, path: &str) -> Result<Vec<T>, ApiError> {
        self.read_pages(&self.zone_url(path), MAX_PER_PAGE).await
    }

    async fn read_page<T: DeserializeOwned>(&self, url: &str, page: u64, per_page: u64) -> Result<Page<T>, ApiError> {
        let url = format!("{url}?page={page}&per_page={per_page}");
        let envelope = self.call::<Vec<T>>(with_query(Request::get, &url)).await?;
        Ok(Page { items: envelope.result.unwrap_or_default(), info: envelope.result_info })
    }

    async fn read_pages<T: DeserializeOwned>(&self, url: &str, per_page: u64) -> Result<Vec<T>, ApiError> {
        let mut all = Vec::new();
        for page in 1..=MAX_PAGES {
            let Page { items, info } = self.read_page::<T>(url, page, per_page).await?;
            let is_empty = items.is_empty();
            all.extend(items);
            let is_complete =
                info.is_none_or(|info| usize::try_from(info.total_count).is_ok_and(|total| all.len() >= total));
            if is_empty || is_complete {
                break;
            }
        }
        Ok(all)
    }

    async fn call<T: DeserializeOwned>(&self, request: RequestBuilder) -> Result<Envelope<T>, ApiError> {
        parse_response(self.prepare(request).send().await).await
    }

    /// Adds the abort signal, the time limit and the credentials to a request. The limit starts now.
    fn prepare(&self, request: RequestBuilder) -> RequestBuilder {
        let limit = AbortSignal::timeout_with_u32(REQUEST_TIMEOUT_MS);
        let signal = match &self.signal {
            Some(signal) => AbortSignal::any(&js_sys::Array::of2(signal, &limit)),
            None => limit,
        };
        let request = request.abort_signal(Some(&signal));
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

/// Creates a request for a URL with a query. `gloo-net` appends `&` to a query that is part of the URL.
fn with_query(method: fn(&str) -> RequestBuilder, url: &str) -> RequestBuilder {
    let (path, query) = url.split_once('?').unwrap_or((url, ""));
    method(path).query(query.split('&').filter_map(|parameter| parameter.split_once('=')))
}

fn encode(text: &str) -> String {
    js_sys::encode_uri_component(text).into()
}

/// The error for an envelope without the expected result.
fn missing_result() -> ApiError {
    ApiError::UnexpectedBody { status: 200, content_type: "application/json".to_owned() }
}

async fn parse_response<T: DeserializeOwned>(
    response: Result<Response, gloo_net::Error>,
) -> Result<Envelope<T>, ApiError> {
    let response = response.map_err(transport_error)?;
    let status = response.status();
    let content_type = response.headers().get("content-type").unwrap_or_default();
    let text = response.text().await.map_err(transport_error)?;
    // The result of a failure may have any shape, so the envelope is read before the typed result.
    let envelope: Result<Envelope<Value>, _> = serde_json::from_str(&text);
    match envelope {
        Ok(envelope) if !envelope.success => Err(ApiError::Response { status, errors: envelope.errors }),
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
