//! The service over HTTP, typed. Every call gives a value or a [`Problem`] that says what happened.

pub(crate) mod waf;

use crate::connection::Connection;
use crate::job::Owner;
use gloo_net::http::{Request, RequestBuilder, Response};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use web_sys::AbortSignal;
use zonewright_api::firewall::{Deleted, DeletedRule, Filter, FirewallRule, NewRule};
use zonewright_api::logpush::{DeletedJob, Job, Ownership};
use zonewright_api::relay::RelaySession;
use zonewright_api::zone::Zone;
use zonewright_api::{Envelope, ErrorObject, ResultInfo};

/// A service that has not answered by now will not: milliseconds.
const PATIENCE: u32 = 30_000;

/// Items on a page of a list.
pub(crate) const PER_PAGE: u64 = 25;
/// Items on the largest page there is.
const MOST_PER_PAGE: u64 = 100;
/// Pages that are read for the sake of all items.
const MOST_PAGES: u64 = 10;

/// Why a call gave no result.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Problem {
    /// The browser gave no answer: no network, no such host, or the service does not allow this site
    /// to read its answers. The browser does not tell which.
    Unreachable,
    /// No answer in time.
    TimedOut,
    /// The page was left; nothing to show.
    Cancelled,
    /// The base URL is not one.
    BadAddress,
    /// The service answered with an error.
    Refused {
        /// HTTP status.
        status: u16,
        /// What the service says.
        errors: Vec<ErrorObject>,
    },
    /// The answer is not one of such a service.
    NotAnEnvelope {
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
    /// A client whose calls end when `signal` says so, or after [`PATIENCE`].
    pub(crate) fn new(connection: Connection, signal: &AbortSignal) -> Self {
        let signals = js_sys::Array::of2(signal, &AbortSignal::timeout_with_u32(PATIENCE));
        Client { connection, signal: AbortSignal::any(&signals) }
    }

    /// The zones that the credentials may see.
    pub(crate) async fn zones(&self) -> Result<Vec<Zone>, Problem> {
        Ok(self.call::<Vec<Zone>>(Request::get(&self.url("/zones?per_page=50"))).await?.result.unwrap_or_default())
    }

    /// The session of this browser at a server that keeps the credentials.
    pub(crate) async fn session(&self) -> Result<RelaySession, Problem> {
        let url = self.connection.session_url();
        Ok(self.call::<RelaySession>(Request::get(&url)).await?.result.unwrap_or_default())
    }

    /// Logs in there.
    pub(crate) async fn log_in(&self, passphrase: &str) -> Result<RelaySession, Problem> {
        let body = [("passphrase".to_owned(), Value::from(passphrase))].into_iter().collect();
        self.send(Request::post(&self.connection.session_url()), &body).await
    }

    /// Logs out there.
    pub(crate) async fn log_out(&self) -> Result<(), Problem> {
        self.call::<RelaySession>(Request::delete(&self.connection.session_url())).await.map(drop)
    }

    /// A page of the zone's rules.
    pub(crate) async fn rules(&self, page: u64) -> Result<Page<FirewallRule>, Problem> {
        self.list("/firewall/rules", page, PER_PAGE).await
    }

    /// All of the zone's rules; `None` when they are more than one page.
    pub(crate) async fn all_rules(&self) -> Result<Option<Vec<FirewallRule>>, Problem> {
        let Page { items, info } = self.list("/firewall/rules", 1, MOST_PER_PAGE).await?;
        let complete = info.is_some_and(|info| usize::try_from(info.total_count) == Ok(items.len()));
        Ok(complete.then_some(items))
    }

    /// All of the zone's rules, page after page, up to a thousand.
    pub(crate) async fn every_rule(&self) -> Result<Vec<FirewallRule>, Problem> {
        let mut all = Vec::new();
        for page in 1..=MOST_PAGES {
            let Page { items, info } = self.list("/firewall/rules", page, MOST_PER_PAGE).await?;
            let is_last = items.is_empty();
            all.extend(items);
            let total = info.and_then(|info| usize::try_from(info.total_count).ok());
            if is_last || total.is_none_or(|total| all.len() >= total) {
                break;
            }
        }
        Ok(all)
    }

    /// A page of the zone's filters.
    pub(crate) async fn filters(&self, page: u64) -> Result<Page<Filter>, Problem> {
        self.list("/filters", page, PER_PAGE).await
    }

    /// A filter.
    pub(crate) async fn filter(&self, id: &str) -> Result<Filter, Problem> {
        let url = self.zone_url(&format!("/filters/{}", encode(id)));
        let nothing = Problem::NotAnEnvelope { status: 200, content_type: "application/json".to_owned() };
        self.call::<Filter>(Request::get(&url)).await?.result.ok_or(nothing)
    }

    /// Creates a rule, and its filter with it.
    pub(crate) async fn create_rule(&self, rule: &NewRule) -> Result<Vec<FirewallRule>, Problem> {
        let request = self.request(Request::post(&self.zone_url("/firewall/rules")));
        let request = request.json(&[rule]).map_err(|_| Problem::BadAddress)?;
        Ok(read::<Vec<FirewallRule>>(request.send().await).await?.result.unwrap_or_default())
    }

    /// Changes a rule to what is sent; its filter stays what it is.
    pub(crate) async fn update_rule(&self, id: &str, rule: &NewRule) -> Result<(), Problem> {
        let request = self.request(Request::put(&self.zone_url(&format!("/firewall/rules/{}", encode(id)))));
        let request = request.json(rule).map_err(|_| Problem::BadAddress)?;
        read::<FirewallRule>(request.send().await).await.map(drop)
    }

    /// Deletes a rule and, when that is asked for, its filter, if no other rule uses it. Says whether the filter went.
    pub(crate) async fn delete_rule(&self, id: &str, with_filter: bool) -> Result<bool, Problem> {
        let request = Request::delete(&self.zone_url(&format!("/firewall/rules/{}", encode(id))));
        if !with_filter {
            return self.call::<DeletedRule>(request).await.map(|_| false);
        }
        let body = [("delete_filter_if_unused".to_owned(), Value::Bool(true))].into_iter().collect();
        let deleted: DeletedRule = self.send(request, &body).await?;
        Ok(deleted.filter.is_some_and(|filter| filter.deleted))
    }

    /// Deletes a filter.
    pub(crate) async fn delete_filter(&self, id: &str) -> Result<(), Problem> {
        self.delete(&format!("/filters/{}", encode(id))).await
    }

    /// All log push jobs of an owner.
    pub(crate) async fn jobs(&self, owner: &Owner) -> Result<Vec<Job>, Problem> {
        let url = self.log_push_url(owner, "jobs");
        Ok(self.call::<Vec<Job>>(Request::get(&url)).await?.result.unwrap_or_default())
    }

    /// Creates a job.
    pub(crate) async fn create_job(&self, owner: &Owner, body: &Map<String, Value>) -> Result<Job, Problem> {
        self.send(Request::post(&self.log_push_url(owner, "jobs")), body).await
    }

    /// Changes what is sent of a job, and nothing else.
    pub(crate) async fn update_job(&self, owner: &Owner, id: u64, body: &Map<String, Value>) -> Result<Job, Problem> {
        self.send(Request::put(&self.log_push_url(owner, &format!("jobs/{id}"))), body).await
    }

    /// Deletes a job; what it delivered stays where it is.
    pub(crate) async fn delete_job(&self, owner: &Owner, id: u64) -> Result<(), Problem> {
        let url = self.log_push_url(owner, &format!("jobs/{id}"));
        self.call::<DeletedJob>(Request::delete(&url)).await.map(drop)
    }

    /// Writes an ownership challenge to a destination.
    pub(crate) async fn challenge(&self, owner: &Owner, destination: &str) -> Result<Ownership, Problem> {
        let body = [("destination_conf".to_owned(), Value::from(destination))].into_iter().collect();
        self.send(Request::post(&self.log_push_url(owner, "ownership")), &body).await
    }

    async fn send<T: DeserializeOwned>(
        &self,
        request: RequestBuilder,
        body: &Map<String, Value>,
    ) -> Result<T, Problem> {
        let request = self.request(request).json(body).map_err(|_| Problem::BadAddress)?;
        let nothing = Problem::NotAnEnvelope { status: 200, content_type: "application/json".to_owned() };
        read::<T>(request.send().await).await?.result.ok_or(nothing)
    }

    async fn delete(&self, path: &str) -> Result<(), Problem> {
        self.call::<Deleted>(Request::delete(&self.zone_url(path))).await.map(drop)
    }

    async fn list<T: DeserializeOwned>(&self, path: &str, page: u64, per_page: u64) -> Result<Page<T>, Problem> {
        let url = self.zone_url(&format!("{path}?page={page}&per_page={per_page}"));
        let envelope = self.call::<Vec<T>>(Request::get(&url)).await?;
        Ok(Page { items: envelope.result.unwrap_or_default(), info: envelope.result_info })
    }

    async fn call<T: DeserializeOwned>(&self, request: RequestBuilder) -> Result<Envelope<T>, Problem> {
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

    fn log_push_url(&self, owner: &Owner, path: &str) -> String {
        self.url(&format!("{}/logpush/{path}", owner.path()))
    }

    fn zone_url(&self, path: &str) -> String {
        self.url(&format!("/zones/{}{path}", encode(&self.connection.zone)))
    }
}

fn encode(text: &str) -> String {
    js_sys::encode_uri_component(text).into()
}

async fn read<T: DeserializeOwned>(answer: Result<Response, gloo_net::Error>) -> Result<Envelope<T>, Problem> {
    let response = answer.map_err(sending_failed)?;
    let status = response.status();
    let content_type = response.headers().get("content-type").unwrap_or_default();
    let text = response.text().await.map_err(sending_failed)?;
    // The result of a failure is null or nothing this call knows: read the frame first.
    let frame: Result<Envelope<Value>, _> = serde_json::from_str(&text);
    match frame {
        Ok(frame) if !frame.success => Err(Problem::Refused { status, errors: frame.errors }),
        Ok(_) => serde_json::from_str(&text).map_err(|_| Problem::NotAnEnvelope { status, content_type }),
        Err(_) => Err(Problem::NotAnEnvelope { status, content_type }),
    }
}

fn sending_failed(error: gloo_net::Error) -> Problem {
    match error {
        gloo_net::Error::JsError(error) if error.name == "AbortError" => Problem::Cancelled,
        gloo_net::Error::JsError(error) if error.name == "TimeoutError" => Problem::TimedOut,
        gloo_net::Error::JsError(error) if error.message.contains("URL") => Problem::BadAddress,
        _ => Problem::Unreachable,
    }
}
