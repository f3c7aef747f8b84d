//! Forwards a request to the upstream, after checking its path, its client and its body.

use super::route_match::{NoRouteMatch, RouteMatch, match_route};
use super::route_table::BodyKind;
use super::upstream::{UpstreamRequest, UpstreamResponse};
use super::upstream_lookup::fetch_current;
use super::validate::ValidationContext;
use super::{Relay, origin};
use crate::blocking::run_blocking;
use crate::body_budget;
use crate::config::relay::{X_AUTH_EMAIL, X_AUTH_KEY};
use crate::error::RelayError;
use crate::error::{Error, route_not_found};
use crate::metrics::RelayOutcome;
use crate::request::{MAX_BODY_BYTES, QueryParams, parse_json, read_body};
use crate::routes::rulesets::entry_points;
use crate::routes::{rulesets, waf_migration};
use axum::body::{Body, Bytes};
use axum::extract::{FromRequestParts, Query, Request, State};
use axum::http::header::{AUTHORIZATION, IF_MATCH};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, Uri};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};
use std::time::Instant;
use zonewright_api::ErrorObject;
use zonewright_expression::schema::Tier;
use zonewright_migration::read::PHASE;
use zonewright_migration::{ValidationWarning, unlisted_references};

/// Forwards a request to the upstream, or rejects it.
pub(super) async fn forward(State(relay): State<Relay>, request: Request) -> Result<Response, Error> {
    let (mut parts, body) = request.into_parts();
    let route_match = match match_route(parts.uri.path(), &parts.method) {
        Ok(route_match) => route_match,
        Err(NoRouteMatch::UnknownPath) => return Err(route_not_found(&parts.uri)),
        Err(NoRouteMatch::MethodNotAllowed) => return Err(Error::MethodNotAllowed(parts.method)),
    };
    if !parts.method.is_safe() {
        origin::check_same_origin(&parts.headers)?;
    }
    let credentials = select_credentials(&relay, &parts)?;
    let query = read_query(&parts.uri)?;
    let request_body = read_request_body(&route_match, &parts, body).await?;
    // The slot is acquired after the body has arrived, so that slow clients hold no slots, and before the body is
    // parsed.
    let _slot = relay.upstream().acquire_slot().await?;
    let mut warnings = Vec::new();
    if !parts.method.is_safe() {
        let validated = validate_body(&relay, &route_match, &mut parts, request_body.clone(), &credentials).await;
        warnings =
            validated.inspect_err(|_| relay.metrics().record_relayed(route_match.route, RelayOutcome::Rejected))?;
        // Only the bytes are sent to the upstream.
        body_budget::release_json();
    }
    let mut headers = credentials;
    if !parts.method.is_safe() {
        headers.extend(parts.headers.get(IF_MATCH).map(|value| (IF_MATCH, value.clone())));
    }
    let start = Instant::now();
    let outgoing = UpstreamRequest {
        method: if parts.method == Method::HEAD { Method::GET } else { parts.method.clone() },
        segments: &route_match.segments,
        query: &query,
        headers,
        body: request_body,
        timeout: relay.config().limits.response_timeout,
    };
    let result = relay.upstream().send(outgoing).await;
    record_outcome(&relay, &route_match, &parts, &result, start);
    let UpstreamResponse { status, headers, body } = result?;
    let body = if status.is_success() { add_warnings(body, warnings).await } else { body };
    Ok((status, headers, Body::from(body)).into_response())
}

/// Returns the credentials for the upstream: the stored credentials for a client with a session, or those of the
/// request.
fn select_credentials(relay: &Relay, parts: &Parts) -> Result<HeaderMap, Error> {
    if let Some(stored) = relay.stored_credentials() {
        let session = if parts.method.is_safe() {
            stored.guard.session(&parts.headers).ok_or(RelayError::NotLoggedIn)
        } else {
            stored.guard.session_with_csrf(&parts.headers)
        };
        session?;
        return Ok(stored.headers.clone());
    }
    let mut headers = HeaderMap::new();
    for name in [AUTHORIZATION, X_AUTH_EMAIL, X_AUTH_KEY] {
        if let Some(value) = parts.headers.get(&name) {
            let mut value = value.clone();
            value.set_sensitive(true);
            headers.insert(name, value);
        }
    }
    let is_complete =
        headers.contains_key(AUTHORIZATION) || (headers.contains_key(X_AUTH_EMAIL) && headers.contains_key(X_AUTH_KEY));
    if is_complete { Ok(headers) } else { Err(Error::MissingCredentials) }
}

/// Returns the parameters of the query, which are encoded again for the upstream.
fn read_query(uri: &Uri) -> Result<Vec<(String, String)>, Error> {
    let query = Query::<Vec<(String, String)>>::try_from_uri(uri);
    query.map(|Query(pairs)| pairs).map_err(|_| route_not_found(uri))
}

/// Returns the body as it arrived, if the path accepts one.
async fn read_request_body(route_match: &RouteMatch, parts: &Parts, body: Body) -> Result<Option<Bytes>, Error> {
    if route_match.body_kind == BodyKind::None {
        return Ok(None);
    }
    let mut request = Request::new(body);
    *request.headers_mut() = parts.headers.clone();
    let bytes = read_body(request, MAX_BODY_BYTES).await?;
    Ok(Some(bytes).filter(|bytes| !bytes.is_empty() || !route_match.body_kind.allows_empty_body()))
}

/// Rejects a body that the upstream would reject. Returns a warning for each managed rule and category that the catalog
/// does not list.
async fn validate_body(
    relay: &Relay,
    route_match: &RouteMatch,
    parts: &mut Parts,
    request_body: Option<Bytes>,
    credentials: &HeaderMap,
) -> Result<Vec<ValidationWarning>, Error> {
    if route_match.is_ruleset_route() {
        check_migration_parameters(route_match, QueryParams::from_request_parts(parts, &()).await?)?;
    }
    let mut ids = Vec::new();
    if route_match.body_kind.needs_query_ids() {
        let mut query = QueryParams::from_request_parts(parts, &()).await?;
        ids = query.identifiers("id");
        query.finish()?;
    }
    let Some(bytes) = request_body else { return route_match.body_kind.validate_ids(ids).map(|()| Vec::new()) };
    let body = parse_json(bytes).await?;
    let tier = match &route_match.zone {
        Some(zone) if route_match.body_kind.needs_plan() => {
            relay.plans().tier(relay.upstream(), zone, credentials).await
        }
        _ => Tier::Enterprise,
    };
    let current = if route_match.body_kind.needs_current() {
        fetch_current(relay.upstream(), route_match, credentials).await
    } else {
        None
    };
    let route_match = route_match.clone();
    let validate = move || {
        route_match.body_kind.validate(&body, &ValidationContext { route: &route_match, tier, current, ids })?;
        Ok(if route_match.is_ruleset_route() { unlisted_references(&body) } else { Vec::new() })
    };
    run_blocking(validate).await?
}

/// Adds warnings to the messages of the upstream's response. Parsing a large response takes long, so it runs on the
/// pool of blocking threads.
async fn add_warnings(body: Bytes, warnings: Vec<ValidationWarning>) -> Bytes {
    if warnings.is_empty() {
        return body;
    }
    let unchanged_body = body.clone();
    // The change has been applied: a failure of this step must not look like a failure of the change.
    run_blocking(move || insert_messages(body, warnings)).await.unwrap_or(unchanged_body)
}

/// Adds the warnings to the messages of a response, except those that it already has. The response is unchanged if its
/// messages are not a list.
fn insert_messages(body: Bytes, warnings: Vec<ValidationWarning>) -> Bytes {
    let Ok(mut envelope) = serde_json::from_slice::<Map<String, Value>>(&body) else { return body };
    let Some(messages) = envelope.entry("messages").or_insert_with(|| json!([])).as_array_mut() else { return body };
    for warning in warnings {
        let is_same = |message: &Value| {
            message.get("message").and_then(Value::as_str) == Some(&warning.message)
                && message.pointer("/source/pointer").and_then(Value::as_str) == Some(&warning.pointer)
        };
        if !messages.iter().any(is_same) {
            messages.push(json!(ErrorObject::from(warning)));
        }
    }
    Value::Object(envelope).to_string().into()
}

/// Rejects ambiguous parameters of a change of rulesets, and parameters that have no effect there (assumption
/// said-once).
fn check_migration_parameters(route_match: &RouteMatch, mut query: QueryParams) -> Result<(), Error> {
    let is_migration_route = route_match.body_kind == BodyKind::EntryPoint
        && route_match.zone.is_some()
        && route_match.phase().is_some_and(|phase| phase.name() == PHASE);
    if is_migration_route {
        entry_points::read_migration_step(&mut query);
        waf_migration::read_phase(&mut query);
    } else {
        rulesets::reject_migration_step(&mut query);
    }
    rulesets::is_dry_run(&mut query);
    query.finish()
}

/// Logs and counts a forwarded request. The log never contains a parameter, a header or a body.
fn record_outcome(
    relay: &Relay,
    route_match: &RouteMatch,
    parts: &Parts,
    result: &Result<UpstreamResponse, RelayError>,
    start: Instant,
) {
    let (method, route, duration) = (&parts.method, route_match.route, start.elapsed());
    let milliseconds = duration.as_millis();
    let outcome = match result {
        Ok(response) => {
            tracing::info!(%method, route, status = response.status.as_u16(), milliseconds, "relayed");
            RelayOutcome::from_status(response.status)
        }
        Err(error) => {
            tracing::warn!(%method, route, milliseconds, "relaying failed: {}", error.to_error_object().message);
            error.outcome()
        }
    };
    relay.metrics().record_relayed(route, outcome);
    relay.metrics().record_upstream_duration(duration);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::pin::pin;
    use std::sync::mpsc;
    use std::task::{Context, Poll, Waker};

    #[test]
    fn warnings_are_added_on_the_pool_of_blocking_threads() {
        let runtime = tokio::runtime::Builder::new_current_thread().max_blocking_threads(1).build().unwrap();
        let (release, released) = mpsc::channel::<()>();
        // While the only thread of the pool is busy, the response cannot be parsed.
        let busy = runtime.spawn_blocking(move || released.recv());
        runtime.block_on(async {
            let warning = ValidationWarning { pointer: "/rules/0".to_owned(), message: "unlisted".to_owned() };
            let body = Bytes::from_static(br#"{"result": null, "messages": []}"#);
            let mut context = Context::from_waker(Waker::noop());
            let mut unchanged = pin!(add_warnings(body.clone(), Vec::new()));
            assert_eq!(unchanged.as_mut().poll(&mut context), Poll::Ready(body.clone()));
            let mut changed = pin!(add_warnings(body, vec![warning]));
            assert_eq!(changed.as_mut().poll(&mut context), Poll::Pending);
            release.send(()).unwrap();
            let response: Value = serde_json::from_slice(&changed.await).unwrap();
            assert_eq!(response["messages"][0]["message"], "unlisted");
            busy.await.unwrap().unwrap();
        });
    }
}
